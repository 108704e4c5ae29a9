// Where the rungs of a temperature ladder stand.
//
// The communication barrier Lambda(beta) is the rejection that adds up on the way from the hot end
// to beta, in the limit of many rungs (Syed, Bouchard-Cote, Deligiannidis and Doucet, J. R. Stat.
// Soc. B 84, 2022). A ladder with equal barriers between neighbours has equal rejection
// everywhere, which gives the most round trips; and for a given amount of work the best number of
// rungs is about 2 Lambda + 1, where one exchange in two is rejected.
#pragma once

#include <cstddef>
#include <vector>

namespace nhot {

/// Barrier between two rungs whose exchanges are rejected with mean probability r. For close rungs
/// it is r itself. For wide gaps r saturates at 1, so the gap is read off the law that r follows
/// where energies are normal: r = erf(sqrt(pi)/2 * barrier). At most 3.
double barrier_of_rejection(double rejection);

/// Lambda(beta) through the rungs of a ladder: monotone, piecewise cubic (Fritsch and Carlson).
class BarrierCurve {
 public:
  /// Betas strictly increasing, at least two; rejection[k] between rungs k and k + 1.
  BarrierCurve(std::vector<double> betas, const std::vector<double>& rejection);

  double total() const { return barrier_.back(); }
  double at(double beta) const;
  /// The beta at which the barrier has a value, by bisection.
  double beta_at(double barrier) const;

 private:
  std::vector<double> betas_;
  std::vector<double> barrier_;
  std::vector<double> slope_;
};

/// `rungs` betas with equal barriers in between. The coldest is the end of the curve, the hottest
/// anywhere on it.
std::vector<double> place_rungs(const BarrierCurve& curve, double hottest, double coldest,
                                std::size_t rungs);

/// The coldest rung where a sweep changes at least `enough` sites, as do all hotter ones; never the
/// last. Where the hottest changes too few, hotter in proportion; 0 below a 64th of the coldest.
double forgetful_end(const std::vector<double>& betas, const std::vector<double>& changed,
                     double enough);

/// ceil(2 Lambda) + 1 within the bounds.
std::size_t rungs_for(double barrier, std::size_t fewest, std::size_t most);

/// A ladder to begin with, when all that is known is the standard deviation of the energy at the
/// hot end: evenly spaced while beta * deviation is below one, evenly in log beta above.
std::vector<double> first_rungs(double hottest, double coldest, double deviation,
                                std::size_t rungs);

}  // namespace nhot
