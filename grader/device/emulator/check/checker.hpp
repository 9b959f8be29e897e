// Checker: what the checks keep of a block, and where they report what they find.
#pragma once

#include "device/emulator/check/findings.hpp"
#include "device/emulator/check/observer.hpp"
#include "device/emulator/check/order.hpp"
#include "device/emulator/check/race.hpp"
#include "device/emulator/check/remote.hpp"
#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/state/block.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace course::emulator {

class Undefined;

struct Checker {
  explicit Checker(Block& of) : block(of) {}

  Block& block;
  Shadow shadow; // of its shared memory
  BlockOrder order;
  RemoteHistory remote;                 // what others of the cluster do in its shared memory
  std::shared_ptr<Undefined> undefined; // values; absent before the first
  Observers observers;                  // none in most kernels
  bool keeps_undefined = false;         // in shared memory, where something has stored them
  std::uint64_t errors = 0;             // of this block, however many are one finding
  Findings findings;                    // of the worker, over all its blocks of a launch

  Undefined& undefined_values();

  // For observers, where there are some.
  void shared_access(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);
  void global_access(Warp&, const MemoryOperand&, std::uint32_t mask, const Allocation&,
                     const LaneAddresses&);
  // What happens to all of the block, and to lanes of one warp that meet; `whole`: they are all
  // that have not ended.
  void begin_block(bool keeps_order);
  void block_barrier();
  void warp_barrier(Warp&, std::uint32_t lanes, bool whole);
  void end_block(); // by itself

  // One more occurrence of a finding at a site; `message` is called when it is the first.
  template <typename Describe>
  void report(device::FindingKind kind, std::uint32_t site, std::uint32_t other_site,
              const Warp& warp, std::uint32_t lane, Describe&& message,
              device::Meeting meeting = {}) {
    if (errors >= kMostErrors) return;
    const Findings::Place place{kind, site, other_site};
    if (findings.is_new(place, block.linear)) describe(place, warp, lane, message(), meeting);
    if (counts_to_end(place) && ++errors == kMostErrors) [[unlikely]]
      end_at(place);
  }
  // The same of an access that meets one of another launch, at a line of this file or at 0. `other`
  // stands for that one.
  template <typename Describe>
  void report_across(std::uint32_t site, std::uint32_t other, std::uint32_t other_line,
                     const Warp& warp, std::uint32_t lane, Describe&& message) {
    const Findings::Place place{device::FindingKind::race, site, other};
    if (findings.is_new(place, block.linear))
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
