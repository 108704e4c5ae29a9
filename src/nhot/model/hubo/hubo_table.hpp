// What all flips cost in a polynomial, by the number of zeros in every term.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/model/energy.hpp"

namespace nhot {

class Hubo;

/// Exact, as the sums of Hubo's values are: a function of the state.
class HuboTable final : public ChangeTable {
 public:
  explicit HuboTable(const Hubo& energy);

  void set(std::span<const Bit> bits) override;
  void flip(Site i) override;
  std::span<const double> changes() const override { return changes_; }
  double pair_change(Site i, Site j) const override;
  void save(ByteWriter&) const override {}  // a function of the bits, which are saved
  void restore(ByteReader&) override {}

 private:
  /// dE_j rises by `shift` where x_j is 0, and falls by it where x_j is 1.
  void add_slope(Site j, double shift) { changes_[j] += bits_[j] ? -shift : shift; }
  void flip_binary(Site i);
  void flip_spin(Site i);
  /// The product of a term with the bits of two sites set.
  double value_with(std::uint32_t term, Site i, Bit at_i, Site j, Bit at_j) const;

  const Hubo& energy_;  // outlives its tables
  bool spin_;
  Bits bits_;
  std::vector<std::uint32_t> zeros_;  // of every term
  std::vector<double> changes_;
};

}  // namespace nhot
