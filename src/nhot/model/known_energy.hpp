// An energy of the library's own that goes the way of code: what a model says of itself beyond what
// chains ask. It is trusted where an energy from outside is checked on random states.
#pragma once

#include <string>

#include "nhot/base/facts.hpp"
#include "nhot/model/digest.hpp"
#include "nhot/model/energy.hpp"

namespace nhot {

class KnownEnergy : public Energy {
 public:
  /// "kdpp", "regression", "hubo".
  virtual std::string kind() const = 0;
  /// An upper bound on |change()|.
  virtual double largest_change() const = 0;
  /// Hashes everything that enters the energy.
  virtual void add_to(Digest& digest) const = 0;
  /// Adds facts beside name, kind and size.
  virtual void describe(Facts& facts) const = 0;
};

}  // namespace nhot
