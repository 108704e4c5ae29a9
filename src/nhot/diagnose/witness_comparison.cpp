#include "nhot/diagnose/witness_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/contracts.hpp"
#include "nhot/diagnose/f_distribution.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/diagnose/overlap_matrix.hpp"
#include "nhot/diagnose/say.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr int simulated = 9999;  // bootstrap differences
constexpr std::size_t most_overlapped = 1536;
constexpr double most_words = 1 << 27;     // pairs of states times words of packed bits
constexpr double least_difference = 0.02;  // of a site's means, to matter

/// The parts of a difference of two means: weights, which add up to 1 for the populations and to -1
/// for the half-chains, and 1 / sqrt(1 - |weight|), which corrects the variance of deviations.
struct Parts {
  std::vector<double> weight;
  std::vector<double> scale;
  std::size_t populations = 0;
  double freedom = 1;  // of the estimate of the variance

  std::size_t size() const { return weight.size(); }
};

Parts parts_of(const std::vector<double>& population_weights, std::size_t halves) {
  Parts parts;
  parts.populations = population_weights.size();
  double squares = 0;
  for (const double w : population_weights) {
    parts.weight.push_back(w);
    parts.scale.push_back(1 / std::sqrt(std::max(1e-9, 1 - w)));
    squares += w * w;
  }
  parts.freedom = std::max(1.0, 1 / squares - 1);
  const auto count = static_cast<double>(halves);
  for (std::size_t g = 0; g < halves; ++g) {
    parts.weight.push_back(-1 / count);
    parts.scale.push_back(1 / std::sqrt(1 - 1 / count));
  }
  return parts;
}

/// Coefficients c of sum c_i v_i = sum weight_i factor_i scale_i (v_i - mean of v over its kind).
std::vector<double> deviation(const Parts& parts, const std::vector<double>& factors) {
  std::vector<double> coefficient(parts.size());
  const auto fill = [&](std::size_t begin, std::size_t end, double sign) {
    double mean = 0;
    for (std::size_t i = begin; i < end; ++i)
      mean += sign * parts.weight[i] * factors[i] * parts.scale[i];
    for (std::size_t i = begin; i < end; ++i)
      coefficient[i] = parts.weight[i] * (factors[i] * parts.scale[i] - mean);
  };
  fill(0, parts.populations, 1);
  fill(parts.populations, parts.size(), -1);
  return coefficient;
}

/// |sum of coefficient times part|^2, from the inner products of the parts.
double square(const std::vector<double>& products, const std::vector<double>& coefficient) {
  const std::size_t n = coefficient.size();
  double sum = 0;
  for (std::size_t a = 0; a < n; ++a) {
    double row = 0;
    for (std::size_t b = 0; b < n; ++b) row += products[a * n + b] * coefficient[b];
    sum += row * coefficient[a];
  }
  return sum;
}

/// Bootstrap p-value of the difference.
double chance(const Parts& parts, const std::vector<double>& products) {
  double size = 0;
  for (std::size_t a = 0; a < parts.size(); ++a) size += std::abs(products[a * parts.size() + a]);
  const double found = square(products, parts.weight);
  if (!(found > 1e-12 * size)) return 1;
  Xoshiro256 engine = make_stream(0, 1, 0, Purpose::arrangements);
  NormalSource normal(engine);
  const auto freedom = static_cast<int>(std::lround(parts.freedom));
  int as_large = 1;
  std::vector<double> factors(parts.size());
  for (int k = 0; k < simulated; ++k) {
    for (double& factor : factors) factor = normal();
    double chi = 0;
    for (int f = 0; f < freedom; ++f) {
      const double x = normal();
      chi += x * x;
    }
    const double scale = static_cast<double>(freedom) / std::max(chi, 1e-300);
    as_large += scale * square(products, deviation(parts, factors)) >= found ? 1 : 0;
  }
  return static_cast<double>(as_large) / static_cast<double>(simulated + 1);
}

/// Standard error of one mean, from its parts.
double error_of(const Parts& parts, std::span<const double> values, std::size_t begin,
                std::size_t end, double mean) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double d = parts.weight[i] * parts.scale[i] * (values[i] - mean);
    sum += d * d;
  }
  return std::sqrt(sum);
}

void compare_energies(const Parts& parts, const ChainsView& energies,
                      const std::vector<WitnessPopulation>& witness, WitnessComparison& result) {
  std::vector<double> values;
  for (const WitnessPopulation& population : witness) values.push_back(population.energy);
  for (const ChainsView::Chain chain : energies) {
    values.push_back(mean(chain.first(chain.size() / 2)));
    values.push_back(mean(chain.last(chain.size() / 2)));
  }
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i)
    (i < parts.populations ? result.energy : result.chains_energy) +=
        std::abs(parts.weight[i]) * values[i];
  result.energy_error = error_of(parts, values, 0, parts.populations, result.energy);
  result.chains_energy_error = error_of(parts, values, parts.populations, n, result.chains_energy);
  std::vector<double> products(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      products[a * n + b] = (values[a] - result.energy) * (values[b] - result.energy);
  result.energy_probability = chance(parts, products);
}

/// The states of the parts, thinned to what the overlap matrix can take.
std::vector<std::vector<const PackedBits*>> choose(
    const std::vector<std::vector<const PackedBits*>>& parts, std::size_t most) {
  std::vector<std::vector<const PackedBits*>> chosen(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t count = std::min(parts[p].size(), most);
    for (std::size_t k = 0; k < count; ++k)
      chosen[p].push_back(parts[p][(2 * k + 1) * parts[p].size() / (2 * count)]);
  }
  return chosen;
}

void compare_overlaps(const Parts& parts, const std::vector<std::vector<const PackedBits*>>& states,
                      WitnessComparison& result) {
  const double words = static_cast<double>((states.front().front()->size() + 63) / 64);
  const auto by_work = static_cast<std::size_t>(std::sqrt(2 * most_words / words));
  const std::size_t most =
      std::max<std::size_t>(2, std::min(most_overlapped, by_work) / states.size());
  const auto chosen = choose(states, most);
  std::vector<const PackedBits*> all;
  std::vector<std::size_t> first;
  for (const auto& part : chosen) {
    first.push_back(all.size());
    all.insert(all.end(), part.begin(), part.end());
  }
  first.push_back(all.size());
  const OverlapMatrix overlaps(all);
  const std::size_t n = parts.size();
  std::vector<double> means(n * n);
  std::vector<double> squares(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double sum = 0;
      double square_sum = 0;
      for (std::size_t s = first[a]; s < first[a + 1]; ++s)
        for (std::size_t t = first[b]; t < first[b + 1]; ++t) {
          const double c = overlaps(s, t);
          sum += c;
          square_sum += c * c;
        }
      const auto pairs = static_cast<double>((first[a + 1] - first[a]) * (first[b + 1] - first[b]));
      means[a * n + b] = sum / pairs;
      squares[a * n + b] = square_sum / pairs;
    }
  result.sites_probability = chance(parts, means);
  result.covariance_probability = chance(parts, squares);
}

void compare_sites(const Parts& parts, const std::vector<std::vector<const PackedBits*>>& states,
                   WitnessComparison& result) {
  const std::size_t sites = states.front().front()->size();
  double worst = 0;
  std::vector<double> values(parts.size());
  std::vector<std::uint32_t> ones(parts.size() * counted_sites);
  for (std::size_t i = 0; i < sites; ++i) {
    const std::size_t k = i % counted_sites;
    for (std::size_t p = 0; k == 0 && p < parts.size(); ++p)
      count_sites(states[p], i, std::min(counted_sites, sites - i),
                  ones.data() + p * counted_sites);
    double populations = 0;
    double chains = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      values[p] = ones[p * counted_sites + k] / static_cast<double>(states[p].size());
      (p < parts.populations ? populations : chains) += std::abs(parts.weight[p]) * values[p];
    }
    const double difference = std::abs(populations - chains);
    if (difference < least_difference) continue;
    // The error of a site that never varies among few members is up to one of them.
    const double floor = 1.0 / static_cast<double>(result.populations * result.members);
    const double error =
        std::hypot(error_of(parts, values, 0, parts.populations, populations),
                   error_of(parts, values, parts.populations, parts.size(), chains), floor);
    if (const double z = difference / error; z > worst) {
      worst = z;
      result.worst_site = {static_cast<Site>(i), chains, populations, 1};
    }
  }
  if (worst > 0)
    result.worst_site.probability =
        std::min(1.0, f_tail(worst * worst, 1, parts.freedom) * static_cast<double>(sites));
}

}  // namespace

WitnessComparison compare_with_witness(const std::vector<std::vector<PackedBits>>& states,
                                       const ChainsView& energies,
                                       const std::vector<WitnessPopulation>& witness) {
  WitnessComparison result;
  if (witness.size() < 2 || states.empty() || states.front().size() < 2) return result;
  NHOT_EXPECTS(energies.chains() == states.size());
  result.populations = witness.size();
  result.members = witness.front().states.size();
  double largest = witness.front().log_weight;
  for (const WitnessPopulation& population : witness)
    largest = std::max(largest, population.log_weight);
  std::vector<double> weights;
  double sum = 0;
  for (const WitnessPopulation& population : witness)
    sum += weights.emplace_back(std::exp(population.log_weight - largest));
  double squares = 0;
  for (double& weight : weights) {
    weight /= sum;
    squares += weight * weight;
  }
  result.effective = 1 / squares;
  const Parts parts = parts_of(weights, 2 * states.size());
  compare_energies(parts, energies, witness, result);

  std::vector<std::vector<const PackedBits*>> of_parts;
  for (const WitnessPopulation& population : witness) {
    of_parts.emplace_back();
    for (const PackedBits& bits : population.states) of_parts.back().push_back(&bits);
  }
  for (const std::vector<PackedBits>& own : states) {
    const std::size_t half = own.size() / 2;
    for (const std::size_t begin : {own.size() - 2 * half, own.size() - half}) {
      of_parts.emplace_back();
      for (std::size_t s = begin; s < begin + half; ++s) of_parts.back().push_back(&own[s]);
    }
  }
  compare_overlaps(parts, of_parts, result);
  compare_sites(parts, of_parts, result);
  return result;
}

WitnessFinding judge_witness(const WitnessComparison& c, double probability) {
  if (c.populations == 0) return {};
  const std::string who =
      say("%zu populations of %zu states, cooled from beta = 0", c.populations, c.members);
  if (c.effective < fewest_effective_populations)
    return {false, say("The second witness is undecided: %s, differ so much in weight that only "
                       "%.1f of them count.",
                       who.c_str(), c.effective)};
  const std::string energies =
      say("mean energy %.6g +- %.2g, of the chains %.6g +- %.2g", c.energy + 0.0, c.energy_error,
          c.chains_energy + 0.0, c.chains_energy_error);
  std::string differences;
  const auto note = [&](const std::string& what, double chance) {
    if (chance >= probability) return;
    differences += (differences.empty() ? "" : "; ") + what + say(" (probability %.1g)", chance);
  };
  note(energies, c.energy_probability);
  note("the means of the sites", c.sites_probability);
  note("how pairs of sites go together", c.covariance_probability);
  note(say("site %u has mean %.3f, in the chains %.3f", c.worst_site.site, c.worst_site.populations,
           c.worst_site.chains),
       c.worst_site.probability);
  if (!differences.empty())
    return {false, "The second witness disagrees: " + who +
                       ", differ from the chains: " + differences + "."};
  return {true, "A second witness agrees: " + who + ", have " + energies + "."};
}

}  // namespace nhot
