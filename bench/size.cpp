#include <cstdio>
#include <utility>

#include "contest.hpp"
#include "nhot/model/generators.hpp"

namespace {

using namespace nhot;

/// A periodic state of side `small` repeated over one of side `large`, a multiple: near equilibrium
/// at once, where a walk from a random state would have to be very long.
Bits repeated(const Bits& state, Site small, Site large) {
  Bits all(std::size_t{large} * large);
  for (Site row = 0; row < large; ++row)
    for (Site column = 0; column < large; ++column)
      all[std::size_t{row} * large + column] =
          state[std::size_t{row % small} * small + column % small];
  return all;
}

}  // namespace

// How do cost and memory grow with the number of sites?
int main(int argc, char** argv) {
  using namespace nhot::bench;
  Contest contest("size", "How do cost and memory grow with the number of sites?", 40, argc, argv);
  double bytes_per_site = 0;
  const Site sides[] = {32, 60, 100, 300, 1000, 3000, 4000};
  Bits thousand;  // an equilibrated state of 1000x1000
  // The small ones take turns; the large ones, which need the memory, come one after the other.
  for (const Site side : sides) {
    const std::string text = std::to_string(side);
    const std::string label = text + "x" + text;
    const Contest::Facts facts = {{"sites", double(side) * side}};
    const double before = resident_bytes();
    const Model model = model_from_spec("ferromagnet:" + label);
    const Bits start = side > 1000 ? repeated(thousand, 1000, side) : Bits{};
    const std::uint64_t warm = side > 1000 ? 2000 : 200'000;
    const auto walker = [&](const std::string& move, std::uint64_t moves, const Bits& from) {
      return std::make_shared<Walker>(model, side * side / 2, move, 0.44053, moves, from);
    };
    auto im = walker("im:length=90", warm, start);
    const Bits now = im->chain().bits();
    if (side == 1000) thousand = now;
    if (side >= 1000) bytes_per_site = (resident_bytes() - before) / (double(side) * side);
    contest.add(label + " im", std::move(im), facts);
    contest.add(label + " swap", walker("swap", 100'000, now), facts);
    if (side >= 300) {
      for (const std::string engine : {"classes", "thinned", "compact"})
        contest.add(label + " im, engine " + engine,
                    walker("im:length=90,engine=" + engine, 2000, now), facts);
    }
    if (side >= 100) contest.run(0.2);
  }
  contest.ratio("im, 1000x1000 / 60x60", "1000x1000 im", "60x60 im", "<= 5");
  contest.ratio("im, 4000x4000 / 60x60", "4000x4000 im", "60x60 im", "<= 9");
  contest.ratio("swap, 1000x1000 / 60x60", "1000x1000 swap", "60x60 swap");
  contest.ratio("swap, 4000x4000 / 60x60", "4000x4000 swap", "60x60 swap");
  contest.number("bytes per site, 4000x4000, model and chain of im", bytes_per_site, "<= 64");
  return contest.print();
}
