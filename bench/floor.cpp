#include <algorithm>
#include <numeric>

#include "contest.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/model/row_patterns.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace {

using namespace nhot;

/// The random draws and the memory reads of an attempt of swap and nothing else: a pair and a
/// uniform number; the two sites in the lists of sides, their fields, the row of one of them.
class BareLoop {
 public:
  explicit BareLoop(const Model& model) : sites_(model.sites()), order_(sites_), fields_(sites_) {
    Xoshiro256 engine = make_stream(5, 0, 0, Purpose::test);
    std::iota(order_.begin(), order_.end(), Site{0});
    for (Site k = sites_; k > 1; --k) std::swap(order_[k - 1], order_[engine() % k]);
    for (auto& field : fields_) field = static_cast<std::int32_t>(engine() % 5);
    // Rows as the kernel keeps them: where they repeat, once.
    RowPatterns patterns;
    std::vector<std::uint32_t> own;
    for (Site i = 0; i < sites_; ++i) {
      const auto row = model.quadratic()->row(i).sites;
      std::vector<std::uint32_t> words;
      for (const Site j : row) words.push_back((j - i) << 8);
      patterns.add(words);
      begin_.push_back(static_cast<std::uint32_t>(own.size()));
      own.insert(own.end(), words.begin(), words.end());
    }
    begin_.push_back(static_cast<std::uint32_t>(own.size()));
    words_ = own;
    if (2 * patterns.words().size() > own.size()) return;
    numbers_ = patterns.numbers();
    begin_ = patterns.begin();
    words_ = patterns.words();
  }

  double operator()() {
    constexpr int attempts = 200'000;
    const double begin = thread_cpu_seconds();
    const Site half = sites_ / 2;
    std::uint64_t sum = 0;
    double uniforms = 0;
    for (int k = 0; k < attempts; ++k) {
      const auto [a, b] = draws_.below_pair(half, sites_ - half);
      const Site i = order_[a];
      const Site j = order_[half + b];
      sum += static_cast<std::uint64_t>(fields_[i] + fields_[j]);
      const std::size_t row = numbers_.empty() ? i : numbers_[i];
      for (std::uint32_t r = begin_[row]; r < begin_[row + 1]; ++r) sum += words_[r];
      uniforms += draws_.uniform();
    }
    kept_ = static_cast<double>(sum) + uniforms;
    return 1e9 * (thread_cpu_seconds() - begin) / attempts;
  }

 private:
  Site sites_;
  std::vector<Site> order_;
  std::vector<std::int32_t> fields_;
  std::vector<std::uint16_t> numbers_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> words_;
  RandomDraws draws_{make_stream(6, 0, 0, Purpose::test)};
  volatile double kept_ = 0;
};

}  // namespace

// How much more than its random draws and memory reads does an attempt of swap cost?
int main(int argc, char** argv) {
  using namespace nhot::bench;
  Contest contest(
      "floor", "How much more than its random draws and memory reads does an attempt of swap cost?",
      8, argc, argv);
  struct Case {
    const char* label;
    const char* model;
    double beta;
  };
  const Case cases[] = {{"60x60", "ferromagnet:60x60", 0.44053},
                        {"9x9x9", "spin-glass:9x9x9,seed=7", 1.0},
                        {"1000x1000", "ferromagnet:1000x1000", 0.44053}};
  for (const Case& c : cases) {
    const Model model = model_from_spec(c.model);
    const std::string label = c.label;
    contest.add(label + " swap",
                std::make_shared<Walker>(model, model.sites() / 2, "swap", c.beta, 20'000'000));
    // Functions are copied; the arrays need not be.
    contest.add(label + " bare loop",
                [loop = std::make_shared<BareLoop>(model)] { return (*loop)(); });
  }
  contest.run();
  for (const Case& c : cases) {
    const std::string label = c.label;
    contest.ratio(label + " swap / bare loop", label + " swap", label + " bare loop", "<= 2");
  }
  return contest.print();
}
