#include <algorithm>
#include <cmath>

#include "nhot/model/describe.hpp"
#include "nhot/model/model_data.hpp"
#include "nhot/model/quadratic.hpp"
#include "nhot/model/value_range.hpp"

namespace nhot {
namespace {

class QuadraticData final : public ModelData {
 public:
  explicit QuadraticData(std::shared_ptr<const QuadraticModel> quadratic)
      : quadratic_(std::move(quadratic)) {}

  std::string kind() const override { return "quadratic"; }
  Site sites() const override { return quadratic_->sites(); }
  double energy(std::span<const Bit> bits) const override { return quadratic_->energy(bits); }
  std::size_t couplings() const override { return quadratic_->couplings(); }
  const FixedPoint& fixed_point() const override { return quadratic_->fixed_point(); }

  std::vector<double> flip_costs(std::span<const Bit> bits) const override {
    const QuadraticModel& model = *quadratic_;
    const bool spin = model.convention() == Convention::spin;
    const auto value = [&](Site i) { return spin ? 2.0 * bits[i] - 1.0 : 1.0 * bits[i]; };
    std::vector<double> costs(model.sites());
    for (Site i = 0; i < model.sites(); ++i) {
      double slope = model.linear().empty() ? 0.0 : model.linear()[i];
      const QuadraticModel::Row row = model.row(i);
      for (std::size_t k = 0; k < row.sites.size(); ++k)
        slope += row.values[k] * value(row.sites[k]);
      const double change = spin ? -2 * value(i) : 1 - 2 * value(i);
      costs[i] = change * slope;
    }
    return costs;
  }

  /// Sum of the absolute values of all terms that a flip changes.
  double largest_change() const override {
    const QuadraticModel& model = *quadratic_;
    const double factor = model.convention() == Convention::spin ? 2 : 1;
    double largest = 0;
    for (Site i = 0; i < model.sites(); ++i) {
      double sum = model.linear().empty() ? 0.0 : factor * std::abs(model.linear()[i]);
      for (const double value : model.row(i).values) sum += factor * std::abs(value);
      largest = std::max(largest, sum);
    }
    return largest;
  }

  double pair_correction(Bits& bits, Site i, Site j) const override {
    const QuadraticModel::Row row = quadratic_->row(i);
    const auto found = std::lower_bound(row.sites.begin(), row.sites.end(), j);
    if (found == row.sites.end() || *found != j) return 0;
    const double sign = bits[i] == bits[j] ? 1.0 : -1.0;  // of the product of the two changes
    return sign * scale() * row.values[static_cast<std::size_t>(found - row.sites.begin())];
  }
  double largest_correction() const override {
    double largest = 0;
    for (Site i = 0; i < quadratic_->sites(); ++i)
      for (const double q : quadratic_->row(i).values)
        largest = std::max(largest, scale() * std::abs(q));
    return largest;
  }
  void visit_pairs(const std::function<void(Site, Site)>& visit) const override {
    for (Site i = 0; i < quadratic_->sites(); ++i)
      for (const Site j : quadratic_->row(i).sites) visit(i, j);
  }

  void add_to(Digest& digest) const override {
    const QuadraticModel& model = *quadratic_;
    digest.add(std::uint64_t{1});
    digest.add(std::uint64_t{model.convention() == Convention::spin});
    digest.add(std::uint64_t{model.sites()});
    digest.add(model.offset());
    for (const double h : model.linear()) digest.add(h);
    for (Site i = 0; i < model.sites(); ++i) {
      const QuadraticModel::Row row = model.row(i);
      for (std::size_t k = 0; k < row.sites.size(); ++k) {
        if (row.sites[k] < i) continue;
        digest.add((std::uint64_t{i} << 32) | row.sites[k]);
        digest.add(row.values[k]);
      }
    }
  }

  void describe(Facts& facts) const override {
    const QuadraticModel& model = *quadratic_;
    ValueRange couplings;
    ValueRange linear;
    std::uint64_t fields = 0;
    std::size_t least = model.row(0).sites.size();
    std::size_t most = least;
    for (Site i = 0; i < model.sites(); ++i) {
      const QuadraticModel::Row row = model.row(i);
      least = std::min(least, row.sites.size());
      most = std::max(most, row.sites.size());
      for (std::size_t k = 0; k < row.sites.size(); ++k)
        if (row.sites[k] > i) couplings.add(row.values[k]);
      linear.add(model.linear()[i]);
      fields += model.linear()[i] != 0 ? 1 : 0;
    }
    facts.emplace_back("convention",
                       std::string(model.convention() == Convention::spin ? "spin" : "binary"));
    facts.emplace_back("offset", model.offset());
    facts.emplace_back("fields", fields);
    if (fields > 0) add_range(facts, "field", linear);
    add_range(facts, "coupling", couplings);
    facts.emplace_back("degree_min", std::uint64_t{least});
    facts.emplace_back("degree_max", std::uint64_t{most});
    facts.emplace_back("degree_mean", 2.0 * static_cast<double>(model.couplings()) / model.sites());
    facts.emplace_back("components", connected_components(*this));
    const EnergyBounds bounds = energy_bounds(model);
    facts.emplace_back("energy_low", bounds.low);
    facts.emplace_back("energy_high", bounds.high);
  }

 private:
  double scale() const { return quadratic_->convention() == Convention::spin ? 4.0 : 1.0; }

  std::shared_ptr<const QuadraticModel> quadratic_;
};

}  // namespace

std::shared_ptr<const ModelData> model_data(std::shared_ptr<const QuadraticModel> quadratic) {
  return std::make_shared<const QuadraticData>(std::move(quadratic));
}

}  // namespace nhot
