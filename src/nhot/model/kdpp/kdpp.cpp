#include "nhot/model/kdpp/kdpp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/model/subset/subset_factor.hpp"
#include "nhot/model/subset/volume.hpp"
#include "nhot/model/value_range.hpp"

namespace nhot {
namespace {

/// Relative to L_ii and L_jj: what rounding may do to a kernel that was computed.
constexpr double tolerance = 1e-9;

std::string entry(Site i, Site j) {
  return "L(" + std::to_string(i) + ", " + std::to_string(j) + ")";
}

[[noreturn]] void never_chosen(Site i, double value) {
  if (value < 0)
    throw InputError(entry(i, i) + " is " + format_real(value) + ", and a kernel has no negative " +
                         "determinants",
                     "give a positive semidefinite matrix, such as B times its transpose");
  throw InputError("item " + std::to_string(i) + " has " + entry(i, i) + " = " +
                       format_real(value) + ": it can never be chosen",
                   "take the item out, or give it a quality above 0");
}

/// log L_ii, and L scaled to a unit diagonal.
std::vector<double> scale_products(std::vector<double>& values, Site items) {
  const auto at = [&](Site i, Site j) -> double& { return values[std::size_t{i} * items + j]; };
  std::vector<double> lengths(items);
  std::vector<double> logs(items);
  for (Site i = 0; i < items; ++i) {
    if (!(at(i, i) >= 1e-300)) never_chosen(i, at(i, i));
    lengths[i] = std::sqrt(at(i, i));
    logs[i] = std::log(at(i, i));
  }
  for (Site i = 0; i < items; ++i) {
    for (Site j = 0; j < i; ++j) {
      const double one = at(i, j) / lengths[i] / lengths[j];
      const double other = at(j, i) / lengths[i] / lengths[j];
      if (!(std::abs(one - other) <= tolerance))
        throw InputError(entry(i, j) + " is " + format_real(at(i, j)) + " and " + entry(j, i) +
                             " is " + format_real(at(j, i)) + ": the kernel is not symmetric",
                         "give L as a symmetric matrix, or the features B of L = B B'");
      const double mean = (one + other) / 2;
      if (!(std::abs(mean) <= 1 + tolerance))
        throw InputError("items " + std::to_string(j) + " and " + std::to_string(i) +
                             " have a negative determinant: " + entry(j, i) + "^2 is above " +
                             entry(j, j) + " " + entry(i, i),
                         "give a positive semidefinite matrix, such as B times its transpose");
      at(i, j) = at(j, i) = std::clamp(mean, -1.0, 1.0);
    }
  }
  return logs;
}

/// log of the squared length of every item, and the coordinates of items of length 1, one after the
/// other.
std::vector<double> scale_features(std::vector<double>& values, Site items, std::size_t features) {
  std::vector<double> logs(items);
  std::vector<double> coordinates(values.size());
  for (Site i = 0; i < items; ++i) {
    const double* const own = values.data() + i * features;
    double largest = 0;
    for (std::size_t f = 0; f < features; ++f) largest = std::max(largest, std::abs(own[f]));
    if (!(largest >= 1e-150)) never_chosen(i, 0);
    double square = 0;
    for (std::size_t f = 0; f < features; ++f) square += (own[f] / largest) * (own[f] / largest);
    const double length = std::sqrt(square);
    for (std::size_t f = 0; f < features; ++f)
      coordinates[f * items + i] = own[f] / largest / length;
    logs[i] = 2 * std::log(largest) + std::log(square);
  }
  values = std::move(coordinates);
  return logs;
}

/// dE of every site: -log of what the flip does to det L_S.
class KDppTable final : public ChangeTable {
 public:
  KDppTable(std::shared_ptr<const Gram> gram, std::span<const double> log_diagonal)
      : factor_(std::move(gram), {}), log_diagonal_(log_diagonal), changes_(log_diagonal.size()) {}

  void set(std::span<const Bit> bits) override {
    factor_.set(bits);
    update();
  }
  void flip(Site i) override {
    factor_.flip(i);
    update();
  }
  std::span<const double> changes() const override { return changes_; }
  double pair_change(Site i, Site j) const override {
    return -(factor_.change(i, j).log_volume + quality(i) + quality(j));
  }
  double change(Site i) const { return -(factor_.change(i).log_volume + quality(i)); }

  void save(ByteWriter& out) const override { factor_.save(out); }
  void restore(ByteReader& in) override {
    factor_.restore(in);
    update();
  }

 private:
  double quality(Site i) const {
    return factor_.contains(i) ? -log_diagonal_[i] : log_diagonal_[i];
  }
  void update() {
    for (Site i = 0; i < changes_.size(); ++i) changes_[i] = change(i);
  }

  SubsetFactor factor_;
  std::span<const double> log_diagonal_;  // of the energy, which outlives its tables
  std::vector<double> changes_;
};

}  // namespace

Site KernelMatrix::items() const {
  if (features > 0) {
    if (values.empty() || values.size() % features != 0)
      throw InputError("a matrix of " + std::to_string(values.size()) + " numbers has no rows of " +
                           std::to_string(features),
                       "give as many features for every item");
    return static_cast<Site>(std::min<std::size_t>(values.size() / features, ~Site{0}));
  }
  const auto items = static_cast<std::size_t>(std::llround(std::sqrt(values.size())));
  if (items == 0 || items * items != values.size())
    throw InputError("a kernel of " + std::to_string(values.size()) + " numbers is not square",
                     "give L as an N x N matrix, or the features B of L = B B'");
  return static_cast<Site>(items);
}

KDpp::KDpp(KernelMatrix kernel) : kernel_(std::move(kernel)) {
  const Site items = kernel_.items();
  const std::size_t row = kernel_.features > 0 ? kernel_.features : items;
  for (std::size_t k = 0; k < kernel_.values.size(); ++k)
    if (!(std::abs(kernel_.values[k]) <= 1e150))
      throw InputError("row " + std::to_string(k / row) + ", column " + std::to_string(k % row) +
                           " of the kernel is " + format_real(kernel_.values[k]),
                       "give finite numbers, at most 1e150");
  std::vector<double> scaled = kernel_.values;
  if (kernel_.features > 0) {
    log_diagonal_ = scale_features(scaled, items, kernel_.features);
    gram_ = std::make_shared<const Gram>(Gram::of_coordinates(items, std::move(scaled)));
  } else {
    log_diagonal_ = scale_products(scaled, items);
    gram_ = std::make_shared<const Gram>(Gram::of_products(items, std::move(scaled)));
  }
}

double KDpp::energy(std::span<const Bit> bits) const {
  double log_det = 0;
  for (Site i = 0; i < sites(); ++i)
    if (bits[i]) log_det += log_diagonal_[i];
  return -(log_det + SubsetVolume(*gram_, bits).log_det());
}

void KDpp::changes(std::span<const Bit> bits, std::span<double> all) const {
  KDppTable table(gram_, log_diagonal_);
  table.set(bits);
  std::ranges::copy(table.changes(), all.begin());
}

std::unique_ptr<ChangeTable> KDpp::make_table() const {
  return std::make_unique<KDppTable>(gram_, log_diagonal_);
}

double KDpp::largest_change() const {
  double largest = 0;
  for (const double log : log_diagonal_) largest = std::max(largest, std::abs(log));
  return largest - std::log(Gram::ridge);
}

void KDpp::add_to(Digest& digest) const {
  digest.add(std::uint64_t{4});
  digest.add(std::uint64_t{kernel_.features});
  for (const double value : kernel_.values) digest.add(value);
}

void KDpp::describe(Facts& facts) const {
  if (kernel_.features > 0) facts.emplace_back("features", std::uint64_t{kernel_.features});
  ValueRange qualities;
  for (const double log : log_diagonal_) qualities.add(std::exp(log));
  add_range(facts, "diagonal", qualities);
}

Model kdpp(std::string name, KernelMatrix kernel) {
  return {std::move(name), std::make_shared<const KDpp>(std::move(kernel))};
}

}  // namespace nhot
