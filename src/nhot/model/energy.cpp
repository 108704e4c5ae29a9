#include "nhot/model/energy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// States to try an energy on, from nearly empty to nearly full: the same at every call.
class TrialStates {
 public:
  explicit TrialStates(Site sites) : sites_(sites), stream_(make_stream(1, 0, 0, Purpose::start)) {}

  const Bits& next() {
    const std::uint64_t share = 1 + count_++ % 7;  // of ones, in eighths
    bits_.resize(sites_);
    for (Bit& bit : bits_) bit = (stream_() >> 61) < share ? 1 : 0;
    return bits_;
  }
  Site site() { return static_cast<Site>(((stream_() >> 32) * sites_) >> 32); }

 private:
  Site sites_;
  Xoshiro256 stream_;
  std::uint64_t count_ = 0;
  Bits bits_;
};

constexpr int trial_states = 14;
constexpr int trial_sites = 8;
constexpr Site trial_pairs = 32;
/// For differences of energies, relative to the energies.
constexpr double tolerance = 1e-6;

[[noreturn]] void refuse(const std::string& name, const std::string& what,
                         const std::string& hint) {
  throw InputError("the energy of '" + name + "': " + what, hint);
}

void check_touched(const Energy& energy, const std::string& name) {
  const Site sites = energy.sites();
  for (Site i = 0; i < sites; ++i) {
    const auto touched = energy.touched(i);
    if (!touched) continue;
    Site least = 0;
    for (const Site j : *touched) {
      if (j >= sites || j == i || j < least)
        refuse(name, "touched(" + std::to_string(i) + ") holds " + std::to_string(j),
               "give sites below " + std::to_string(sites) +
                   ", in increasing order, without the site itself");
      least = j + 1;
    }
  }
  for (Site i = 0; i < sites; ++i) {
    const auto touched = energy.touched(i);
    if (!touched) continue;
    for (const Site j : *touched) {
      if (!touches(energy, j, i))
        refuse(name,
               "touched(" + std::to_string(i) + ") holds " + std::to_string(j) +
                   " but not the other way round",
               "a site that changes what another costs is changed by it as well");
    }
  }
}

double finite_energy(const Energy& energy, const Bits& bits, const std::string& name) {
  const double value = energy.energy(bits);
  if (!std::isfinite(value))
    refuse(name, "a state has the energy " + format_real(value),
           "give finite numbers; a state that must not occur gets a large one");
  return value;
}

/// Checks on some sites outside touched(i) that flipping i does not change their costs; `bits` are
/// restored.
void check_untouched(const Energy& energy, Bits& bits, Site i, double scale,
                     const std::string& name, TrialStates& states) {
  if (!energy.touched(i)) return;
  std::vector<Site> apart;
  for (Site k = 0; k < std::min<Site>(energy.sites(), trial_pairs); ++k) {
    const Site j = energy.sites() <= trial_pairs ? k : states.site();
    if (i != j && !touches(energy, i, j)) apart.push_back(j);
  }
  std::vector<double> before;
  for (const Site j : apart) before.push_back(energy.change(bits, j));
  bits[i] ^= 1;
  for (std::size_t k = 0; k < apart.size(); ++k) {
    const double after = energy.change(bits, apart[k]);
    const double larger = std::max({scale, std::abs(before[k]), std::abs(after)});
    if (std::isfinite(larger) && std::abs(after - before[k]) > tolerance * larger)
      refuse(name,
             "flipping site " + std::to_string(i) + " changes what site " +
                 std::to_string(apart[k]) + " costs, which touched() does not say",
             "list every site whose change() depends on the flipped one");
  }
  bits[i] ^= 1;
}

/// Whether changes() and change() say the same of some sites, the first and the last among them.
void check_changes(const Energy& energy, const Bits& bits, double scale, const std::string& name) {
  std::vector<double> all(energy.sites());
  energy.changes(bits, all);
  const std::uint64_t last = energy.sites() - std::uint64_t{1};
  const std::uint64_t steps = std::min<std::uint64_t>(last, trial_pairs - 1);
  for (std::uint64_t k = 0; k <= steps; ++k) {
    const Site i = steps > 0 ? static_cast<Site>(k * last / steps) : 0;
    const double one = energy.change(bits, i);
    if (!(std::abs(all[i] - one) <= tolerance * std::max({scale, std::abs(one), std::abs(all[i])})))
      refuse(name,
             "changes() says " + format_real(all[i]) + " of site " + std::to_string(i) +
                 " where change() says " + format_real(one),
             "changes() holds change() of every site");
  }
}

}  // namespace

double Energy::change(std::span<const Bit> bits, Site i) const {
  Bits flipped(bits.begin(), bits.end());
  flipped[i] ^= 1;
  return energy(flipped) - energy(bits);
}

void Energy::changes(std::span<const Bit> bits, std::span<double> all) const {
  for (Site i = 0; i < sites(); ++i) all[i] = change(bits, i);
}

void check_energy(const Energy& energy, const std::string& name) {
  if (energy.sites() == 0) refuse(name, "it has no sites", "give sites() above 0");
  check_touched(energy, name);
  TrialStates states(energy.sites());
  for (int s = 0; s < trial_states; ++s) {
    Bits bits = states.next();
    const double before = finite_energy(energy, bits, name);
    if (s % 7 == 3) check_changes(energy, bits, std::abs(before), name);  // half of them ones
    for (int k = 0; k < trial_sites; ++k) {
      const Site i = states.site();
      const double change = energy.change(bits, i);
      bits[i] ^= 1;
      const double after = finite_energy(energy, bits, name);
      bits[i] ^= 1;
      const double scale = std::max({std::abs(before), std::abs(after), std::abs(change)});
      if (!(std::abs(after - before - change) <= tolerance * scale))
        refuse(name,
               "change() of site " + std::to_string(i) + " is " + format_real(change) +
                   " where the energies differ by " + format_real(after - before),
               "change() is the energy after the flip minus the energy before");
      if (s % 3 == 0) check_untouched(energy, bits, i, scale, name, states);
    }
  }
}

double largest_change(const Energy& energy) {
  TrialStates states(energy.sites());
  double largest = 0;
  for (int s = 0; s < trial_states; ++s) {
    const Bits& bits = states.next();
    for (int k = 0; k < trial_sites; ++k)
      largest = std::max(largest, std::abs(energy.change(bits, states.site())));
  }
  return largest;
}

bool touches(const Energy& energy, Site i, Site j) {
  const auto touched = energy.touched(i);
  return !touched || std::binary_search(touched->begin(), touched->end(), j);
}

std::size_t touching_pairs(const Energy& energy) {
  const std::size_t sites = energy.sites();
  std::size_t ends = 0;
  for (Site i = 0; i < energy.sites(); ++i) {
    const auto touched = energy.touched(i);
    ends += touched ? touched->size() : sites - 1;
  }
  return ends / 2;
}

std::uint64_t fingerprint(const Energy& energy) {
  TrialStates states(energy.sites());
  std::uint64_t digest = energy.sites();
  for (int s = 0; s < 4 * trial_states; ++s) {
    const double value = energy.energy(states.next());
    digest = std::rotl(digest, 23) ^ std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    digest *= 0x9fb21c651e98df25ULL;
    digest ^= digest >> 31;
  }
  return digest;
}

}  // namespace nhot
