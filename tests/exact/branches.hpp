// Which cases of the exactness suite are worth their branches.
#pragma once

#include <string>

#include "nhot/exact/exact_case.hpp"

namespace nhot::test {

/// On shells of more than ten states, walks go in order=random alone: its branches are those of
/// up-down and of down-up, behind one draw. Either order alone has the smaller shells, on which its
/// walks of three steps fit (one site from the reference, or all but one).
inline bool is_worth_its_branches(const exact::ExactCase& with, const std::string& parameters) {
  const bool one_order = parameters.find("order=up-down") != std::string::npos ||
                         parameters.find("order=down-up") != std::string::npos;
  return !one_order || with.states().size() <= 10;
}

}  // namespace nhot::test
