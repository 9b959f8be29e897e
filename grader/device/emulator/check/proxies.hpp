// Whether an asynchronous reader of shared memory sees what ordinary stores wrote. It goes by
// another way (PTX ISA, proxies): between the two a fence.proxy.async has to be, behind the store
// and before the reader. On a GPU its absence never showed, so only a check can find it.
#pragma once

#include "device/emulator/decode/access.hpp"

namespace course::emulator {

struct Warp;

// Of a lane that has bytes of its block's shared memory read asynchronously.
void check_proxy(Warp&, const Access&, std::uint32_t lane, std::uint32_t offset,
                 std::uint32_t size);

} // namespace course::emulator
