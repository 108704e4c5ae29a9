// How many swap attempts per second do many replicas in the bits of words make, against one chain
// of plain swap on the same core?
//
//     bench_bits [--json] [--seconds S]
//
// An attempt is a move that met two unlike sites: swap always does, a block of replicas in about
// half of the replicas. Both sides are timed in turn, in short slices, by the CPU time of the
// thread, so that noise hits both; a rate is the median of its slices.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/chain/replica_data.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace {

using namespace nhot;

/// Chains of one move on one thread, timed in slices.
class Runner {
 public:
  Runner(const Model& model, const Shell& shell, const std::string& move, double beta,
         std::size_t chains) {
    const ChainFactory factory(model, shell, move, beta);
    std::vector<Bits> starts;
    for (std::size_t k = 0; k < chains; ++k) {
      RandomDraws draws(make_stream(1, 0, k, Purpose::start));
      starts.push_back(shell.draw_uniform(draws));
    }
    groups_ = factory.make_groups(1, starts);
    advance(2'000'000);  // towards equilibrium, where acceptance is what it will be
    attempts_ = attempts();
  }

  /// Runs about `seconds` and keeps the nanoseconds per attempt.
  void slice(double seconds) {
    const double begin = thread_cpu_seconds();
    do advance(20'000);
    while (thread_cpu_seconds() - begin < seconds);
    const double spent = thread_cpu_seconds() - begin;
    const double now = attempts();
    slices_.push_back(1e9 * spent / (now - attempts_));
    attempts_ = now;
  }

  double ns_per_attempt() {
    std::sort(slices_.begin(), slices_.end());
    return slices_[slices_.size() / 2];
  }

 private:
  void advance(std::uint64_t moves) {
    for (auto& group : groups_) group->advance(moves);
  }
  double attempts() const {
    double sum = 0;
    for (const auto& group : groups_)
      for (std::size_t k = 0; k < group->size(); ++k)
        sum += static_cast<double>(group->chain(k).counters().steps);
    return sum;
  }

  std::vector<std::unique_ptr<ChainGroup>> groups_;
  double attempts_ = 0;
  std::vector<double> slices_;
};

struct Case {
  const char* model;
  Site distance;
  double beta;
};

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  double seconds = 4;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc) {
      seconds = std::stod(argv[++k]);
    } else {
      std::fprintf(stderr, "usage: bench_bits [--json] [--seconds S]\n");
      return 2;
    }
  }
  const char* loops = replica_loops().front()->name;
  if (json)
    std::printf("{\"loops\": \"%s\", \"results\": [", loops);
  else
    std::printf("%-24s %6s %14s %16s %7s   (loops: %s)\n", "model", "chains", "swap, M/s",
                "bits, M/s", "ratio", loops);
  bool first = true;
  for (const Case& c :
       {Case{"ferromagnet:60x60", 1800, 0.44053}, Case{"spin-glass:9x9x9,seed=7", 364, 1.0}}) {
    const Model model = model_from_spec(c.model);
    const Shell shell(Bits(model.sites(), 0), c.distance);
    for (const std::size_t chains : {std::size_t{64}, std::size_t{512}}) {
      Runner swap(model, shell, "swap", c.beta, 1);
      Runner bits(model, shell, "swap:engine=bits", c.beta, chains);
      constexpr int slices = 25;
      for (int k = 0; k < slices; ++k) {
        swap.slice(seconds / 4 / 2 / slices);
        bits.slice(seconds / 4 / 2 / slices);
      }
      const double plain = 1e3 / swap.ns_per_attempt();
      const double sliced = 1e3 / bits.ns_per_attempt();
      if (json)
        std::printf(
            "%s{\"model\": \"%s\", \"chains\": %zu, \"swap_attempts_per_second\": %.4g, "
            "\"bits_attempts_per_second\": %.4g, \"ratio\": %.2f}",
            first ? "" : ", ", c.model, chains, 1e6 * plain, 1e6 * sliced, sliced / plain);
      else
        std::printf("%-24s %6zu %14.1f %16.1f %7.1f\n", c.model, chains, plain, sliced,
                    sliced / plain);
      first = false;
    }
  }
  if (json) std::printf("]}\n");
  return 0;
}
