#include "nhot/chain/make_chain.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(CustomKernel, RandomDraws);

}  // namespace nhot
