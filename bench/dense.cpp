// How much more than moving the fields does a step of `im` cost on an RBM and on a dense Boltzmann
// machine?
//
//     bench_dense [--json] [--seconds S]
//
// For every SIMD path of this machine: nanoseconds per step of im on rbm:784x500, and of bare
// updates field[j] += row[j] of 500 and of 784 floats, with rows drawn at random from matrices of
// the model's size (as a walk draws them) and with the same row again and again. All are measured
// in slices that take turns, in CPU time of the thread; the smallest of all slices counts.
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dense_bare_row.hpp"
#include "nhot/base/aligned.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace nhot::bench {
namespace {

constexpr std::size_t visible = 784;
constexpr std::size_t hidden = 500;

/// A chain that is advanced in slices.
class Walker {
 public:
  Walker(const Model& model, Site distance, const std::string& move, std::uint64_t moves)
      : factory_(model, Shell(Bits(model.sites(), 0), distance), move, 1.0), moves_(moves) {
    RandomDraws start(make_stream(1, 0, 0, Purpose::start));
    chain_ =
        factory_.make(make_stream(1, 0, 0, Purpose::moves), factory_.shell().draw_uniform(start));
    chain_->advance(2000);
  }

  /// Nanoseconds per step of one slice.
  double operator()() {
    chain_->reset_counters();
    const double begin = thread_cpu_seconds();
    chain_->advance(moves_);
    const double seconds = thread_cpu_seconds() - begin;
    return 1e9 * seconds / static_cast<double>(chain_->counters().steps);
  }

 private:
  ChainFactory factory_;
  std::uint64_t moves_;
  std::unique_ptr<AnyChain> chain_;
};

/// Bare updates with the rows of a matrix.
class Rows {
 public:
  Rows(SimdPath path, std::size_t rows, std::size_t size, bool random)
      : add_(bare_row(path)), size_(size), stride_((size + 15) / 16 * 16), field_(stride_, 0) {
    Xoshiro256 engine = make_stream(2, 0, 0, Purpose::test);
    matrix_.resize(rows * stride_);
    for (float& value : matrix_) value = static_cast<float>(engine() % 1000) * 1e-6F;
    for (int k = 0; k < 4096; ++k) order_.push_back(random ? engine() % rows : 0);
  }

  /// Nanoseconds per row of one slice.
  double operator()() {
    const double begin = thread_cpu_seconds();
    for (const std::size_t row : order_) add_(field_.data(), matrix_.data() + row * stride_, size_);
    return 1e9 * (thread_cpu_seconds() - begin) / static_cast<double>(order_.size());
  }

 private:
  BareRow add_;
  std::size_t size_;
  std::size_t stride_;
  AlignedVector<float> field_;
  AlignedVector<float> matrix_;
  std::vector<std::size_t> order_;
};

Model dense_machine(Site sites) {
  QuadraticTerms terms;
  terms.sites = sites;
  terms.convention = Convention::binary;
  Xoshiro256 engine = make_stream(3, 0, 0, Purpose::test);
  NormalSource normal(engine);
  terms.linear.assign(sites, 0.0);
  for (Site i = 0; i < sites; ++i)
    for (Site j = i + 1; j < sites; ++j)
      terms.couplings.push_back({i, j, static_cast<float>(0.1 * normal())});
  return {"dense", QuadraticModel(terms)};
}

struct Question {
  std::string name;
  std::function<double()> slice;
  double best = 1e300;
};

/// Walkers cannot be copied, as functions must be.
std::function<double()> sliced(std::shared_ptr<Walker> walker) {
  return [walker] { return (*walker)(); };
}

void run(bool json, double seconds) {
  const Model rbm = model_from_spec("rbm:784x500,seed=1");
  const Model machine = dense_machine(1284);
  const std::string walk = "im:length=1..20,gamma=0.8";
  if (json)
    std::printf(
        "{\"model\": \"rbm:784x500,seed=1\", \"distance\": 428, \"move\": \"%s\", \"paths\": [",
        walk.c_str());
  else
    std::printf("%-9s %8s %8s %8s | %8s %8s %8s %8s | %9s %9s\n", "path", "im rbm", "im dense",
                "swap rbm", "row 500", "row 784", "hot 500", "hot 784", "im/row500", "im/row784");
  bool first = true;
  for (const SimdPath path : all_simd_paths) {
    if (!has_simd_path(path)) {
      std::fprintf(stderr, "this processor or build has no path %s\n",
                   std::string(to_text(path)).c_str());
      continue;
    }
    set_simd_path(path);
    std::vector<Question> questions;
    questions.push_back({"im_rbm", sliced(std::make_shared<Walker>(rbm, 428, walk, 100))});
    questions.push_back({"im_dense", sliced(std::make_shared<Walker>(machine, 428, walk, 50))});
    questions.push_back({"swap_rbm", sliced(std::make_shared<Walker>(rbm, 428, "swap", 5000))});
    questions.push_back({"row_500", Rows(path, visible, hidden, true)});
    questions.push_back({"row_784", Rows(path, hidden, visible, true)});
    questions.push_back({"hot_500", Rows(path, visible, hidden, false)});
    questions.push_back({"hot_784", Rows(path, hidden, visible, false)});
    const double end = wall_seconds() + seconds;
    while (wall_seconds() < end)
      for (Question& q : questions) q.best = std::min(q.best, q.slice());
    const auto& q = questions;
    if (json) {
      std::printf("%s\n  {\"path\": \"%s\"", first ? "" : ",", std::string(to_text(path)).c_str());
      for (const Question& question : q)
        std::printf(", \"%s_ns\": %.1f", question.name.c_str(), question.best);
      std::printf(", \"im_rbm_over_row_500\": %.2f, \"im_rbm_over_row_784\": %.2f}",
                  q[0].best / q[3].best, q[0].best / q[4].best);
    } else {
      std::printf("%-9s %8.1f %8.1f %8.1f | %8.1f %8.1f %8.1f %8.1f | %9.2f %9.2f\n",
                  std::string(to_text(path)).c_str(), q[0].best, q[1].best, q[2].best, q[3].best,
                  q[4].best, q[5].best, q[6].best, q[0].best / q[3].best, q[0].best / q[4].best);
    }
    first = false;
    std::fflush(stdout);
  }
  if (json) std::printf("\n]}\n");
}

}  // namespace
}  // namespace nhot::bench

int main(int argc, char** argv) {
  bool json = false;
  double seconds = 5;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc) {
      seconds = std::atof(argv[++k]);
    } else {
      std::fprintf(stderr, "usage: bench_dense [--json] [--seconds S]\n");
      return 2;
    }
  }
  nhot::bench::run(json, seconds);
  return 0;
}
