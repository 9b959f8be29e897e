// Launch: one kernel launch while it executes. Read by all workers; they share only the memory.
#pragma once

#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/knowledge.hpp"
#include "device/model/known_gpus.hpp"
#include "device/pace.hpp"
#include "device/texture.hpp"

#include <atomic>
#include <map>

namespace course::emulator {

class Chooser;
class Footprint;
class Histories;
class HostRaces;
class LateStores;
class Liberties;
class LiveRegisters;
class RequestLog;
class StreamRaces;
class Undo;
class WayTrace;
struct Effects;
struct OrderEvent;

struct Launch {
  const model::Gpu* gpu = nullptr; // that executes it
  Program* program = nullptr;
  const Code* entry = nullptr;
  device::Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  const device::Bytes* arguments = nullptr;
  GlobalMemory* memory = nullptr;
  const device::Bytes* constants = nullptr;
  const std::map<std::uint64_t, device::Texture>* textures = nullptr; // and surfaces, by object
  Layout shared;
  bool checks = true;
  // What accesses to global memory leave behind, in this execution of the launch (grid.hpp).
  Footprint* footprint = nullptr;
  Histories* histories = nullptr;
  ReleasedPlaces* places = nullptr;
  StreamRaces* stream_races = nullptr;        // where other streams have work that may be unordered
  HostRaces* host_races = nullptr;            // where host code has some of the memory
  const model::Architecture* banks = nullptr; // whose rules shared memory is counted by
  RequestLog* log = nullptr;                  // of watched requests; absent when nobody asked
  WayTrace* ways = nullptr;                   // follows data; absent when nobody asked
  device::Pace* pace = nullptr;               // of a live device
  bool count_operations = false;              // how often each was executed
  std::uint64_t budget = 0;                   // warp-instructions that are left for this launch
  std::uint32_t number = 0;                   // in the plan
  // Of a cooperative launch, whose blocks are all on the device at once; 0 for others.
  device::Address grid_workspace = 0;
  device::Order order;
  bool strict_acquires = false;              // device::Job
  bool lenient = false;                      // what a GPU survives is found, and ends no kernel
  Liberties* liberties = nullptr;            // that are taken; nullptr: none
  LateStores* late_stores = nullptr;         // beside them, where somebody may look for such
  Chooser* chooser = nullptr;                // of who goes on, step by step; nullptr: nobody asks
  LiveRegisters* live_registers = nullptr;   // asked by it
  std::vector<OrderEvent>* events = nullptr; // of such an execution, where they are kept
  std::uint64_t sample = 0; // of the grid's blocks at least so many are executed; 0: all
  device::Dim3 cluster;     // blocks that are on the device together and reach each other's memory
  // Whether blocks run as clusters: also of one, where the kernel has barriers of a cluster.
  bool clustered = false;
  bool explicit_cluster = false;      // somebody asked for it
  bool acquires_from_streams = false; // work of other streams has released something
  Undo* undo = nullptr;               // is told how to put memory back; nullptr: nobody wants to
  Effects* effects = nullptr;         // is told what it did; nullptr: nobody asks

  // Whether what releases and acquires order between its blocks is kept.
  bool keeps_places() const { return entry->synchronises || acquires_from_streams; }
  bool stopped() const { return pace && pace->stop.load(std::memory_order_relaxed); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps() const { return (threads() + kLanes - 1) / kLanes; }
};

} // namespace course::emulator
