#include "nhot/chain/make_chain.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(RbmKernel, RandomDraws);

}  // namespace nhot
