// Where an asynchronous reader may miss what a thread has stored: the two go to memory by different
// ways (proxies, in PTX), and only a fence.proxy.async is between them. No result shows it.
#pragma once

#include "device/emulator/check/race.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/message.hpp"

#include <cstdint>
#include <optional>

namespace course::emulator {

struct Block;

struct StoreRecord {
  std::uint64_t block = 0; // linear index
  Record record = 0;
};
// The last store to a word of the block's shared memory: another block's, if one has stored there.
std::optional<StoreRecord> last_store(Block&, std::uint32_t offset);
// "thread (1,0,0)", or with its block where that is another one.
device::Message who_stored(const Block&, const StoreRecord&);

// Reports bytes of shared memory that a copy by the lane reads and that an ordinary store wrote,
// where no fence of proxies is between the two.
void check_proxy(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset,
                 std::uint32_t size);

} // namespace course::emulator
