// States and filters for a page to draw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/report/json.hpp"

namespace nhot {

/// What the sites of a model look like: {"kind": "lattice", "sides": [60, 60]}, {"kind": "rbm",
/// "visible": 784, "hidden": 500}, or null when they have no shape.
Json site_layout(const LatticeShape& lattice, Site visible, Site hidden);
Json site_layout(const Model& model);

std::string base64(const std::vector<std::uint8_t>& bytes);

/// One bit per site, first site in the lowest bit, as base64.
std::string packed_bits(const PackedBits& bits);

/// Filters as rows of numbers from 0 (most negative) to 255, all to one scale, base64 each.
Json packed_filters(const std::vector<std::vector<float>>& filters);
/// The first filters of an RBM, at most `count`.
std::vector<std::vector<float>> first_filters(const Model& model, std::size_t count);

}  // namespace nhot
