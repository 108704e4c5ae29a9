#include "nhot/chain/make_chain.hpp"

namespace nhot {

NHOT_INSTANTIATE_CHAINS(IntegerKernel, RandomDraws);

}  // namespace nhot
