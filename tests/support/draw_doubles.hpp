// Sources of draws for unit tests: one that answers from a list, one that counts.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "nhot/random/draws.hpp"

namespace nhot::test {

/// Answers every draw from a list of numbers of [0, 1], in order, as if a generator had made them.
/// 1 stands for the largest possible draw. Throws std::out_of_range at the end of the list.
class ScriptedDraws {
 public:
  explicit ScriptedDraws(std::vector<double> uniforms) : uniforms_(std::move(uniforms)) {}

  std::uint64_t below(std::uint64_t n) {
    const auto value = static_cast<std::uint64_t>(take() * static_cast<double>(n));
    return value < n ? value : n - 1;
  }
  bool accept(double p) { return take() < p; }
  template <class Find>
  auto locate(double total, Find&& find) {
    return find(take() * total);
  }
  template <class Keep>
  std::uint64_t thin(std::uint64_t n, Keep&& keep) {
    for (;;) {
      const std::uint64_t i = below(n);
      if (accept(keep(i))) return i;
    }
  }

  std::size_t left() const { return uniforms_.size() - used_; }

 private:
  double take() { return uniforms_.at(used_++); }

  std::vector<double> uniforms_;
  std::size_t used_ = 0;
};

/// How often each kind of draw was asked for.
struct DrawCounts {
  std::uint64_t below = 0;
  std::uint64_t accept = 0;
  std::uint64_t locate = 0;
  std::uint64_t thin = 0;

  std::uint64_t all() const { return below + accept + locate + thin; }
};

/// Passes every draw on to another source and counts it. Copies share the counts.
template <DrawSource Inner>
class CountingDraws {
 public:
  CountingDraws(Inner inner, DrawCounts& counts) : inner_(std::move(inner)), counts_(&counts) {}

  std::uint64_t below(std::uint64_t n) {
    ++counts_->below;
    return inner_.below(n);
  }
  bool accept(double p) {
    ++counts_->accept;
    return inner_.accept(p);
  }
  template <class Find>
  auto locate(double total, Find&& find) {
    ++counts_->locate;
    return inner_.locate(total, std::forward<Find>(find));
  }
  template <class Keep>
  std::uint64_t thin(std::uint64_t n, Keep&& keep) {
    ++counts_->thin;
    return inner_.thin(n, std::forward<Keep>(keep));
  }

 private:
  Inner inner_;
  DrawCounts* counts_;
};

static_assert(DrawSource<ScriptedDraws>);
static_assert(DrawSource<CountingDraws<ScriptedDraws>>);

}  // namespace nhot::test
