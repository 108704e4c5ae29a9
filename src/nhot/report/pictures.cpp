#include "nhot/report/pictures.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = bytes.size() - k;
    std::uint32_t group = std::uint32_t{bytes[k]} << 16;
    if (left > 1) group |= std::uint32_t{bytes[k + 1]} << 8;
    if (left > 2) group |= bytes[k + 2];
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= left ? letters[(group >> (18 - 6 * j)) & 63] : '=';
  }
  return text;
}

Json site_layout(const LatticeShape& lattice, Site visible, Site hidden) {
  if (!lattice.sides.empty() && lattice.sides.size() <= 3)
    return {{"kind", "lattice"}, {"sides", lattice.sides}};
  if (visible > 0) return {{"kind", "rbm"}, {"visible", visible}, {"hidden", hidden}};
  return nullptr;
}

Json site_layout(const Model& model) {
  const Rbm* rbm = model.rbm();
  return site_layout(model.lattice(), rbm ? rbm->visible() : 0, rbm ? rbm->hidden() : 0);
}

std::string packed_bits(const PackedBits& bits) {
  std::vector<std::uint8_t> bytes((bits.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i]) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (1U << (i % 8)));
  return base64(bytes);
}

Json packed_filters(const std::vector<std::vector<float>>& filters) {
  double largest = 0;
  for (const auto& filter : filters)
    for (const float weight : filter) largest = std::max(largest, std::abs(double{weight}));
  Json list = Json::array();
  for (const auto& filter : filters) {
    std::vector<std::uint8_t> bytes;
    for (const float weight : filter) {
      const double level = largest > 0 ? 127.5 + 127.5 * weight / largest : 127.5;
      bytes.push_back(static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0)));
    }
    list.push_back(base64(bytes));
  }
  return {{"largest", rounded(largest)}, {"rows", list}};
}

std::vector<std::vector<float>> first_filters(const Model& model, std::size_t count) {
  std::vector<std::vector<float>> filters;
  const Rbm* rbm = model.rbm();
  if (!rbm) return filters;
  const RbmWeights& w = rbm->weights();
  for (std::size_t h = 0; h < std::min<std::size_t>(count, w.hidden); ++h) {
    const auto row = w.weights.begin() + static_cast<std::ptrdiff_t>(h * w.visible);
    std::vector<float> filter;
    for (std::size_t v = 0; v < w.visible; ++v)
      filter.push_back(static_cast<float>(*(row + static_cast<std::ptrdiff_t>(v))));
    filters.push_back(std::move(filter));
  }
  return filters;
}

}  // namespace nhot
