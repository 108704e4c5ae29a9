#include "nhot/model/subset/gram.hpp"

#include <algorithm>
#include <utility>

#include "nhot/base/contracts.hpp"

namespace nhot {

Gram Gram::of_products(Site size, std::vector<double> products) {
  NHOT_EXPECTS(products.size() == std::size_t{size} * size);
  Gram gram;
  gram.size_ = size;
  gram.products_ = std::move(products);
  for (Site i = 0; i < size; ++i) gram.products_[std::size_t{i} * size + i] = 1 + ridge;
  return gram;
}

Gram Gram::of_coordinates(Site size, std::vector<double> coordinates) {
  NHOT_EXPECTS(size > 0 && coordinates.size() % size == 0);
  Gram gram;
  gram.size_ = size;
  gram.coordinates_ = std::move(coordinates);
  if (size > most_kept) return gram;
  std::vector<double> products(std::size_t{size} * size);
  for (Site i = 0; i < size; ++i) {
    const std::span<double> row(products.data() + std::size_t{i} * size, size);
    gram.row(i, row);
  }
  gram.products_ = std::move(products);
  return gram;
}

double Gram::operator()(Site i, Site j) const {
  if (!products_.empty()) return products_[std::size_t{i} * size_ + j];
  if (i == j) return 1 + ridge;
  double sum = 0;  // in the order of row(), and equal to it
  for (std::size_t at = 0; at < coordinates_.size(); at += size_)
    sum += coordinates_[at + i] * coordinates_[at + j];
  return sum;
}

void Gram::row(Site i, std::span<double> out) const {
  if (!products_.empty()) {
    const double* const from = products_.data() + std::size_t{i} * size_;
    std::copy(from, from + size_, out.begin());
    return;
  }
  std::fill(out.begin(), out.begin() + size_, 0.0);
  double* const to = out.data();
  for (std::size_t at = 0; at < coordinates_.size(); at += size_) {
    const double* const values = coordinates_.data() + at;
    const double factor = values[i];
    for (Site j = 0; j < size_; ++j) to[j] += factor * values[j];
  }
  out[i] = 1 + ridge;
}

}  // namespace nhot
