#include "nhot/chain/replicas/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

/// Degrees with a loop of their own.
constexpr bool has_unit_loop(std::size_t degree) { return degree == 4 || degree == 6; }

}  // namespace

ReplicaModel::ReplicaModel(const SparseKernel<std::int32_t>& kernel, const Shell& shell)
    : sites_(kernel.sites()), quantum_(kernel.quantum()) {
  std::size_t entries = 0;
  for (Site i = 0; i < sites_; ++i) entries += kernel.degree(i);
  if (sites_ > (Site{1} << 30) || entries >= (std::size_t{1} << 32))
    throw InputError("engine bits numbers sites and couplings in 32 bits, and this model has more",
                     "use {move swap}");
  find_units(kernel);
  find_levels();
  find_degree();
  energies_ = kernel.energies();
  find_energy_parts(kernel, shell.distance());
}

ReplicaTerms ReplicaModel::terms() const {
  ReplicaTerms terms;
  terms.sites = sites_;
  terms.levels = levels_;
  terms.row_begin = row_begin_.data();
  terms.couplings = couplings_.data();
  terms.doubled_field = doubled_field_.data();
  terms.degree = degree_;
  terms.neighbours = neighbours_.data();
  terms.negative = negative_.data();
  terms.one_sign = one_sign_;
  terms.all_negative = all_negative_;
  return terms;
}

/// Divides couplings and fields by what they have in common, as long as dE stays whole.
void ReplicaModel::find_units(const SparseKernel<std::int32_t>& kernel) {
  std::vector<std::int64_t> doubled(sites_);
  std::vector<std::int64_t> strength(sites_, 0);  // sum of |Q_ik|
  row_begin_.assign(sites_ + std::size_t{1}, 0);
  std::int64_t common = 0;
  for (Site i = 0; i < sites_; ++i) {
    doubled[i] = 2 * std::int64_t{kernel.linear(i)};
    for (std::size_t k = 0; k < kernel.degree(i); ++k) {
      const std::int32_t weight = kernel.neighbour_coupling(i, k);
      couplings_.push_back({kernel.neighbour(i, k), weight});
      doubled[i] += weight;
      strength[i] += std::abs(std::int64_t{weight});
      common = std::gcd(common, std::int64_t{weight});
    }
    row_begin_[i + std::size_t{1}] = static_cast<std::uint32_t>(couplings_.size());
  }
  const std::int64_t first = sites_ > 0 ? doubled[0] : 0;
  for (std::int64_t& field : doubled) {
    field -= first;
    common = std::gcd(common, field);
  }
  if (common == 0) common = 1;  // every state has the same energy
  // 2 dE = 2 N - C - |R|: even in units when C + R has the same parity for every pair.
  const auto odd = [&](Site i) { return ((strength[i] + doubled[i]) / common) % 2 != 0; };
  for (Site i = 1; i < sites_; ++i)
    if (odd(i) != odd(0)) {
      common /= 2;
      break;
    }
  unit_ = quantum_ * static_cast<double>(common);
  for (ReplicaCoupling& c : couplings_) c.weight = static_cast<std::int32_t>(c.weight / common);
  for (const std::int64_t field : doubled) {
    // Larger values are refused with the levels; here they only have to stay what they are: large.
    constexpr std::int64_t far = 1 << 20;
    doubled_field_.push_back(static_cast<std::int32_t>(std::clamp(field / common, -far, far)));
  }
}

void ReplicaModel::find_levels() {
  std::int64_t first = 0;  // the two largest sums of |Q_ik|
  std::int64_t second = 0;
  std::int64_t largest = 0;
  for (Site i = 0; i < sites_; ++i) {
    std::int64_t sum = 0;
    for (std::uint32_t k = row_begin_[i]; k < row_begin_[i + std::size_t{1}]; ++k) {
      const std::int64_t weight = std::abs(std::int64_t{couplings_[k].weight});
      sum += weight;
      largest = std::max(largest, weight);
    }
    second = std::max(second, std::min(first, sum));
    first = std::max(first, sum);
  }
  std::int64_t span = 0;
  if (sites_ > 0) {
    const auto [low, high] = std::minmax_element(doubled_field_.begin(), doubled_field_.end());
    span = std::int64_t{*high} - *low;
  }
  // A coupled pair leaves out its own coupling, which the sums hold twice.
  const std::int64_t levels = (first + second + span + 1) / 2 + largest;
  if (levels > max_replica_levels)
    throw InputError("engine bits needs few values of dE: exchanges in this model can cost up to " +
                         std::to_string(levels) + " quanta, and at most " +
                         std::to_string(max_replica_levels) + " fit",
                     "use {move swap}, which has no such limit");
  levels_ = static_cast<unsigned>(levels);
}

void ReplicaModel::find_degree() {
  if (sites_ == 0) return;
  const std::size_t degree = row_begin_[1];
  if (!has_unit_loop(degree)) return;
  for (Site i = 0; i < sites_; ++i)
    if (row_begin_[i + std::size_t{1}] - row_begin_[i] != degree || doubled_field_[i] != 0) return;
  for (const ReplicaCoupling& c : couplings_)
    if (std::abs(c.weight) != 1) return;
  degree_ = static_cast<unsigned>(degree);
  all_negative_ = couplings_.front().weight < 0;
  one_sign_ = std::all_of(couplings_.begin(), couplings_.end(), [&](const ReplicaCoupling& c) {
    return (c.weight < 0) == all_negative_;
  });
  for (const ReplicaCoupling& c : couplings_) {
    neighbours_.push_back(c.site);
    if (!one_sign_) negative_.push_back(c.weight < 0 ? ~std::uint64_t{0} : 0);
  }
}

/// In quanta of the kernel. What all sites have in common needs no counting: n of them differ.
void ReplicaModel::find_energy_parts(const SparseKernel<std::int32_t>& kernel, Site distance) {
  std::map<std::int64_t, EnergyPart> parts;
  const auto add = [&](std::int64_t weight, Site i, Site j) {
    for (unsigned bit = 0; (std::abs(weight) >> bit) != 0; ++bit) {
      if (((std::abs(weight) >> bit) & 1) == 0) continue;
      const std::int64_t power = (weight < 0 ? -1 : 1) * (std::int64_t{1} << bit);
      EnergyPart& part = parts[power];
      part.weight = power;
      part.pairs.push_back({i, j});
    }
  };
  const std::int64_t shared = sites_ > 0 ? kernel.linear(0) : 0;
  units_at_distance_ = shared * std::int64_t{distance};
  for (Site i = 0; i < sites_; ++i) {
    add(kernel.linear(i) - shared, i, i);
    for (std::size_t k = 0; k < kernel.degree(i); ++k)
      if (kernel.neighbour(i, k) > i)
        add(kernel.neighbour_coupling(i, k), i, kernel.neighbour(i, k));
  }
  for (auto& [weight, part] : parts) parts_.push_back(std::move(part));
}

}  // namespace nhot
