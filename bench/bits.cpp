// How many swap attempts per second do many replicas in the bits of words make, against one chain
// of plain swap on the same core?
//
// An attempt is a move that met two unlike sites: swap always does, a block of replicas in about
// half of the replicas.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/chain/replicas/data.hpp"
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
    groups_ = factory.make_groups(1, starts, 1);
    advance(2'000'000);  // towards equilibrium, where acceptance is what it will be
    attempts_ = attempts();
  }

  /// Nanoseconds per attempt of one slice.
  double operator()() {
    const double begin = thread_cpu_seconds();
    do advance(20'000);
    while (thread_cpu_seconds() - begin < 0.01);
    const double spent = thread_cpu_seconds() - begin;
    const double before = std::exchange(attempts_, attempts());
    return 1e9 * spent / (attempts_ - before);
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
};

struct Case {
  const char* label;
  const char* model;
  Site distance;
  double beta;
};

}  // namespace

int main(int argc, char** argv) {
  using nhot::bench::Contest;
  Contest contest(
      "bits",
      "How many swap attempts do many replicas in the bits of words make, against one chain?", 12,
      argc, argv);
  const std::string loops(to_text(replica_loops(simd_path()).path));
  std::vector<std::string> labels;
  for (const Case& c : {Case{"60x60", "ferromagnet:60x60", 1800, 0.44053},
                        Case{"9x9x9", "spin-glass:9x9x9,seed=7", 364, 1.0}}) {
    const Model model = model_from_spec(c.model);
    const Shell shell(Bits(model.sites(), 0), c.distance);
    const auto add = [&](const std::string& name, const std::string& move, std::size_t chains) {
      contest.add(
          std::string(c.label) + " " + name,
          [r = std::make_shared<Runner>(model, shell, move, c.beta, chains)] { return (*r)(); },
          {{"chains", static_cast<double>(chains)}});
    };
    add("swap", "swap", 1);
    for (const std::size_t chains : {std::size_t{64}, std::size_t{512}})
      add("bits, " + std::to_string(chains) + " chains", "swap:engine=bits", chains);
    labels.emplace_back(c.label);
  }
  contest.run();
  for (const std::string& label : labels)
    for (const char* chains : {"64", "512"})
      contest.ratio(label + " swap / bits, " + chains + " chains, " + loops, label + " swap",
                    label + " bits, " + chains + " chains", ">= 25");
  return contest.print();
}
