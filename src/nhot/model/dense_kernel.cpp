#include "nhot/model/dense_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {
namespace {

/// use(i, j, coupling) for every coupling, from both ends.
template <class Use>
void for_each_coupling(const QuadraticModel& model, const Bits& reference, Use&& use) {
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const Site j = row.sites[k];
      use(i, j,
          model.fixed_point().field(
              framed_coupling(model, reference[i], reference[j], row.values[k])));
    }
  }
}

CouplingRows full_matrix(const QuadraticModel& model, const Bits& reference) {
  bool narrow = true;
  for_each_coupling(model, reference, [&](Site, Site, double value) {
    narrow = narrow && CouplingRows::fits_narrow(value);
  });
  CouplingRows matrix(model.sites(), model.sites(), narrow);
  for_each_coupling(model, reference,
                    [&](Site i, Site j, double value) { matrix.set(i, j, value); });
  return matrix;
}

bool all_narrow(const Rbm& rbm) {
  const std::vector<double>& weights = rbm.weights().weights;
  return std::all_of(weights.begin(), weights.end(), [&](double weight) {
    return CouplingRows::fits_narrow(rbm.fixed_point().rounded(weight));
  });
}

std::vector<double> as_fields(const FixedPoint& fixed_point,
                              const std::vector<std::int64_t>& units) {
  std::vector<double> fields;
  fields.reserve(units.size());
  for (const std::int64_t u : units) fields.push_back(fixed_point.field(u));
  return fields;
}

/// Range of a field over all states.
class FieldRange {
 public:
  explicit FieldRange(double linear) : lowest_(linear), highest_(linear) {}

  void add(double coupling) { (coupling < 0 ? lowest_ : highest_) += coupling; }
  double bound() const { return std::max(-lowest_, highest_); }

 private:
  double lowest_;
  double highest_;
};

}  // namespace

DenseKernel::DenseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference)
    : model_(std::move(model)),
      linear_(as_fields(model_->fixed_point(), framed_linear(*model_, reference))),
      matrix_(full_matrix(*model_, reference)),
      energies_(model_->offset(), model_->fixed_point(), model_->energy_units(reference), 1,
                model_->fixed_point().steps_per_unit()),
      field_bound_(0) {
  for (Site i = 0; i < sites(); ++i) {
    FieldRange range(linear_[i]);
    for (Site j = 0; j < sites(); ++j) range.add(matrix_(i, j));
    field_bound_ = std::max(field_bound_, range.bound());
  }
}

RbmKernel::RbmKernel(std::shared_ptr<const Rbm> rbm, const Bits& reference)
    : rbm_(std::move(rbm)),
      visible_(rbm_->visible()),
      hidden_(rbm_->hidden()),
      linear_(sites()),
      by_hidden_(hidden_, visible_, all_narrow(*rbm_)),
      by_visible_(visible_, hidden_, by_hidden_.narrow()),
      energies_(0, rbm_->fixed_point(), rbm_->energy_units(reference), 1,
                rbm_->fixed_point().steps_per_unit()) {
  const RbmWeights& w = rbm_->weights();
  const auto rounded = [&](double value) { return rbm_->fixed_point().rounded(value); };
  for (Site v = 0; v < visible_; ++v) linear_[v] = -rounded(w.visible_bias[v]);
  for (Site h = 0; h < hidden_; ++h) linear_[visible_ + h] = -rounded(w.hidden_bias[h]);
  for (Site h = 0; h < hidden_; ++h) {
    for (Site v = 0; v < visible_; ++v) {
      const double weight = rounded(w.weights[std::size_t{h} * visible_ + v]);
      const double framed = reference[v] == reference[visible_ + h] ? -weight : weight;
      by_hidden_.set(h, v, framed);
      by_visible_.set(v, h, framed);
      // The field of the reference, from either layer on the other.
      if (reference[visible_ + h]) linear_[v] -= weight;
      if (reference[v]) linear_[visible_ + h] -= weight;
    }
  }
  for (Site i = 0; i < sites(); ++i) {
    if (reference[i]) linear_[i] = -linear_[i];
    FieldRange range(linear_[i]);
    for (std::size_t k = 0; k < degree(i); ++k) range.add(neighbour_coupling(i, k));
    field_bound_ = std::max(field_bound_, range.bound());
  }
}

}  // namespace nhot
