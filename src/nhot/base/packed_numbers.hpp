// Arrays of numbers that mostly repeat: couplings and fields of lattices, glasses, graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace nhot {

/// A read-only array of doubles, to the bit as given. Takes nothing per number when all are equal,
/// one byte when there are at most 256 different ones, eight otherwise.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  explicit PackedNumbers(std::vector<double> numbers);

  /// A contiguous slice.
  class View {
   public:
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    double operator[](std::size_t k) const {
      return codes_ ? base_[codes_[k]] : base_[k * stride_];
    }

    class Iterator {
     public:
      using iterator_category = std::input_iterator_tag;
      using value_type = double;
      using difference_type = std::ptrdiff_t;
      using pointer = const double*;
      using reference = double;

      Iterator() = default;
      Iterator(const double* base, const std::uint8_t* codes, std::size_t stride, std::size_t k)
          : base_(base), codes_(codes), stride_(stride), k_(k) {}
      double operator*() const { return codes_ ? base_[codes_[k_]] : base_[k_ * stride_]; }
      Iterator& operator++() {
        ++k_;
        return *this;
      }
      Iterator operator++(int) {
        Iterator before = *this;
        ++k_;
        return before;
      }
      friend bool operator==(const Iterator& a, const Iterator& b) { return a.k_ == b.k_; }

     private:
      const double* base_ = nullptr;
      const std::uint8_t* codes_ = nullptr;
      std::size_t stride_ = 0;
      std::size_t k_ = 0;
    };
    Iterator begin() const { return {base_, codes_, stride_, 0}; }
    Iterator end() const { return {base_, codes_, stride_, size_}; }

   private:
    friend class PackedNumbers;
    View(const double* base, const std::uint8_t* codes, std::size_t stride, std::size_t size)
        : base_(base), codes_(codes), stride_(stride), size_(size) {}

    const double* base_;
    const std::uint8_t* codes_;
    std::size_t stride_;
    std::size_t size_;
  };

  std::size_t size() const { return size_; }
  double operator[](std::size_t k) const { return all()[k]; }
  View all() const { return slice(0, size_); }
  /// `size` numbers from the k-th on.
  View slice(std::size_t k, std::size_t size) const {
    if (!codes_.empty()) return {values_.data(), codes_.data() + k, 0, size};
    if (values_.size() == 1) return {values_.data(), nullptr, 0, size};
    return {values_.data() + k, nullptr, 1, size};
  }

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;       // the different numbers, or all of them
  std::vector<std::uint8_t> codes_;  // index into values_ of each number; or empty
};

}  // namespace nhot
