// Block: the threads of one block while they execute, and what they share.
#pragma once

#include "device/device.hpp"
#include "device/emulator/check/findings.hpp"
#include "device/emulator/check/order.hpp"
#include "device/emulator/check/remote.hpp"
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/execute/bulk_copy.hpp"
#include "device/emulator/execute/choices.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/execute/register_pool.hpp"
#include "device/emulator/execute/wgmma.hpp"
#include "device/emulator/state/shared_memory.hpp"
#include "device/emulator/state/warp.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Cluster;
struct Launch;
class Undefined;

inline constexpr std::uint32_t kBarriers = 16; // named barriers of a block

// Threads that wait at a barrier. A barrier of the whole block is complete when all threads that
// have not ended have arrived, another when `needed` have.
struct Barrier {
  std::uint32_t arrived = 0;                               // threads
  std::uint32_t needed = 0;                                // 0: the whole block
  std::uint32_t warps = 0;                                 // that have a thread in it
  std::uint32_t passed = 0;                                // of these, that did not wait
  std::array<std::uint32_t, kLanes> arrival{};             // their stamps then
  std::uint32_t true_predicates = 0, false_predicates = 0; // bar.red: that threads brought
};

struct Site;

struct Block {
  const Launch* launch = nullptr;
  device::Dim3 index;
  std::uint64_t linear = 0; // index.x + grid.x * (index.y + grid.y * index.z)
  std::vector<Warp> warps;
  SharedMemory shared;
  BlockOrder order;
  Cluster* cluster = nullptr;    // nullptr: it is alone
  std::uint32_t rank = 0;        // in its cluster
  std::uint32_t rank_bits = 0;   // that addresses of its shared memory have above the offset
  RemoteHistory remote;          // what others of the cluster do in its shared memory
  std::uint64_t first_owner = 0; // its first thread, as footprint.hpp counts those of the grid
  std::array<Barrier, kBarriers> barriers;
  std::uint32_t live = 0; // threads that have not ended
  bool checks = true;     // races and uninitialised reads

  // Of the worker, over all its blocks of a launch.
  Counters counters;
  // How often each operation was executed; empty when the launch does not ask for it.
  std::unordered_map<const Code*, std::vector<std::uint64_t>> executed;
  Findings findings;
  std::uint64_t instructions = 0, barrier_count = 0, shuffles = 0, shuffles_in_ptx = 0,
                divergent_branches = 0;
  std::string printed;

  std::uint64_t block_instructions = 0; // of this block, for the budget
  std::uint64_t told = 0;               // of them, to the launch's pace
  Landing landing;                      // of asynchronous copies
  MemoryBarriers memory_barriers;
  BulkReads bulk_reads;
  Products products; // of warpgroups
  RegisterPool registers;
  std::shared_ptr<Undefined> undefined; // values; absent before the first
  bool keeps_undefined = false;         // in shared memory, where something has stored them
  // The last warp that tried an atomic loop on each word of shared memory, plus 1; empty before
  // any.
  std::vector<std::uint8_t> attempted_by;
  std::unordered_map<std::uint32_t, Looks> looks; // of threads, where orders are chosen
  std::uint64_t errors = 0;                       // of this block, however many are one finding
  bool ended = false;                             // a fatal finding ended the kernel here

  AccessCounter& counter(std::uint32_t id) {
    auto& counter = counters[id];
    if (!counter) [[unlikely]]
      counter = std::make_unique<AccessCounter>();
    return *counter;
  }

  Undefined& undefined_values();

  device::Dim3 thread(const Warp&, std::uint32_t lane) const;

  // One more occurrence of a finding at a site; `message` is called when it is the first.
  template <typename Describe>
  void report(device::FindingKind kind, std::uint32_t site, std::uint32_t other_site,
              const Warp& warp, std::uint32_t lane, Describe&& message,
              device::Meeting meeting = {}) {
    if (errors >= kMostErrors) return;
    const Findings::Place place{kind, site, other_site};
    if (findings.is_new(place, linear)) describe(place, warp, lane, message(), meeting);
    if (counts_to_end(place) && ++errors == kMostErrors) [[unlikely]]
      end_at(place);
  }
  // The same of an access that meets one of another launch, at a line of this file or at 0. `other`
  // stands for that one.
  template <typename Describe>
  void report_across(std::uint32_t site, std::uint32_t other, std::uint32_t other_line,
                     const Warp& warp, std::uint32_t lane, Describe&& message) {
    const Findings::Place place{device::FindingKind::race, site, other};
    if (findings.is_new(place, linear))
      describe(place, warp, lane, message(), device::Meeting::between_streams, other_line);
  }
  // Reports, and ends the kernel. `site`: says which calls led there.
  void fail(device::FindingKind kind, const ptx::SourceLine& source, const Warp& warp,
            std::uint32_t lane, device::Message message, const ptx::SourceLine& other = {},
            const Site* site = nullptr);

private:
  bool counts_to_end(const Findings::Place&) const;
  void end_at(const Findings::Place&);
  void describe(const Findings::Place&, const Warp&, std::uint32_t lane, device::Message message,
                device::Meeting, std::optional<std::uint32_t> other_line = {});
  std::vector<std::uint32_t> calls_to(const Site&, const Warp&, std::uint32_t lane) const;
};

} // namespace course::emulator
