#include <algorithm>
#include <cmath>

#include "nhot/model/model_data.hpp"
#include "nhot/model/rbm.hpp"
#include "nhot/model/value_range.hpp"

namespace nhot {
namespace {

class RbmData final : public ModelData {
 public:
  explicit RbmData(std::shared_ptr<const Rbm> rbm) : rbm_(std::move(rbm)) {}

  std::string kind() const override { return "rbm"; }
  Site sites() const override { return rbm_->sites(); }
  double energy(std::span<const Bit> bits) const override { return rbm_->energy(bits); }
  std::size_t couplings() const override { return rbm_->couplings(); }
  const FixedPoint& fixed_point() const override { return rbm_->fixed_point(); }

  std::vector<double> flip_costs(std::span<const Bit> bits) const override {
    const Rbm& rbm = *rbm_;
    const RbmWeights& w = rbm.weights();
    std::vector<double> slopes(rbm.sites());
    for (Site v = 0; v < w.visible; ++v) slopes[v] = -w.visible_bias[v];
    for (Site h = 0; h < w.hidden; ++h) {
      const double* row = w.weights.data() + std::size_t{h} * w.visible;
      double field = w.hidden_bias[h];
      for (Site v = 0; v < w.visible; ++v) {
        if (bits[v]) field += row[v];
        if (bits[w.visible + h]) slopes[v] -= row[v];
      }
      slopes[w.visible + h] = -field;
    }
    for (Site i = 0; i < rbm.sites(); ++i)
      if (bits[i]) slopes[i] = -slopes[i];
    return slopes;
  }

  /// Sum of the absolute values of all terms that a flip changes.
  double largest_change() const override {
    const RbmWeights& w = rbm_->weights();
    std::vector<double> sums(rbm_->sites());
    for (Site v = 0; v < w.visible; ++v) sums[v] = std::abs(w.visible_bias[v]);
    for (Site h = 0; h < w.hidden; ++h) {
      sums[w.visible + h] += std::abs(w.hidden_bias[h]);
      for (Site v = 0; v < w.visible; ++v) {
        const double size = std::abs(w.weights[std::size_t{h} * w.visible + v]);
        sums[v] += size;
        sums[w.visible + h] += size;
      }
    }
    return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
  }

  double pair_correction(Bits& bits, Site i, Site j) const override {
    const Site visible = rbm_->visible();
    if ((i < visible) == (j < visible)) return 0;
    const Site h = std::max(i, j) - visible;
    const double weight = rbm_->weights().weights[std::size_t{h} * visible + std::min(i, j)];
    return bits[i] == bits[j] ? -weight : weight;
  }
  double largest_correction() const override {
    double largest = 0;
    for (const double w : rbm_->weights().weights) largest = std::max(largest, std::abs(w));
    return largest;
  }
  void visit_pairs(const std::function<void(Site, Site)>& visit) const override {
    for (Site h = 0; h < rbm_->hidden(); ++h)
      for (Site v = 0; v < rbm_->visible(); ++v) visit(v, rbm_->visible() + h);
  }

  void add_to(Digest& digest) const override {
    const Rbm& rbm = *rbm_;
    digest.add(std::uint64_t{2});
    digest.add(std::uint64_t{rbm.visible()});
    digest.add(std::uint64_t{rbm.hidden()});
    for (const double w : rbm.weights().weights) digest.add(w);
    for (const double b : rbm.weights().hidden_bias) digest.add(b);
    for (const double c : rbm.weights().visible_bias) digest.add(c);
  }

  void describe(Facts& facts) const override {
    const Rbm& rbm = *rbm_;
    const RbmWeights& w = rbm.weights();
    facts.emplace_back("visible", std::uint64_t{w.visible});
    facts.emplace_back("hidden", std::uint64_t{w.hidden});
    facts.emplace_back("convention", std::string("binary"));
    ValueRange weights, hidden, visible;
    BoundsSum bounds(false);
    for (const double value : w.weights) {
      weights.add(value);
      bounds.add_term(-value);
    }
    for (const double value : w.hidden_bias) {
      hidden.add(value);
      bounds.add_term(-value);
    }
    for (const double value : w.visible_bias) {
      visible.add(value);
      bounds.add_term(-value);
    }
    add_range(facts, "weight", weights);
    add_range(facts, "hidden_bias", hidden);
    add_range(facts, "visible_bias", visible);
    facts.emplace_back("energy_low", bounds.bounds().low);
    facts.emplace_back("energy_high", bounds.bounds().high);
  }

 private:
  std::shared_ptr<const Rbm> rbm_;
};

}  // namespace

std::shared_ptr<const ModelData> model_data(std::shared_ptr<const Rbm> rbm) {
  return std::make_shared<const RbmData>(std::move(rbm));
}

}  // namespace nhot
