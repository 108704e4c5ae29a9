// Chains of every engine and move whose draws are enumerated, compiled once for all tests.
#include "nhot/chain/make_chain.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(CustomKernel, test::EnumeratingDraws);

}  // namespace nhot
