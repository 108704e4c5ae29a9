// A matrix of couplings by rows, in the narrowest form that loses nothing.
#pragma once

#include <cstddef>
#include <span>

#include "nhot/base/aligned.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/row_add.hpp"

namespace nhot {

/// Rows of floats when every coupling is exactly a float, as weights from training usually are;
/// else rows of doubles. Floats halve the time where reading rows from the outer caches limits it.
/// Rows start at a cache line and are padded with zeros to a multiple of `pad` elements.
class CouplingRows {
 public:
  static constexpr std::size_t pad = 16;

  /// Pointer to a row of either type; the other pointer is null.
  struct Row {
    const float* narrow;
    const double* wide;
  };

  static bool fits_narrow(double value) {
    return static_cast<double>(static_cast<float>(value)) == value;
  }

  /// All zero; `narrow` when every value that will be set fits.
  CouplingRows(std::size_t rows, std::size_t columns, bool narrow)
      : columns_(columns), stride_((columns + pad - 1) / pad * pad), add_(row_adders(simd_path())) {
    if (narrow)
      narrow_.assign(rows * stride_, 0.0F);
    else
      wide_.assign(rows * stride_, 0.0);
  }

  void set(std::size_t i, std::size_t j, double value) {
    NHOT_EXPECTS(!narrow() || fits_narrow(value));
    if (narrow())
      narrow_[i * stride_ + j] = static_cast<float>(value);
    else
      wide_[i * stride_ + j] = value;
  }

  Row row(std::size_t i) const {
    return {wide_.empty() ? narrow_.data() + i * stride_ : nullptr,
            wide_.empty() ? nullptr : wide_.data() + i * stride_};
  }
  double operator()(std::size_t i, std::size_t j) const {
    const std::size_t k = i * stride_ + j;
    return wide_.empty() ? static_cast<double>(narrow_[k]) : wide_[k];
  }
  bool narrow() const { return wide_.empty(); }

  /// fields[j] += sign * row[j], one row after the other.
  void add(std::span<const SignedPlace> rows, double* fields) const {
    if (wide_.empty())
      add_.narrow(fields, {narrow_.data(), stride_, columns_}, rows);
    else
      add_.wide(fields, {wide_.data(), stride_, columns_}, rows);
  }
  void add(const SignedPlace& row, double* fields) const { add({&row, 1}, fields); }

 private:
  std::size_t columns_;
  std::size_t stride_;
  RowAdders add_;
  AlignedVector<float> narrow_;
  AlignedVector<double> wide_;  // empty when the rows are narrow
};

}  // namespace nhot
