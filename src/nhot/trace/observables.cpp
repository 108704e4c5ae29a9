#include "nhot/trace/observables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nhot {
namespace {

/// Structure factor at the smallest wave vector: the mean over the longest directions of
/// |sum_r s_r exp(2 pi i r / L)|^2 / M. At fixed magnetisation the uniform mode is frozen and this
/// one relaxes slowest.
class SlowestMode final : public Observable {
 public:
  explicit SlowestMode(const LatticeShape& shape) : sides_(shape.sides) {
    const Site longest = *std::max_element(sides_.begin(), sides_.end());
    std::size_t stride = 1;
    for (std::size_t d = sides_.size(); d > 0; --d) {
      const Site side = sides_[d - 1];
      if (side == longest) directions_.push_back(stride);
      stride *= side;
    }
    sites_ = stride;
    for (Site r = 0; r < longest; ++r) {
      const double angle = 2 * std::numbers::pi * r / longest;
      cosine_.push_back(std::cos(angle));
      sine_.push_back(std::sin(angle));
    }
  }

  std::string name() const override { return "slowest_mode"; }
  std::string help() const override {
    return "structure factor at the smallest wave vector, mean over the longest directions";
  }

  double measure(const Bits& bits) const override {
    const std::size_t side = cosine_.size();
    double sum = 0;
    for (const std::size_t stride : directions_) {
      // Sites come in runs of `stride` with the same coordinate along the direction.
      double real = 0;
      double imaginary = 0;
      std::size_t coordinate = 0;
      for (std::size_t begin = 0; begin < sites_; begin += stride) {
        int ones = 0;
        for (std::size_t k = 0; k < stride; ++k) ones += bits[begin + k];
        const double spins = 2.0 * ones - static_cast<double>(stride);
        real += spins * cosine_[coordinate];
        imaginary += spins * sine_[coordinate];
        if (++coordinate == side) coordinate = 0;
      }
      sum += (real * real + imaginary * imaginary) / static_cast<double>(sites_);
    }
    return sum / static_cast<double>(directions_.size());
  }

 private:
  std::vector<Site> sides_;
  std::vector<std::size_t> directions_;  // strides of the longest directions
  std::size_t sites_ = 0;
  std::vector<double> cosine_;
  std::vector<double> sine_;
};

class ActiveHidden final : public Observable {
 public:
  explicit ActiveHidden(const Rbm& rbm) : visible_(rbm.visible()) {}

  std::string name() const override { return "active_hidden"; }
  std::string help() const override { return "number of hidden units that are 1"; }
  double measure(const Bits& bits) const override {
    std::size_t active = 0;
    for (std::size_t i = visible_; i < bits.size(); ++i) active += bits[i];
    return static_cast<double>(active);
  }

 private:
  Site visible_;
};

}  // namespace

std::vector<std::unique_ptr<Observable>> observables_for(const Model& model) {
  std::vector<std::unique_ptr<Observable>> list;
  if (const LatticeShape& shape = model.lattice();
      !shape.sides.empty() && *std::max_element(shape.sides.begin(), shape.sides.end()) > 1)
    list.push_back(std::make_unique<SlowestMode>(shape));
  if (model.rbm()) list.push_back(std::make_unique<ActiveHidden>(*model.rbm()));
  return list;
}

double overlap(const Bits& a, const Bits& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] ^ b[i];
  return 1.0 - 2.0 * static_cast<double>(different) / static_cast<double>(a.size());
}

}  // namespace nhot
