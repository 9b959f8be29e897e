// Machine: device memory and modules while work is done on them, one step after the other.
//
// A job (emulator.cpp) is a plan's steps on a fresh machine; a program that runs live (live.cpp)
// brings its steps as it goes.
#pragma once

#include "device/emulator/check/host_races.hpp"
#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/check/stream_races.hpp"
#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/emulator.hpp"
#include "device/emulator/execute/grid.hpp"
#include "device/emulator/execute/known_launches.hpp"
#include "device/emulator/execute/together.hpp"
#include "device/emulator/state/global_memory.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace course::emulator {

// A step that cannot be: it names memory or a symbol that is not there, or a launch beyond limits.
struct Failure {
  device::Message reason;
};

class Machine {
public:
  // `cores` have to outlive it.
  Machine(Cores& cores, const Options& options)
      : cores_(cores), options_(options), recent_(cores) {}

  const model::Gpu& gpu() const { return *options_.gpu; }

  // The variables of a module exist from then on. The program has to outlive the machine, and its
  // index is the number of modules before it. Where they do not fit beside all that there is:
  // Failure, and nothing has changed.
  void load(Program&);

  // Memory that no step allocates. `written` false: reading before writing is a finding.
  void place(device::Address, std::uint64_t size, const std::string& name, bool written);

  // The same with bytes that the caller keeps (GlobalMemory::place).
  void share(device::Address, std::uint64_t size, std::byte* bytes, bool read_only,
             const device::Message& named);

  // The same of a variable, which is there already: the bytes are given its value.
  void share(std::uint32_t module, const std::string& symbol, std::byte* bytes);
  // A texture or surface object for the launches that follow, and its end.
  std::uint64_t create_texture(const device::Texture&);
  bool destroy_texture(std::uint64_t object);

  HostRaces& host_races() { return host_races_; }
  const HostRaces& host_races() const { return host_races_; }

  // Host code reads or writes at the address. The race that it is.
  std::optional<device::Finding> host_touches(device::Address, bool writes);

  // Does one step: throws Failure and Refusal, and std::bad_alloc when this computer has no room.
  // A launch gives what it amounted to; it may execute at most `budget` warp-instructions.
  std::shared_ptr<const GridResult> step(const device::Step&, std::uint64_t budget);

  // From now on what is known to come to the same is not executed again.
  void know_launches();
  std::uint64_t known_launches() const { return known_count_; } // so many were not

  // `size` bytes from the address, all in one allocation. Throws Failure, which calls it
  // `what`: "an upload". `writes`: they count as written from then on.
  std::byte* range(device::Address, std::uint64_t size, device::MessageId what, bool writes);
  // The bytes of a variable from `offset`, wherever it is. Throws Failure.
  std::byte* symbol(std::uint32_t module, const std::string& name, std::uint64_t offset,
                    std::uint64_t size);
  // The same for a copy to the host, which is work of the stream in use.
  const std::byte* download(device::Address, std::uint64_t size);
  const std::byte* download(std::uint32_t module, const std::string& symbol, std::uint64_t offset,
                            std::uint64_t size);
  // What copies and fills race with, since the last call.
  std::vector<device::Finding> take_findings() { return std::exchange(findings_, {}); }
  // Where a __device__ variable is, or a __constant__ one for host code; nothing for other names.
  std::optional<device::Address> address_of(std::uint32_t module, const std::string& name) const;

  GlobalMemory& memory() { return memory_; }
  Program& program(std::uint32_t module) { return *programs_[module]; }

  // For the launches that follow.
  void set_order(const device::Order& order) { order_ = order; }
  void set_strict_acquires(bool strict) { strict_acquires_ = strict; }
  // Some may begin before the one before them has ended: better known before the first of them.
  void expect_early_launches() { stream_order_.expect_early(); }
  // For the launches that follow; it has to outlive them.
  void set_pace(device::Pace* pace) { pace_ = pace; }
  // For the launches that follow. The log and the trace have to outlive them.
  void watch(RequestLog* log, bool count_operations, WayTrace* ways = nullptr) {
    log_ = log;
    count_operations_ = count_operations;
    ways_ = ways;
  }

private:
  void make_sure_of_room(const Program&) const;
  // Bytes of __constant__ variables at their address for host code; nullptr: it is not one.
  std::byte* constant_range(device::Address, std::uint64_t size, device::MessageId what);
  void claim(device::Address, std::uint64_t size, const std::string& name);
  void step(const device::Allocate&);
  void step(const device::Free&);
  void step(const device::Fill&);
  void step(const device::Copy&);
  void step(const device::Upload&);
  void step(const device::SymbolUpload&);
  void step(const device::StreamCall&);
  device::Bytes placed_arguments(const device::Launch&) const;
  std::shared_ptr<const GridResult> launch(const device::Launch&, std::uint64_t budget);
  std::shared_ptr<GridResult> run(Launch&, bool may_be_known);
  GridResult run(Launch&);
  bool may_be_together(const Launch&) const;
  void add_together(PastLaunch, GridResult&);
  std::optional<Undo> undo_of(device::Address, std::uint64_t size);
  void may_be_again(std::optional<Undo>, std::function<void()> again); // work that is done
  void put(device::Address, std::byte* to, const device::Bytes&);
  void changes(device::Address, std::uint64_t size);
  void take_to_host(device::Address, std::uint64_t size);
  device::Address grid_workspace();
  Allocation* constant_variable(device::Address);
  StreamRaces* begin_work(const Program*, const WorkName&, ConstantVariables* = nullptr,
                          StreamOrder::LetsNext = StreamOrder::LetsNext::when_done);
  void touch(StreamRaces*, device::Address, std::uint64_t size, bool writes);

  Cores& cores_;
  Options options_;
  std::vector<Program*> programs_;
  std::uint64_t memory_used_ = 0;
  GlobalMemory memory_;
  std::deque<ConstantVariables> constant_variables_; // of each module
  StreamOrder stream_order_;
  StreamRaces stream_races_; // ends before the memory
  HostRaces host_races_;
  StreamOrder::Work work_;
  std::string work_name_; // of what was begun last
  RecentWork recent_;     // at liberty
  std::map<std::uint64_t, device::Texture> textures_;
  std::uint64_t next_texture_ = 1;
  bool shares_ = false;                  // host code has some of the memory
  std::unique_ptr<KnownLaunches> known_; // absent where each is executed
  std::uint64_t known_count_ = 0;
  std::vector<device::Finding> findings_;
  std::vector<device::Bytes> constants_; // of each module
  std::uint32_t launches_ = 0;
  device::Order order_;
  bool strict_acquires_ = false;
  RequestLog* log_ = nullptr;
  device::Pace* pace_ = nullptr;
  bool count_operations_ = false;
  WayTrace* ways_ = nullptr;
};

} // namespace course::emulator
