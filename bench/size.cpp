#include <cstdio>

#include "contest.hpp"
#include "nhot/model/generators.hpp"

// How do cost and memory grow with the number of sites?
int main(int argc, char** argv) {
  using namespace nhot;
  using namespace nhot::bench;
  Contest contest("size", "How do cost and memory grow with the number of sites?", 40, argc, argv);
  double bytes_per_site = 0;
  const Site sides[] = {32, 60, 100, 316, 1000, 3162, 4000};
  // The small ones take turns; the large ones, which need the memory, come one after the other.
  for (const Site side : sides) {
    const std::string text = std::to_string(side);
    const std::string label = text + "x" + text;
    const Contest::Facts facts = {{"sites", double(side) * side}};
    const double before = resident_bytes();
    {
      const Model model = model_from_spec("ferromagnet:" + label);
      const std::uint64_t warm = side <= 1000 ? 200'000 : 20'000;
      const auto im =
          std::make_shared<Walker>(model, side * side / 2, "im:length=90", 0.44053, warm);
      if (side >= 1000) bytes_per_site = (resident_bytes() - before) / (double(side) * side);
      contest.add(label + " im", im, facts);
      contest.add(label + " swap",
                  std::make_shared<Walker>(model, side * side / 2, "swap", 0.44053, 100 * warm),
                  facts);
    }
    if (side >= 100) contest.run(0.2);
  }
  contest.ratio("im, 1000x1000 / 60x60", "1000x1000 im", "60x60 im", "<= 5");
  contest.ratio("im, 4000x4000 / 60x60", "4000x4000 im", "60x60 im", "<= 8");
  contest.ratio("swap, 1000x1000 / 60x60", "1000x1000 swap", "60x60 swap");
  contest.ratio("swap, 4000x4000 / 60x60", "4000x4000 swap", "60x60 swap");
  contest.number("bytes per site, 4000x4000, model and chain of im", bytes_per_site, "<= 64");
  return contest.print();
}
