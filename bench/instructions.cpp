// One hot loop, for a tool that counts instructions: `bench_instructions CASE` brings a chain
// towards equilibrium, then calls measured_loop() once and prints the number of steps it took.
// bench/instructions.py drives it. A given compiler makes the same counts on every machine, however
// busy.
#include <cstdio>
#include <cstring>

#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"

namespace {

struct Case {
  const char* name;
  const char* model;
  nhot::Site distance;
  double beta;
  const char* move;
  std::uint64_t warm;
  std::uint64_t moves;
};

constexpr const char* lattice = "ferromagnet:60x60";
constexpr const char* glass = "spin-glass:9x9x9,seed=7";
constexpr const char* real_glass = "spin-glass:9x9x9,seed=7,couplings=gaussian";
constexpr const char* rbm = "rbm:784x500,seed=1";

const Case cases[] = {
    {"lattice-swap", lattice, 1800, 0.44053, "swap", 100'000, 100'000},
    {"lattice-kawasaki", lattice, 1800, 0.44053, "kawasaki", 100'000, 100'000},
    {"lattice-classes", lattice, 1800, 0.44053, "im:length=90,engine=classes", 200, 200},
    {"lattice-thinned", lattice, 1800, 0.44053, "im:length=90,engine=thinned", 200, 200},
    {"lattice-tree", lattice, 1800, 0.44053, "im:length=90,engine=tree", 200, 200},
    {"glass-classes", glass, 364, 1.0, "im:length=1..25", 2000, 1000},
    {"glass-swap", glass, 364, 1.0, "swap", 100'000, 100'000},
    {"real-glass-sums", real_glass, 364, 1.0, "im:length=1..25", 2000, 1000},
    {"real-glass-tree", real_glass, 364, 1.0, "im:length=1..25,engine=tree", 1000, 500},
    {"real-glass-swap", real_glass, 364, 1.0, "swap", 100'000, 100'000},
    {"rbm-dense", rbm, 428, 1.0, "im:length=1..20,gamma=0.8beta", 50, 50},
};

}  // namespace

extern "C" [[gnu::noinline]] void measured_loop(nhot::AnyChain& chain, std::uint64_t moves) {
  chain.advance(moves);
}

int main(int argc, char** argv) {
  using namespace nhot;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Case& c : cases) std::printf("%s\n", c.name);
    return 0;
  }
  for (const Case& c : cases) {
    if (argc != 2 || std::strcmp(argv[1], c.name) != 0) continue;
    const Model model = model_from_spec(c.model);
    const ChainFactory factory(model, Shell(Bits(model.sites(), 0), c.distance), c.move, c.beta);
    RandomDraws start(make_stream(1, 0, 0, Purpose::start));
    const auto chain =
        factory.make(make_stream(1, 0, 0, Purpose::moves), factory.shell().draw_uniform(start));
    chain->advance(c.warm);
    chain->reset_counters();
    measured_loop(*chain, c.moves);
    std::printf("%llu\n", static_cast<unsigned long long>(chain->counters().steps));
    return 0;
  }
  std::fprintf(stderr, "usage: bench_instructions --list | CASE\n");
  return 2;
}
