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
      use(i, j, framed_coupling(model.convention(), reference[i], reference[j], row.values[k]));
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

bool all_narrow(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), CouplingRows::fits_narrow);
}

/// Between which values a field lies, whichever sites differ.
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
      linear_(framed_linear(*model_, reference)),
      matrix_(full_matrix(*model_, reference)),
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
      by_hidden_(hidden_, visible_, all_narrow(rbm_->weights().weights)),
      by_visible_(visible_, hidden_, by_hidden_.narrow()) {
  const RbmWeights& w = rbm_->weights();
  for (Site v = 0; v < visible_; ++v) linear_[v] = -w.visible_bias[v];
  for (Site h = 0; h < hidden_; ++h) linear_[visible_ + h] = -w.hidden_bias[h];
  for (Site h = 0; h < hidden_; ++h) {
    for (Site v = 0; v < visible_; ++v) {
      const double weight = w.weights[std::size_t{h} * visible_ + v];
      const double framed =
          framed_coupling(Convention::binary, reference[v], reference[visible_ + h], -weight);
      by_hidden_.set(h, v, framed);
      by_visible_.set(v, h, framed);
      // The reference itself acts on both layers.
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
