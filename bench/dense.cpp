// How much more than moving the fields does a step of `im` cost on an RBM and on a dense Boltzmann
// machine?
//
// For every SIMD path of this machine: nanoseconds per step of im on rbm:784x500, and of bare
// updates field[j] += row[j] of 500 and of 784 floats, with rows drawn at random from matrices of
// the model's size (as a walk draws them) and with the same row again and again.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "contest.hpp"
#include "dense_bare_row.hpp"
#include "nhot/base/aligned.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace nhot::bench {
namespace {

constexpr std::size_t visible = 784;
constexpr std::size_t hidden = 500;

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

}  // namespace
}  // namespace nhot::bench

int main(int argc, char** argv) {
  using namespace nhot;
  using namespace nhot::bench;
  Contest contest("dense",
                  "How much more than moving the fields does a step of im cost on dense models?",
                  15, argc, argv);
  const Model rbm = model_from_spec("rbm:784x500,seed=1");
  const Model machine = dense_machine(1284);
  const std::string walk = "im:length=1..20,gamma=0.8";
  std::vector<std::string> paths;
  for (const SimdPath path : all_simd_paths) {
    const std::string label(to_text(path));
    if (!has_simd_path(path)) {
      std::fprintf(stderr, "this processor or build has no path %s\n", label.c_str());
      continue;
    }
    // Chains keep the path that was set when they were made, and the path is set again for the
    // slice.
    const auto add = [&](const std::string& name, auto slice) {
      contest.add(label + " " + name, [path, slice] {
        set_simd_path(path);
        return (*slice)();
      });
    };
    set_simd_path(path);
    add("im, rbm 784x500", std::make_shared<Walker>(rbm, 428, walk, 1.0, 2000));
    add("im, dense 1284", std::make_shared<Walker>(machine, 428, walk, 1.0, 2000));
    add("swap, rbm 784x500", std::make_shared<Walker>(rbm, 428, "swap", 1.0, 2000));
    add("bare row of 500", std::make_shared<Rows>(path, visible, hidden, true));
    add("bare row of 784", std::make_shared<Rows>(path, hidden, visible, true));
    add("same row of 500", std::make_shared<Rows>(path, visible, hidden, false));
    add("same row of 784", std::make_shared<Rows>(path, hidden, visible, false));
    paths.push_back(label);
  }
  contest.run();
  for (const std::string& path : paths) {
    contest.ratio(path + " im / bare row of 500", path + " im, rbm 784x500",
                  path + " bare row of 500", "<= 6");
    contest.ratio(path + " im / bare row of 784", path + " im, rbm 784x500",
                  path + " bare row of 784", "<= 6");
  }
  return contest.print();
}
