#include "contest.hpp"
#include "nhot/model/generators.hpp"

// What does a step of a walk cost, against one attempt of swap, for each engine?
int main(int argc, char** argv) {
  using namespace nhot;
  using namespace nhot::bench;
  Contest contest("steps",
                  "What does a step of im cost, against one attempt of swap, for each engine?", 12,
                  argc, argv);
  struct Case {
    const char* label;
    const char* model;
    Site distance;
    double beta;
    const char* walk;
    const char* asked;
    std::vector<std::string> engines = {"classes", "thinned", "tree"};
  };
  const Case cases[] = {
      {"60x60", "ferromagnet:60x60", 1800, 0.44053, "im:length=90", "<= 5"},
      {"60x60 at T = 5", "ferromagnet:60x60", 1800, 0.2, "im:length=90", ""},
      {"9x9x9", "spin-glass:9x9x9,seed=7", 364, 1.0, "im:length=1..25", "<= 8"},
      {"gaussian 9x9x9",
       "spin-glass:9x9x9,seed=7,couplings=gaussian",
       364,
       1.0,
       "im:length=1..25",
       "",
       {"sums", "tree"}},
  };
  for (const Case& c : cases) {
    const Model model = model_from_spec(c.model);
    const std::string label = std::string(c.label) + " ";
    const auto walker = [&](const std::string& move, std::uint64_t warm) {
      return std::make_shared<Walker>(model, c.distance, move, c.beta, warm);
    };
    contest.add(label + "swap", walker("swap", 20'000'000));
    contest.add(label + "kawasaki", walker("kawasaki", 20'000'000));
    contest.add(label + "im", walker(c.walk, 20'000));
    for (const std::string& engine : c.engines)
      contest.add(label + "im, engine " + engine,
                  walker(std::string(c.walk) + ",engine=" + engine, 20'000));
  }
  contest.run();
  for (const Case& c : cases) {
    const std::string label = std::string(c.label) + " ";
    contest.ratio(label + "im / swap", label + "im", label + "swap", c.asked);
    if (c.engines.front() != "classes") continue;
    contest.ratio(label + "tree / classes", label + "im, engine tree", label + "im, engine classes",
                  label == "60x60 " ? "<= 4" : "");
    contest.ratio(label + "thinned / classes", label + "im, engine thinned",
                  label + "im, engine classes");
  }
  for (const std::string move : {"im", "swap", "kawasaki"})
    contest.ratio("gaussian / +-J, 9x9x9 " + move, "gaussian 9x9x9 " + move, "9x9x9 " + move,
                  move == "kawasaki" ? "" : "<= 1.6");
  contest.ratio("gaussian 9x9x9 tree / sums", "gaussian 9x9x9 im, engine tree",
                "gaussian 9x9x9 im, engine sums");
  return contest.print();
}
