// Moves every engine for very many steps, on ordinary models and at the ends of every range, and
// compares what its chains keep (energy, fields, total weights) with what it is when made anew.
//
//     soak_tool STEPS [SECONDS]      per engine, shared by its kernels: so many steps, or as many
//     as fit
//
// Prints a line for each kernel with each engine, the steps of every engine, and the worst drift;
// exit code 1 when a chain left its shell or drifted.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/thread_team.hpp"
#include "soak/drift.hpp"
#include "soak/subjects.hpp"

namespace nhot::soak {
namespace {

// Energies are sums on a grid and fields sums of couplings: exact. Fields of energies that are
// code, and total weights, may carry the rounding of their updates.
constexpr double most_energy = 0;
constexpr double most_field = 0;
constexpr double most_code = 1e-6;
constexpr double most_total = 1e-12;

double now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How many moves to make between two checks: few at first, so that a slow chain ends in time, then
/// more, until checks take a twentieth of the time or there would be fewer than fifty.
class Spacing {
 public:
  explicit Spacing(std::uint64_t steps) : most_(std::max<std::uint64_t>(1, steps / 50)) {}

  std::uint64_t moves() const { return std::min(moves_, most_); }
  void took(double moving, double checking) {
    if (checking > 0.05 * moving && moves_ < most_) moves_ *= 2;
  }

 private:
  std::uint64_t moves_ = 250;
  std::uint64_t most_;
};

struct Tally {
  std::uint64_t steps = 0;
  std::uint64_t checks = 0;
  std::uint64_t refused = 0;
  Drift worst;
  std::string failure;

  void fail(const Case& what, const std::string& how) {
    if (failure.empty()) failure = what.name + " (beta " + format_real(what.beta) + "): " + how;
  }
};

std::unique_ptr<AnyChain> make_in(const ChainSetup& setup, const Bits& bits) {
  return setup.make(RandomDraws(make_stream(1, 0, 0, Purpose::moves)), bits);
}

/// Everything that a chain keeps, against the model and against a chain made in the same state.
void check(const Subject& subject, const Case& what, const Shell& shell, const ChainSetup& setup,
           const AnyChain& chain, Tally& tally) {
  ++tally.checks;
  const Bits bits = chain.bits();
  if (!shell.contains(bits)) return tally.fail(what, "the chain has left its shell");
  const double energy = what.model.energy(bits);
  std::optional<Drift> drift = drift_of(chain, *make_in(setup, bits));
  if (!drift) return tally.fail(what, "a chain of an unknown type");
  drift->energy = difference(chain.energy(), energy,
                             std::max(std::abs(energy), what.model.data().largest_change()));
  tally.worst.take(*drift);
  const bool code = subject.kernel == "custom";
  if (drift->energy > (code ? most_code : most_energy)) tally.fail(what, "the energy drifted");
  if (drift->field > (code ? most_code : most_field)) tally.fail(what, "a field drifted");
  if (drift->total > (code ? most_code : most_total)) tally.fail(what, "a total drifted");
}

/// The chain's own way of looking at itself: a saved state is refused when it contradicts itself.
void check_saved(const ChainSetup& setup, const Case& what, const AnyChain& chain, Tally& tally) {
  ByteWriter out;
  chain.save(out);
  const auto twin = make_in(setup, chain.bits());
  ByteReader in(out.bytes());
  try {
    twin->restore(in);
  } catch (const InputError& error) {
    tally.fail(what, error.what());
  }
}

void soak(const Subject& subject, const Case& what, std::uint64_t steps, double seconds,
          Tally& tally) {
  const double deadline = now() + seconds;
  const auto shell =
      std::make_shared<const Shell>(test::random_bits(what.model.sites(), 5), what.distance);
  try {
    const ChainSetup setup(what.model, shell, subject.move(), what.beta, subject.kernel);
    RandomDraws start(make_stream(1, 0, 0, Purpose::start));
    const auto chain = make_in(setup, shell->draw_uniform(start));
    Spacing spacing(steps);
    double begin = now();
    // Where nothing can be exchanged a move takes no step.
    while (chain->counters().steps < steps && chain->counters().moves < steps && begin < deadline) {
      chain->advance(spacing.moves());
      const double moved = now();
      check(subject, what, *shell, setup, *chain, tally);
      const double checked = now();
      spacing.took(moved - begin, checked - moved);
      begin = checked;
    }
    check_saved(setup, what, *chain, tally);
    tally.steps += chain->counters().steps;
  } catch (const InputError&) {
    ++tally.refused;  // a range that doubles do not have
  }
}

Tally soak(const Subject& subject, std::uint64_t steps, double seconds) {
  constexpr double share = 0.1;  // of the extremes
  Tally tally;
  const double parts = static_cast<double>(subject.extremes.size());
  for (const Case& what : subject.extremes)
    soak(subject, what, static_cast<std::uint64_t>(share * static_cast<double>(steps) / parts) + 1,
         share * seconds / parts, tally);
  std::size_t left = subject.ordinary.size();
  const double each = (1 - share) * seconds / static_cast<double>(left);
  for (const Case& what : subject.ordinary) {
    const std::uint64_t refused = tally.refused;
    soak(subject, what, (steps - std::min(steps, tally.steps)) / left-- + 1, each, tally);
    if (tally.refused > refused) tally.fail(what, "refused");
  }
  return tally;
}

/// Engine `bits`: many chains in the bits of words.
Tally soak_replicas(std::uint64_t steps, double seconds) {
  Tally tally;
  for (const double beta : {0.0, 0.3, 1e6}) {
    const double deadline = now() + seconds / 3;
    const Case what{"replicas", test::few_levels_model(), 14, beta};
    const ChainFactory factory(what.model, Shell(Bits(what.model.sites(), 0), what.distance),
                               "swap:engine=bits", beta);
    RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
    std::vector<Bits> starts;
    for (int k = 0; k < 64; ++k) starts.push_back(factory.shell().draw_uniform(draws));
    const auto groups = factory.make_groups(1, starts, 1);
    const std::uint64_t moves = steps / (3 * 64) + 1;
    Spacing spacing(moves);
    double begin = now();
    for (std::uint64_t done = 0; done < moves && begin < deadline;) {
      const std::uint64_t chunk = std::min(moves - done, spacing.moves());
      done += chunk;
      for (const auto& group : groups) group->advance(chunk);
      const double moved = now();
      for (const auto& group : groups)
        for (std::size_t k = 0; k < group->size(); ++k) {
          const ChainView& chain = group->chain(k);
          const Bits bits = chain.bits();
          ++tally.checks;
          if (!factory.shell().contains(bits)) tally.fail(what, "a chain has left its shell");
          tally.worst.energy =
              std::max(tally.worst.energy, difference(chain.energy(), what.model.energy(bits), 1));
        }
      const double checked = now();
      spacing.took(moved - begin, checked - moved);
      begin = checked;
      tally.steps += 64 * chunk;  // tried pairs of sites
    }
  }
  if (tally.worst.energy > most_energy)
    tally.fail({"replicas", test::few_levels_model(), 0, 0}, "the energy drifted");
  return tally;
}

void print(const std::string& kernel, const std::string& engine, const Tally& tally,
           double seconds) {
  std::printf(
      "%-8s %-8s %15llu %10llu %8llu %9.2g %9.2g %9.2g %8.0f%s%s\n", kernel.c_str(), engine.c_str(),
      static_cast<unsigned long long>(tally.steps), static_cast<unsigned long long>(tally.checks),
      static_cast<unsigned long long>(tally.refused), tally.worst.energy, tally.worst.field,
      tally.worst.total, seconds, tally.failure.empty() ? "" : "   ", tally.failure.c_str());
  std::fflush(stdout);
}

/// The steps of each engine over all kernels.
void print_engines(const std::map<std::string, std::uint64_t>& engines) {
  std::printf("steps of each engine:");
  const char* comma = " ";
  for (const auto& [engine, steps] : engines) {
    std::printf("%s%s %.3g", comma, engine.c_str(), static_cast<double>(steps));
    comma = ", ";
  }
  std::printf("\n");
}

int soak_all(std::uint64_t steps, double seconds) {
  const std::vector<Subject> subjects = make_subjects();
  std::printf("%-8s %-8s %15s %10s %8s %9s %9s %9s %8s\n", "kernel", "engine", "steps", "checks",
              "refused", "energy", "fields", "totals", "seconds");
  std::map<std::string, std::uint64_t> kernels;  // of each engine
  for (const Subject& subject : subjects) ++kernels[subject.engine];
  std::mutex mutex;
  Tally all;
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> engines;
  ThreadTeam team(threads_for(0, subjects.size() + 1));
  team.run(subjects.size() + 1, [&](std::size_t k) {
    const double begin = now();
    const bool replicas = k == subjects.size();
    const std::string engine = replicas ? "bits" : subjects[k].engine;
    const std::uint64_t parts = replicas ? 1 : kernels.at(engine);
    const std::uint64_t own = steps / parts + 1;
    const double time = seconds / static_cast<double>(parts);
    const Tally tally = replicas ? soak_replicas(own, time) : soak(subjects[k], own, time);
    const std::lock_guard lock(mutex);
    print(replicas ? "integer" : subjects[k].kernel, engine, tally, now() - begin);
    engines[engine] += tally.steps;
    all.steps += tally.steps;
    all.checks += tally.checks;
    all.worst.take(tally.worst);
    failed += !tally.failure.empty();
  });
  print_engines(engines);
  std::printf(
      "steps soaked %llu, checks %llu, failures %llu, worst drift: energy %.2g, fields %.2g, "
      "totals %.2g\n",
      static_cast<unsigned long long>(all.steps), static_cast<unsigned long long>(all.checks),
      static_cast<unsigned long long>(failed), all.worst.energy, all.worst.field, all.worst.total);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace nhot::soak

int main(int count, char** words) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  const std::int64_t steps = count > 1 ? nhot::parse_integer(words[1]).value_or(0) : 0;
  const bool timed = count > 2 && std::string_view(words[2]) != "inf";
  const double seconds = timed ? nhot::parse_real(words[2]).value_or(0) : endless;
  if (steps < 1 || !(seconds > 0) || count > 3) {
    std::fprintf(stderr, "usage: soak_tool STEPS [SECONDS], for example soak_tool 1e6\n");
    return 2;
  }
  return nhot::soak::soak_all(static_cast<std::uint64_t>(steps), seconds);
}
