// What a tempering run can be asked for.
#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

void check_tempering(const ChainFactory& factory, const TemperingPlan& plan) {
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("a run needs either a number of moves or a number of seconds",
                     "give {moves N} or {seconds S}");
  if (plan.chains == 0) throw InputError("a run needs at least one ladder", "give {chains 4}");
  if (plan.start) check_start(factory.shell(), *plan.start);
  std::vector<double> betas = plan.betas;
  std::sort(betas.begin(), betas.end());
  for (const double beta : betas)
    if (!(beta >= 0) || !std::isfinite(beta))
      throw InputError("the ladder holds beta = " + format_real(beta),
                       "give finite numbers >= 0, as in {betas 0,0.1,0.2,0.4}");
  if (const auto twice = std::adjacent_find(betas.begin(), betas.end()); twice != betas.end())
    throw InputError("the ladder holds beta = " + format_real(*twice) + " twice",
                     "give every beta once");
  if (plan.path == LadderPath::weights && !factory.model().rbm())
    throw InputError("the path of weights is for RBMs, whose biases it keeps",
                     "use {path temperatures}");
  if (plan.path == LadderPath::weights && plan.isocluster)
    throw InputError("clusters are exchanged along the path of temperatures only",
                     "leave out {isocluster}");
  if (!(plan.hottest >= 0) || !std::isfinite(plan.hottest))
    throw InputError("the hot end of the ladder is beta = " + format_real(plan.hottest),
                     "give a finite number >= 0");
  if (betas.empty() && plan.hottest > factory.beta())
    throw InputError("the hot end of the ladder, beta = " + format_real(plan.hottest) +
                         ", is colder than the target, beta = " + format_real(factory.beta()),
                     "give a smaller number, such as 0");
}

}  // namespace nhot
