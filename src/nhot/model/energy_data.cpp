#include <algorithm>
#include <limits>

#include "nhot/model/energy.hpp"
#include "nhot/model/known_energy.hpp"
#include "nhot/model/model_data.hpp"

namespace nhot {
namespace {

/// An energy given as code, taken as it is, or one of the library's own.
class EnergyData final : public ModelData {
 public:
  explicit EnergyData(std::shared_ptr<const Energy> energy)
      : energy_(std::move(energy)), known_(dynamic_cast<const KnownEnergy*>(energy_.get())) {}

  std::string kind() const override { return known_ ? known_->kind() : "custom"; }
  Site sites() const override { return energy_->sites(); }
  double energy(std::span<const Bit> bits) const override { return energy_->energy(bits); }
  std::size_t couplings() const override { return touching_pairs(*energy_); }
  const FixedPoint& fixed_point() const override {
    static const FixedPoint none;
    return none;
  }

  std::vector<double> flip_costs(std::span<const Bit> bits) const override {
    std::vector<double> costs(sites());
    energy_->changes(bits, costs);
    return costs;
  }
  double largest_change() const override {
    return known_ ? known_->largest_change() : nhot::largest_change(*energy_);
  }

  double pair_correction(Bits& bits, Site i, Site j) const override {
    if (!touches(*energy_, i, j)) return 0;
    const double alone = energy_->change(bits, j);
    bits[i] ^= 1;
    const double after = energy_->change(bits, j);
    bits[i] ^= 1;
    return after - alone;
  }
  double largest_correction() const override { return std::numeric_limits<double>::infinity(); }
  void visit_pairs(const std::function<void(Site, Site)>& visit) const override {
    for (Site i = 0; i < sites(); ++i) {
      const auto touched = energy_->touched(i);
      if (!touched && i > 0) visit(i - 1, i);
      if (touched)
        for (const Site j : *touched) visit(i, j);
    }
  }

  void add_to(Digest& digest) const override {
    if (known_) return known_->add_to(digest);
    digest.add(std::uint64_t{3});
    digest.add(fingerprint(*energy_));
  }
  void describe(Facts& facts) const override {
    if (known_) known_->describe(facts);
  }

 private:
  std::shared_ptr<const Energy> energy_;
  const KnownEnergy* known_;  // the same, where it is one of the library's own
};

}  // namespace

std::shared_ptr<const ModelData> model_data(std::shared_ptr<const Energy> energy) {
  return std::make_shared<const EnergyData>(std::move(energy));
}

}  // namespace nhot
