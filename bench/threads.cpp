#include <algorithm>
#include <thread>

#include "contest.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace {

using namespace nhot;

/// Chains of one move, each on a thread of its own.
class Team {
 public:
  Team(const ChainFactory& factory, std::size_t chains, std::uint64_t moves) : moves_(moves) {
    for (std::size_t k = 0; k < chains; ++k) {
      RandomDraws start(make_stream(1, 0, k, Purpose::start));
      chains_.push_back(
          factory.make(make_stream(1, 0, k, Purpose::moves), factory.shell().draw_uniform(start)));
    }
  }

  /// Nanoseconds of wall time per move of all chains together.
  double operator()() {
    const double begin = wall_seconds();
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < chains_.size(); ++k)
      others.emplace_back([this, k] { chains_[k]->advance(moves_); });
    chains_[0]->advance(moves_);
    for (std::thread& t : others) t.join();
    return 1e9 * (wall_seconds() - begin) / static_cast<double>(moves_ * chains_.size());
  }

 private:
  std::vector<std::shared_ptr<AnyChain>> chains_;
  std::uint64_t moves_;
};

}  // namespace

// How much faster are two chains on two threads than one chain on one?
int main(int argc, char** argv) {
  using namespace nhot::bench;
  Contest contest("threads", "How much faster are two chains on two threads than one chain on one?",
                  12, argc, argv);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const Model model = model_from_spec("ferromagnet:60x60");
  std::vector<std::string> ratios;
  for (const auto& [move, moves] : {std::pair{"im:length=90", std::uint64_t{4000}},
                                    std::pair{"swap", std::uint64_t{4'000'000}}}) {
    const ChainFactory factory(model, Shell(Bits(model.sites(), 0), 1800), move, 0.44053);
    for (unsigned threads = 1; threads <= cores; threads *= 2)
      contest.add(std::string(move) + ", threads " + std::to_string(threads),
                  Team(factory, threads, moves), {{"threads", threads}});
    ratios.push_back(move);
  }
  contest.run();
  if (cores >= 2)
    for (const std::string& move : ratios)
      contest.ratio(move + ", 2 threads over 1", move + ", threads 1", move + ", threads 2",
                    ">= 1.9");
  return contest.print();
}
