#include "contest.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace {

using namespace nhot;

/// Two chains on one thread.
class Couple {
 public:
  Couple(const Model& model, const std::string& move, double beta, std::uint64_t warm)
      : factory_(model, Shell(Bits(model.sites(), 0), model.sites() / 2), move, beta) {
    for (std::size_t k = 0; k < 2; ++k) {
      RandomDraws start(make_stream(1, 0, k, Purpose::start));
      chains_.push_back(factory_.make(make_stream(1, 0, k, Purpose::moves),
                                      factory_.shell().draw_uniform(start)));
      team_.push_back(chains_.back().get());
    }
    advance(true, warm);
    for (; nanoseconds(true) < 0.005e9; moves_ *= 2) advance(true, moves_);
  }

  /// Nanoseconds of CPU time per step of either.
  double slice(bool together) {
    for (AnyChain* chain : team_) chain->reset_counters();
    const double time = nanoseconds(together);
    std::uint64_t steps = 0;
    for (const AnyChain* chain : team_) steps += chain->counters().steps;
    return time / static_cast<double>(steps);
  }

 private:
  void advance(bool together, std::uint64_t moves) {
    if (together) return team_.front()->advance_together(team_, moves);
    for (AnyChain* chain : team_) chain->advance(moves);
  }
  double nanoseconds(bool together) {
    const double begin = thread_cpu_seconds();
    advance(together, moves_);
    return 1e9 * (thread_cpu_seconds() - begin);
  }

  ChainFactory factory_;
  std::vector<std::unique_ptr<AnyChain>> chains_;
  std::vector<AnyChain*> team_;
  std::uint64_t moves_ = 1;
};

}  // namespace

// What is gained when two chains of one thread take turns?
int main(int argc, char** argv) {
  using namespace nhot::bench;
  Contest contest("turns", "What is gained when two chains of one thread take turns within walks?",
                  25, argc, argv);
  struct Case {
    const char* label;
    const char* model;
    const char* move;
    double beta;
    std::uint64_t warm;
  };
  const Case cases[] = {
      {"60x60, classes", "ferromagnet:60x60", "im:length=90,engine=classes", 0.44053, 20'000},
      {"60x60 at T = 1.8", "ferromagnet:60x60", "im:length=1..10", 1 / 1.8, 200'000},
      {"9x9x9", "spin-glass:9x9x9,seed=7", "im:length=1..25", 1.0, 20'000},
      {"400x400, classes", "ferromagnet:400x400", "im:length=90,engine=classes", 0.44053, 100'000},
      {"1000x1000, classes", "ferromagnet:1000x1000", "im:length=90,engine=classes", 0.44053,
       100'000}};
  for (const Case& c : cases) {
    const std::string label = c.label;
    const auto couple = std::make_shared<Couple>(model_from_spec(c.model), c.move, c.beta, c.warm);
    contest.add(label + ", one after the other", [couple] { return couple->slice(false); });
    contest.add(label + ", in turns", [couple] { return couple->slice(true); });
    contest.run(0.2);
  }
  // Of the default run of several chains, against swap, which gains nothing from turns.
  contest.add("9x9x9, swap", std::make_shared<Walker>(model_from_spec("spin-glass:9x9x9,seed=7"),
                                                      364, "swap", 1.0, 20'000'000));
  contest.run(0.2);
  contest.ratio("9x9x9, im in turns / swap", "9x9x9, in turns", "9x9x9, swap", "<= 8");
  for (const Case& c : cases) {
    const std::string label = c.label;
    contest.ratio(label + ", one after the other / in turns", label + ", one after the other",
                  label + ", in turns");
  }
  return contest.print();
}
