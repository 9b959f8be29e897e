// Races between launches, copies and host code, in memory that both have.
//
// Words that kernels change by volatile accesses or by atomics of the system's scope are there for
// host code that looks at them meanwhile, and are no race. Where such a word passes on what came
// before it, by a fence or a release of that scope, whoever has looked at it is behind the launch:
// what that did after its release is taken for done before.
//
// Work is done in the order of the calls, so what host code touches before it has waited has no
// wrong value here. Of each word that they have touched, and that the host has not waited for, it
// is kept that they did; what host code does there then is a race, unless both only read. Work of
// one stream is kept together as long as nobody can wait for a part of it.
#pragma once

#include "device/device.hpp"
#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/knowledge.hpp"

#include <bitset>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::emulator {

class Footprint;
class Program;
struct Code;

class HostRaces {
public:
  // What is noted from now on is of this work.
  void begin(StreamOrder::Work);
  // From now on somebody may wait for what was begun until now.
  void part();
  // The host has waited for what is before it now.
  void waited(const StreamOrder&);

  // After a launch: what it touched. `counters` say at which line.
  void note(const Footprint&, const Program&, const Code& entry, const Counters&,
            const ReleasedPlaces&);

  // After a copy or a fill, of bytes of this memory.
  void note(const Allocation&, device::Address, std::uint64_t size, bool writes,
            const std::string& name);

  std::vector<device::TouchedPages> touched() const;
  // Host code reads or writes at the address, in this memory. The race that it is.
  std::optional<device::Finding> touch(const Allocation&, device::Address, bool writes);
  void forget() { all_.clear(); }

private:
  struct By {             // a launch
    bool is_copy = false; // or a fill
    std::string kernel, file;
    std::uint32_t reads = 0, writes = 0; // lines; 0: unknown
    bool for_host = false; // it has volatile accesses there, or atomics of the system's scope
  };
  struct Page {
    static constexpr std::size_t kWords = 1024;
    std::bitset<kWords> read, changed, plainly; // plainly: changed so
    std::shared_ptr<const By> reader, writer;   // the last
  };
  using Pages = std::map<device::Address, Page>; // by the address of a page
  struct OfStream {
    StreamOrder::Work last;
    Pages pages;
    bool is_whole = false;                // later work is kept apart
    std::set<device::Address> flags = {}; // by which it tells host code what it has done
    bool is_seen = false;                 // host code has looked at one
  };
  OfStream& here();
  void see(const OfStream&);
  std::optional<device::Finding> touch(const Pages&, const Allocation&, device::Address,
                                       bool writes) const;

  StreamOrder::Work now_;
  std::deque<OfStream> all_; // in the order in which they began
};

} // namespace course::emulator
