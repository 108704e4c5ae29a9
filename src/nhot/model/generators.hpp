// Models made from a spec string: ferromagnet:60x60, spin-glass:9x9x9,seed=7, rbm:784x500,seed=1,
// field:1000,seed=1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/model/model.hpp"

namespace nhot {

/// E = -sum over bonds of s s. Periodic sides of length 2 have one bond per pair, not two.
Model ferromagnet(const LatticeShape& shape);

enum class CouplingLaw { plus_minus, gaussian };

/// E = -sum over bonds of J s s, J = +-1 with equal probability or standard normal.
Model spin_glass(const LatticeShape& shape, CouplingLaw law, std::uint64_t seed);

/// RBM whose hidden units are Gabor-like filters on an image of the visible units; see
/// doc/models.md.
Model gabor_rbm(Site visible, Site hidden, std::uint64_t seed);

/// Independent sites, E = sum_i h_i x_i with standard normal h: exact answers are known.
Model independent_fields(Site sites, std::uint64_t seed);

/// True when the text names a generator ("ferromagnet:...", or a bare known name).
bool is_model_spec(std::string_view text);

/// The model of a spec string; InputError says which part is wrong and shows a right example.
Model model_from_spec(std::string_view spec);

/// Names and examples of the generators, for help texts.
struct GeneratorHelp {
  std::string name;
  std::string usage;
  std::string help;
};
const std::vector<GeneratorHelp>& generator_help();

}  // namespace nhot
