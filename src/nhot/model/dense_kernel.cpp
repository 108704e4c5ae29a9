#include "nhot/model/dense_kernel.hpp"

namespace nhot {

DenseKernel::DenseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference)
    : model_(std::move(model)), linear_(framed_linear(*model_, reference)) {
  matrix_.resize(std::size_t{sites()} * sites());
  for (Site i = 0; i < sites(); ++i) {
    const QuadraticModel::Row row = model_->row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const Site j = row.sites[k];
      matrix_[std::size_t{i} * sites() + j] =
          framed_coupling(model_->convention(), reference[i], reference[j], row.values[k]);
    }
  }
}

void DenseKernel::compute_fields(const Bits& u, std::vector<double>& fields) const {
  fields = linear_;
  for (Site i = 0; i < sites(); ++i)
    if (u[i]) apply_flip(i, 1, fields);
}

RbmKernel::RbmKernel(std::shared_ptr<const Rbm> rbm, const Bits& reference)
    : rbm_(std::move(rbm)), visible_(rbm_->visible()), hidden_(rbm_->hidden()) {
  const RbmWeights& w = rbm_->weights();
  linear_.resize(sites());
  by_hidden_.resize(w.weights.size());
  by_visible_.resize(w.weights.size());
  for (Site v = 0; v < visible_; ++v) linear_[v] = -w.visible_bias[v];
  for (Site h = 0; h < hidden_; ++h) linear_[visible_ + h] = -w.hidden_bias[h];
  for (Site h = 0; h < hidden_; ++h) {
    for (Site v = 0; v < visible_; ++v) {
      const double weight = w.weights[std::size_t{h} * visible_ + v];
      const double framed =
          framed_coupling(Convention::binary, reference[v], reference[visible_ + h], -weight);
      by_hidden_[std::size_t{h} * visible_ + v] = framed;
      by_visible_[std::size_t{v} * hidden_ + h] = framed;
      // The reference itself acts on both layers.
      if (reference[visible_ + h]) linear_[v] -= weight;
      if (reference[v]) linear_[visible_ + h] -= weight;
    }
  }
  for (Site i = 0; i < sites(); ++i)
    if (reference[i]) linear_[i] = -linear_[i];
}

void RbmKernel::compute_fields(const Bits& u, std::vector<double>& fields) const {
  fields = linear_;
  for (Site i = 0; i < sites(); ++i)
    if (u[i]) apply_flip(i, 1, fields);
}

}  // namespace nhot
