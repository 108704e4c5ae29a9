// The exact suite for a model of one's own: no draws, no statistics.
//
//   const nhot::exact::Findings found = nhot::exact::check_model(model);
//   if (!found.passed()) std::puts(found.text().c_str());
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nhot/model/model.hpp"

namespace nhot::exact {

struct Findings {
  std::size_t checked = 0;  // combinations of move, engine, shell and temperature
  std::size_t refused = 0;  // combinations that are not for this model
  double worst = 0;         // largest |pi P - pi|, or row sum off 1
  std::string worst_case;
  std::vector<std::string> wrong;  // combinations above the tolerance, or that threw

  bool passed() const { return checked > 0 && wrong.empty(); }
  /// A line for people; when something is wrong, a line for each.
  std::string text() const;
};

/// Computes the transition matrix of every registered move, with its parameters and with every
/// engine, over all branches of its random draws, on shells of few states at several temperatures,
/// and compares it with the Boltzmann law of model.energy(): max |pi P - pi| must stay below 1e-12.
/// For models of 3 to 8 sites (InputError otherwise): test a large model by small ones of its kind.
Findings check_model(const Model& model);

}  // namespace nhot::exact
