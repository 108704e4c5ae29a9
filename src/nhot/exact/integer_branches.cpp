// Chains of every engine and move whose draws are enumerated.
#include "nhot/chain/make_chain.hpp"
#include "nhot/exact/enumerating_draws.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(IntegerKernel, exact::EnumeratingDraws);

}  // namespace nhot
