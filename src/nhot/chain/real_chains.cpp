#include "nhot/chain/make_chain.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(RealKernel, RandomDraws);

}  // namespace nhot
