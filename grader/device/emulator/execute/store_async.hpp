// st.async and red.async: a store to the shared memory of a block of the cluster, which tells a
// barrier there how many bytes came. Until that barrier's phase has ended nothing is promised.
#pragma once

#include "device/emulator/decode/operation.hpp"

namespace course::emulator {

// The access has the address; its `barrier` is told.
void start_store_async(Warp&, const Operation&, std::uint32_t mask);

} // namespace course::emulator
