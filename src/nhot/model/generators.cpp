#include "nhot/model/generators.hpp"

#include <string>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

std::string shape_text(const LatticeShape& shape) {
  std::string text;
  for (const Site side : shape.sides) {
    if (!text.empty()) text += 'x';
    text += std::to_string(side);
  }
  return text;
}

Site count_sites(const LatticeShape& shape) {
  if (shape.sides.empty())
    throw InputError("a lattice needs at least one side", "for example ferromagnet:60x60");
  std::uint64_t sites = 1;
  for (const Site side : shape.sides) {
    if (side == 0)
      throw InputError("lattice " + shape_text(shape) + " has a side of length 0",
                       "every side is at least 1, for example ferromagnet:60x60");
    sites *= side;  // both below 2^32: no overflow before the check
    if (sites > max_sites)
      throw InputError("lattice " + shape_text(shape) + " has too many sites",
                       "the largest model has " + std::to_string(max_sites) + " sites");
  }
  return static_cast<Site>(sites);
}

// Calls visit(site, neighbour) once per bond: sites in order, and for each the step forward in
// every dimension, first dimension first.
template <class Visit>
void for_each_bond(const LatticeShape& shape, Site sites, Visit&& visit) {
  const std::size_t dimensions = shape.sides.size();
  std::vector<Site> stride(dimensions, 1);
  for (std::size_t d = dimensions - 1; d-- > 0;) stride[d] = stride[d + 1] * shape.sides[d + 1];
  std::vector<Site> position(dimensions, 0);
  for (Site site = 0; site < sites; ++site) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Site side = shape.sides[d];
      if (position[d] + 1 < side)
        visit(site, site + stride[d]);
      else if (shape.periodic && side > 2)
        visit(site, site - (side - 1) * stride[d]);
    }
    for (std::size_t d = dimensions; d-- > 0;) {
      if (++position[d] < shape.sides[d]) break;
      position[d] = 0;
    }
  }
}

// The lattice with couplings -J, J from draw() in the order of the bonds.
template <class Draw>
Model lattice_model(std::string name, const LatticeShape& shape, Draw&& draw) {
  QuadraticTerms terms;
  terms.sites = count_sites(shape);
  terms.convention = Convention::spin;
  std::size_t bonds = 0;
  for (const Site side : shape.sides) bonds += side > 1 ? terms.sites : 0;
  terms.couplings.reserve(bonds);
  for_each_bond(shape, terms.sites, [&](Site i, Site j) {
    terms.couplings.push_back({i, j, -draw()});
  });
  return Model(std::move(name), QuadraticModel(std::move(terms)), shape);
}

}  // namespace

Model ferromagnet(const LatticeShape& shape) {
  return lattice_model("ferromagnet:" + shape_text(shape) + (shape.periodic ? "" : ",open"), shape,
                       [] { return 1.0; });
}

Model spin_glass(const LatticeShape& shape, CouplingLaw law, std::uint64_t seed) {
  const bool gaussian = law == CouplingLaw::gaussian;
  std::string name = "spin-glass:" + shape_text(shape) + ",seed=" + std::to_string(seed) +
                     (gaussian ? ",couplings=gaussian" : "") + (shape.periodic ? "" : ",open");
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::generator);
  if (gaussian) return lattice_model(std::move(name), shape, NormalSource(engine));
  return lattice_model(std::move(name), shape, [&engine] { return engine() >> 63 ? 1.0 : -1.0; });
}

Model independent_fields(Site sites, std::uint64_t seed) {
  if (sites == 0 || sites > max_sites)
    throw InputError("a field model of " + std::to_string(sites) + " sites cannot be made",
                     "give 1 to " + std::to_string(max_sites) + " sites, for example field:1000");
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::generator);
  NormalSource normal(engine);
  QuadraticTerms terms;
  terms.sites = sites;
  terms.convention = Convention::binary;
  terms.linear.resize(sites);
  for (double& h : terms.linear) h = normal();
  return Model("field:" + std::to_string(sites) + ",seed=" + std::to_string(seed),
               QuadraticModel(std::move(terms)));
}

}  // namespace nhot
