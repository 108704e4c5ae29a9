#include "nhot/trace/observables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/error.hpp"

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

  double measure(const PackedBits& state) const override {
    double sum = 0;
    std::vector<std::uint32_t> ones;  // by coordinate
    for (const std::size_t stride : directions_) {
      count_layers(state, stride, ones);
      // sum_r exp(2 pi i r / L) = 0, so 2 x serves for the spin 2 x - 1.
      double real = 0;
      double imaginary = 0;
      for (std::size_t r = 0; r < ones.size(); ++r) {
        real += 2.0 * ones[r] * cosine_[r];
        imaginary += 2.0 * ones[r] * sine_[r];
      }
      sum += (real * real + imaginary * imaginary) / static_cast<double>(state.size());
    }
    return sum / static_cast<double>(directions_.size());
  }

 private:
  /// Ones by the coordinate along a direction; runs of `stride` sites have the same one.
  void count_layers(const PackedBits& state, std::size_t stride,
                    std::vector<std::uint32_t>& ones) const {
    const std::size_t side = cosine_.size();
    if (stride == 1) return count_columns(state, side, ones);
    ones.assign(side, 0);
    std::size_t coordinate = 0;
    for (std::size_t begin = 0; begin < state.size(); begin += stride) {
      ones[coordinate] += static_cast<std::uint32_t>(count_ones(state, begin, begin + stride));
      if (++coordinate == side) coordinate = 0;
    }
  }

  std::vector<Site> sides_;
  std::vector<std::size_t> directions_;  // strides of the longest directions
  std::vector<double> cosine_;
  std::vector<double> sine_;
};

class ActiveHidden final : public Observable {
 public:
  explicit ActiveHidden(const Rbm& rbm) : visible_(rbm.visible()) {}

  std::string name() const override { return "active_hidden"; }
  std::string help() const override { return "number of hidden units that are 1"; }
  double measure(const PackedBits& state) const override {
    return static_cast<double>(count_ones(state, visible_, state.size()));
  }

 private:
  Site visible_;
};

class FromFunction final : public Observable {
 public:
  FromFunction(std::string name, std::string help, std::function<double(const PackedBits&)> measure)
      : name_(std::move(name)), help_(std::move(help)), measure_(std::move(measure)) {}
  std::string name() const override { return name_; }
  std::string help() const override { return help_; }
  double measure(const PackedBits& state) const override { return measure_(state); }

 private:
  std::string name_;
  std::string help_;
  std::function<double(const PackedBits&)> measure_;
};

/// Names become keys of JSON and variables of files, beside those that every run has.
void check_name(const std::string& name, const Observables& taken) {
  static constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const bool word = !name.empty() && name.find_first_not_of(letters) == std::string::npos &&
                    (name.front() < '0' || name.front() > '9');
  if (!word)
    throw InputError("'" + name + "' is no name for an observable",
                     "give letters, digits and underscores, without a digit in front");
  static constexpr std::string_view of_every_run[] = {"energy",
                                                      "accepted",
                                                      "acceptance_rate",
                                                      "saw_length",
                                                      "hamming_move",
                                                      "overlap",
                                                      "state",
                                                      "chain",
                                                      "draw",
                                                      "site",
                                                      "pair",
                                                      "rung",
                                                      "beta",
                                                      "lp"};
  const bool known =
      std::find(std::begin(of_every_run), std::end(of_every_run), name) != std::end(of_every_run) ||
      std::any_of(taken.begin(), taken.end(), [&](const auto& o) { return o->name() == name; });
  if (known) throw InputError("there is an observable '" + name + "' already", "give another name");
}

}  // namespace

std::shared_ptr<const Observable> make_observable(
    std::string name, std::string help, std::function<double(const PackedBits&)> measure) {
  return std::make_shared<const FromFunction>(std::move(name), std::move(help), std::move(measure));
}

Observables observables_for(const Model& model, const Observables& own) {
  Observables list;
  if (const LatticeShape& shape = model.lattice();
      !shape.sides.empty() && *std::max_element(shape.sides.begin(), shape.sides.end()) > 1)
    list.push_back(std::make_unique<SlowestMode>(shape));
  if (model.rbm()) list.push_back(std::make_unique<ActiveHidden>(*model.rbm()));
  for (const std::shared_ptr<const Observable>& observable : own) {
    check_name(observable->name(), list);
    list.push_back(observable);
  }
  return list;
}

double overlap(const PackedBits& a, const PackedBits& b) {
  return 1.0 - 2.0 * static_cast<double>(count_different(a, b)) / static_cast<double>(a.size());
}

}  // namespace nhot
