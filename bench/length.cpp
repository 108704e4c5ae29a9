#include "contest.hpp"
#include "nhot/model/generators.hpp"

// How does the cost of a step change with the length of the walk?
int main(int argc, char** argv) {
  using namespace nhot;
  using namespace nhot::bench;
  Contest contest("length", "How does the cost of a step change with the length of the walk?", 10,
                  argc, argv);
  const Model model = model_from_spec("ferromagnet:60x60");
  for (const int length : {1, 2, 5, 10, 20, 45, 90, 200, 500, 1000, 1800})
    contest.add("length " + std::to_string(length),
                std::make_shared<Walker>(model, 1800, "im:length=" + std::to_string(length),
                                         0.44053, 2'000'000 / static_cast<std::uint64_t>(length)),
                {{"length", length}});
  contest.run();
  contest.ratio("length 1 / length 90", "length 1", "length 90");
  return contest.print();
}
