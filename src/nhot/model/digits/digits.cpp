#include "nhot/model/digits/digits.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

constexpr Site visible = 784;
constexpr Site hidden = 500;
constexpr double unit = 1.0 / 64;

/// Lines of base 64: signed bytes, the weights, hidden x visible; then 16-bit numbers, low byte
/// first, the hidden and the visible biases.
constexpr const char* packed[] = {
#include "nhot/model/digits/weights.inc"
};

/// Each line is whole groups of four characters.
std::vector<std::uint8_t> bytes_of(std::span<const char* const> lines) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint32_t, 128> value_of{};
  for (std::uint32_t k = 0; k < digits.size(); ++k)
    value_of[static_cast<unsigned char>(digits[k])] = k;
  std::vector<std::uint8_t> bytes;
  for (const std::string_view line : lines)
    for (std::size_t k = 0; k + 4 <= line.size(); k += 4) {
      std::uint32_t word = 0;
      for (std::size_t j = 0; j < 4; ++j)
        word = word << 6 | value_of[static_cast<unsigned char>(line[k + j]) % 128];
      for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  return bytes;
}

}  // namespace

RbmWeights digits_weights() {
  const std::vector<std::uint8_t> bytes = bytes_of(packed);
  NHOT_ENSURES(bytes.size() >= std::size_t{visible} * hidden + 2 * (visible + hidden));
  RbmWeights rbm{visible, hidden, {}, {}, {}};
  auto next = bytes.begin();
  for (std::size_t k = 0; k < std::size_t{visible} * hidden; ++k)
    rbm.weights.push_back(unit * static_cast<std::int8_t>(*next++));
  const auto biases = [&](Site count) {
    std::vector<double> values;
    for (Site k = 0; k < count; ++k) {
      const unsigned low = *next++;
      const unsigned high = *next++;
      values.push_back(unit * static_cast<std::int16_t>(high << 8 | low));
    }
    return values;
  };
  rbm.hidden_bias = biases(hidden);
  rbm.visible_bias = biases(visible);
  return rbm;
}

}  // namespace nhot
