#include "nhot/move/reflection.hpp"

#include <cmath>
#include <string>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/model/frame.hpp"

namespace nhot {
namespace {

const char* const use_others = "use {move swap} or {move im}";

[[noreturn]] void refuse(const std::string& problem, const std::string& hint) {
  throw InputError("move cluster: " + problem, hint + "; otherwise " + use_others);
}

std::string pair_text(Site i, Site j) {
  return "sites " + std::to_string(i) + " and " + std::to_string(j);
}

// A quadratic model in the frame of a reference, or (reference all zero) as it is.
class Framed {
 public:
  Framed(const QuadraticModel& model, const Bits& reference)
      : model_(model), reference_(reference), linear_(framed_linear(model, reference)) {}

  std::int64_t coupling(Site i, Site j, double q) const {
    return framed_coupling(model_, reference_[i], reference_[j], q);
  }

  bool same_field(Site i, Site j) const { return linear_[i] == linear_[j]; }

 private:
  const QuadraticModel& model_;
  const Bits& reference_;
  std::vector<std::int64_t> linear_;
};

// Q_ij by search; rows are short.
double find_coupling(const QuadraticModel& model, Site i, Site j) {
  const QuadraticModel::Row row = model.row(i);
  for (std::size_t k = 0; k < row.sites.size(); ++k)
    if (row.sites[k] == j) return row.values[k];
  return 0;
}

}  // namespace

LatticeReflections::LatticeReflections(const Model& model, const Shell& shell)
    : sites_(model.sites()), periodic_(model.lattice().periodic) {
  const std::vector<Site>& sides = model.lattice().sides;
  if (!model.quadratic() || sides.empty())
    refuse("the model is not a lattice of known shape, and the move mirrors a lattice",
           "give a lattice such as ferromagnet:60x60");
  axes_.resize(sides.size());
  Site stride = 1;
  for (std::size_t d = sides.size(); d-- > 0; stride *= sides[d]) axes_[d] = {sides[d], stride};
  coordinates_.reserve(std::size_t{sites_} * sides.size());
  for (Site i = 0; i < sites_; ++i)
    for (const Axis& axis : axes_) coordinates_.push_back(i / axis.stride % axis.side);
  if (periodic_)
    check_translations(model, shell);
  else
    find_mirrors(model, shell);
}

// Couplings must depend on the displacement only, and all fields must be equal.
void LatticeReflections::check_translations(const Model& model, const Shell& shell) const {
  const QuadraticModel& quadratic = *model.quadratic();
  const Bits zeros(sites_, 0);
  const auto first_difference = [&](const Framed& framed) -> std::string {
    std::vector<std::int64_t> wanted(sites_, 0);
    const QuadraticModel::Row origin = quadratic.row(0);
    for (std::size_t k = 0; k < origin.sites.size(); ++k)
      wanted[origin.sites[k]] = framed.coupling(0, origin.sites[k], origin.values[k]);
    for (Site i = 0; i < sites_; ++i) {
      const QuadraticModel::Row row = quadratic.row(i);
      if (row.sites.size() != origin.sites.size())
        return "site " + std::to_string(i) + " has " + std::to_string(row.sites.size()) +
               " neighbours and site 0 has " + std::to_string(origin.sites.size());
      for (std::size_t k = 0; k < row.sites.size(); ++k) {
        Site displaced = 0;
        for (std::size_t d = 0; d < axes_.size(); ++d) {
          const Site from = coordinates_[i * axes_.size() + d];
          const Site to = coordinates_[row.sites[k] * axes_.size() + d];
          displaced += (to >= from ? to - from : to + axes_[d].side - from) * axes_[d].stride;
        }
        if (framed.coupling(i, row.sites[k], row.values[k]) != wanted[displaced])
          return "the coupling of " + pair_text(i, row.sites[k]) + " differs from that of " +
                 pair_text(0, displaced) + ", which lie in the same direction";
      }
      if (!framed.same_field(i, 0)) return "the fields of " + pair_text(0, i) + " differ";
      if (shell.group_of(i) != shell.group_of(0))
        return pair_text(0, i) + " belong to different groups of the shell";
    }
    return "";
  };
  const std::string own = first_difference(Framed(quadratic, shell.reference()));
  if (own.empty()) return;
  const std::string plain = first_difference(Framed(quadratic, zeros));
  if (plain.empty())
    refuse(
        "the reference is not the same on all sites, so exchanging mirrored sites would change "
        "the distance or the energy (seen from the reference, " +
            own + ")",
        "give a reference of all zeros or all ones");
  refuse(plain + ", so a reflection changes the energy",
         "the move needs couplings that depend on the direction only, and equal fields");
}

void LatticeReflections::find_mirrors(const Model& model, const Shell& shell) {
  const QuadraticModel& quadratic = *model.quadratic();
  const auto first_difference = [&](const Framed& framed, const Reflection& mirror) -> std::string {
    for (Site i = 0; i < sites_; ++i) {
      const Site image = mirror(i);
      if (!framed.same_field(i, image)) return "the fields of " + pair_text(i, image) + " differ";
      if (shell.group_of(i) != shell.group_of(image))
        return pair_text(i, image) + " belong to different groups of the shell";
      const QuadraticModel::Row row = quadratic.row(i);
      for (std::size_t k = 0; k < row.sites.size(); ++k) {
        const Site other = mirror(row.sites[k]);
        if (framed.coupling(i, row.sites[k], row.values[k]) !=
            framed.coupling(image, other, find_coupling(quadratic, image, other)))
          return "the coupling of " + pair_text(i, row.sites[k]) + " differs from that of " +
                 pair_text(image, other) + ", its mirror image";
      }
    }
    return "";
  };

  std::vector<Reflection> candidates;
  Reflection all;
  all.lattice_ = this;
  std::size_t long_axes = 0;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    all.sums_.push_back(axes_[d].side - 1);
    if (axes_[d].side == 1) continue;
    ++long_axes;
    Reflection one;
    one.lattice_ = this;
    one.sums_.assign(axes_.size(), Reflection::keep);
    one.sums_[d] = axes_[d].side - 1;
    candidates.push_back(one);
  }
  if (long_axes != 1) candidates.push_back(all);

  const Framed own(quadratic, shell.reference());
  for (const Reflection& candidate : candidates)
    if (first_difference(own, candidate).empty()) mirrors_.push_back(candidate);
  if (!mirrors_.empty()) return;
  const Bits zeros(sites_, 0);
  const std::string plain = first_difference(Framed(quadratic, zeros), all);
  if (plain.empty())
    refuse("the reference is not a mirror image of itself, about the middle of the open lattice",
           "give a reference of all zeros or all ones");
  refuse(plain + ", so no reflection of the open lattice keeps the energy",
         "the move needs couplings and fields that are their own mirror image");
}

}  // namespace nhot
