// Bulk copies of a box of a tensor (cp.async.bulk.tensor), by a tensor map (model/tensor_map.hpp).
#pragma once

#include "device/emulator/decode/operation.hpp"

namespace course::emulator {

// Operations, as those of bulk_copy.hpp. `global` of the access points to the map; coordinates are
// in the slots of the access's values, the innermost first, `immediate` of them.
void tensor_copy_in(Warp&, const Operation&, std::uint32_t mask);
void tensor_copy_out(Warp&, const Operation&, std::uint32_t mask);

} // namespace course::emulator
