// Small models for the exactness suite: for every kernel, instances that between them have fields,
// both conventions, mixed signs, an offset, a coarse and a fine grid, and graphs that are
// connected, disconnected and with an isolated site.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"
#include "support/custom_energies.hpp"

namespace nhot::test {

struct Instance {
  std::string name;
  std::string_view kernel;  // of kernel_names
  Model model;
  bool connected = true;
  bool thorough = false;  // also on the shells where walks have the most branches
  std::string only = {};  // for one kind of move, where others learn nothing new from it
};

inline Model quadratic_instance(std::string name, Convention convention, double offset,
                                std::vector<double> linear, std::vector<Coupling> couplings) {
  QuadraticTerms terms;
  terms.sites = static_cast<Site>(linear.size());
  terms.convention = convention;
  terms.offset = offset;
  terms.linear = std::move(linear);
  terms.couplings = std::move(couplings);
  return {std::move(name), QuadraticModel(std::move(terms))};
}

inline Model rbm_instance(std::string name, Site visible, Site hidden, std::vector<double> weights,
                          std::vector<double> hidden_bias, std::vector<double> visible_bias) {
  return {std::move(name), Rbm(RbmWeights{visible, hidden, std::move(weights),
                                          std::move(hidden_bias), std::move(visible_bias)})};
}

/// Ring with chords and integer fields; dE takes few values.
inline Model ring_model() {
  return quadratic_instance(
      "ring", Convention::spin, 1.5, {1, -2, 0, 1, 0, -1},
      {{0, 1, 1}, {1, 2, -1}, {2, 3, 1}, {3, 4, 1}, {4, 5, -1}, {0, 5, 1}, {0, 3, -1}, {1, 4, 2}});
}

/// A triangle, an edge and an isolated site, in quarters.
inline Model islands_model() {
  return quadratic_instance("islands", Convention::binary, -2, {0.25, -0.5, 0, 0.75, 0, -0.25},
                            {{0, 1, -0.75}, {1, 2, 0.5}, {0, 2, 1.25}, {3, 4, -1}});
}

inline Model real_model() {
  return quadratic_instance("real", Convention::spin, 0.3, {0.31, -0.47, 0.083, 0.62, -0.15, 0.271},
                            {{0, 1, 0.713},
                             {1, 2, -0.382},
                             {2, 3, 0.547},
                             {3, 4, 0.291},
                             {4, 5, -0.66},
                             {0, 5, 0.417},
                             {1, 4, -0.119}});
}

inline Model real_islands_model() {
  return quadratic_instance("real-islands", Convention::binary, 0,
                            {0.71, -0.33, 1.127, 0, -0.812, 0.454},
                            {{0, 1, -1.377}, {1, 2, 0.912}, {3, 5, -0.641}});
}

/// Every pair coupled.
inline Model boltzmann_machine() {
  std::vector<Coupling> couplings;
  const double values[] = {0.41,  -0.87, 0.193, 0.77, -0.35, 0.66,  -0.127, 0.254,
                           -0.59, 0.812, 0.39,  -0.7, 0.148, -0.22, 0.533};
  std::size_t k = 0;
  for (Site i = 0; i < 6; ++i)
    for (Site j = i + 1; j < 6; ++j) couplings.push_back({i, j, values[k++]});
  return quadratic_instance("boltzmann-machine", Convention::binary, 0.125,
                            {-0.3, 0.52, 0.17, -0.91, 0.08, 0.44}, std::move(couplings));
}

/// The same machine as spins.
inline Model spin_machine() {
  return {"spin-machine",
          QuadraticModel(convert(*boltzmann_machine().quadratic(), Convention::spin))};
}

inline Model rbm_3x3() {
  return rbm_instance("rbm-3x3", 3, 3, {0.9, -1.2, 0.33, -0.48, 1.71, 0.25, 0.61, -0.77, 1.04},
                      {0.2, -0.35, 0.5}, {-0.6, 0.15, 0.4});
}

inline Model rbm_4x3() {
  return rbm_instance("rbm-4x3", 4, 3,
                      {0.5, -0.72, 1.13, 0.06, -0.94, 0.28, 0.67, -1.31, 0.83, 0.19, -0.4, 0.55},
                      {-0.25, 0.7, 0.1}, {0.3, -0.8, 0.45, -0.05});
}

/// Seven sites of a +-1 tree with fields: room for walks of three steps either way.
inline Model tree_model() {
  return quadratic_instance("tree", Convention::spin, 0, {0, 1, 0, -1, 0, 0, 1},
                            {{0, 1, -1}, {0, 2, 1}, {1, 3, 1}, {1, 4, -1}, {2, 5, 1}, {2, 6, 1}});
}

/// Three sites against three, with couplings of both signs and no fields: dE takes so few values
/// that walks go through the steppers of engines.
inline Model glass_model() {
  std::vector<Coupling> couplings;
  const double values[] = {1, -1, 1, 1, 1, -1, -1, 1, 1};
  for (Site i = 0; i < 3; ++i)
    for (Site j = 0; j < 3; ++j)
      couplings.push_back({i, static_cast<Site>(3 + j), values[3 * i + j]});
  return quadratic_instance("glass", Convention::spin, 0, std::vector<double>(6, 0.0),
                            std::move(couplings));
}

/// Every site coupled to all others but `apart` sites further round, with couplings of both signs:
/// rows of one length, as lattices of two and three dimensions have.
inline Model round_glass(std::string name, Site sites, Site apart) {
  std::vector<Coupling> couplings;
  for (Site i = 0; i < sites; ++i)
    for (Site j = i + 1; j < sites; ++j)
      if (j != i + apart) couplings.push_back({i, j, (3 * i + j) % 4 == 0 ? -1.0 : 1.0});
  return quadratic_instance(std::move(name), Convention::spin, 0, std::vector<double>(sites, 0.0),
                            std::move(couplings));
}

/// A lattice that every reflection leaves unchanged.
inline Model lattice_model(std::string name, const LatticeShape& shape, double across, double along,
                           double field) {
  QuadraticTerms terms = ferromagnet(shape).quadratic()->terms();
  terms.linear.assign(terms.sites, field);
  for (Coupling& c : terms.couplings) c.value = c.j - c.i < shape.sides[1] ? along : across;
  return {std::move(name), QuadraticModel(std::move(terms)), shape};
}

/// Whether a kind of move is for a model and a shell; elsewhere it must refuse.
inline bool is_for(const std::string& kind, const Model& model, const Shell& shell) {
  const Bits& reference = shell.reference();
  if (kind == "joint") return shell.grouped();
  if (kind == "flip") return shell.free_sites() > 0;
  if (kind == "block") return model.rbm() != nullptr;
  if (kind == "cluster")
    return !shell.grouped() && !model.lattice().sides.empty() &&
           std::equal(reference.begin() + 1, reference.end(), reference.begin());
  return true;
}

inline std::vector<Instance> exact_instances() {
  return {
      {"ring", "integer", ring_model(), true, true},
      {"islands", "integer", islands_model(), false},
      {"lattice", "integer", model_from_spec("ferromagnet:2x3")},
      {"glass", "integer", glass_model(), true, true},
      {"glass-of-four", "integer", round_glass("glass-of-four", 6, 3), true, false, "im"},
      {"glass-of-six", "integer", round_glass("glass-of-six", 7, 7), true, false, "im"},
      {"real", "real", real_model(), true, true},
      {"real-islands", "real", real_islands_model(), false},
      {"ring", "real", ring_model()},
      {"boltzmann-machine", "dense", boltzmann_machine(), true, true},
      {"spin-machine", "dense", spin_machine()},
      {"rbm-3x3", "rbm", rbm_3x3(), true, true},
      {"rbm-4x3", "rbm", rbm_4x3(), true, false, "block"},
      {"triples", "custom", triples_model(), true, true},
      {"local-triples", "custom", local_triples_model(), false},
      {"triples-at-once", "custom", triples_model<TriplesAtOnce>("triples-at-once")},
      {"periodic", "integer", lattice_model("periodic", {{2, 4}, true}, -1, 2, 1), true, false,
       "cluster"},
      {"periodic", "real", lattice_model("periodic", {{3, 2}, true}, 0.41, -0.77, 0.3), true, false,
       "cluster"},
      {"periodic", "dense", lattice_model("periodic", {{3, 2}, true}, -0.6, -0.35, 0), true, false,
       "cluster"},
      {"open", "integer", lattice_model("open", {{2, 3}, false}, 1, -1, 0.5), true, false,
       "cluster"},
  };
}

/// Grouped shells of a model with six sites or more: two groups coupled to each other, and three;
/// groups of one site; groups at 0 and full beside one that moves; free sites; nothing but free
/// sites; and groups that leave nothing free to move.
inline std::vector<std::vector<SiteGroup>> groups_of(Site sites) {
  const Site last = sites - 1;
  std::vector<Site> rest;
  for (Site i = 3; i < sites; ++i) rest.push_back(i);
  std::vector<Site> from_two(rest);
  from_two.insert(from_two.begin(), 2);
  return {
      {{{0, 1, 2}, 1}, {rest, 2}},
      {{{0, 2}, 1}, {{1, last}, 1}, {{3, 4}, 1}},
      {{{0, 1}, 0}, {from_two, 2}},
      {{{5, 1}, 2}, {{0}, 1}, {{2, 3, 4}, 2}},
      {{{4, 1, 3}, 1}},
      {{{0, 3}, 1}, {{1}, 0}},
      {},
      {{{0, 1}, 0}, {from_two, static_cast<Site>(from_two.size())}},
  };
}

/// A reference that is neither all zeros nor all ones.
inline Bits mixed_reference(Site sites) {
  Bits bits(sites, 0);
  for (Site i = 0; i < sites; ++i) bits[i] = (0b1101001U >> (i % 7)) & 1U;
  return bits;
}

}  // namespace nhot::test
