// Live: a device at the pace of a program, which reads results back between its launches.
//
// Modules, memory and counts stay until the object ends. Where a Device (device.hpp) executes a
// whole plan, this one executes each step when it is asked for, so there is only the emulated one.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"
#include "device/pace.hpp"
#include "device/texture.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace course::device {

// The launches of one kernel with the same grid, block and shared memory, added up.
struct LaunchSum {
  LaunchCounts counts; // instructions, barriers, shuffles, branches: of all of them
  std::uint64_t launches = 0;
  std::uint64_t left_out = 0; // blocks, of all of them: a sample was executed

  std::uint64_t blocks() const { return counts.grid.count() * launches; }
  std::vector<LineCounts> lines;
};

// One launch by itself: what it added to the sum of its kind.
struct OneLaunch {
  std::size_t kind = 0; // the place of its sum in launches()
  std::uint64_t instructions = 0;
  std::uint64_t shared_requests = 0, wavefronts = 0, ideal = 0;
  std::uint64_t extra_of_copies = 0; // wavefronts beyond the ideal that are no bank conflicts
  std::uint64_t sectors_load = 0, sectors_store = 0, sectors_atomic = 0;
  bool stopped = false;       // before its end, by Pace::stop
  std::uint64_t left_out = 0; // blocks, by a sample
};

class Live {
public:
  struct Answer {
    enum class Status {
      done,
      failed,      // it cannot be done, or the kernel did what a GPU does not survive
      unsupported, // the device cannot execute this code: `reason` names the instruction and line
    };
    Status status = Status::done;
    Message reason;                   // when it is not done
    std::optional<FindingKind> ended; // what a kernel did; then no later step makes sense
  };

  virtual ~Live() = default;

  virtual const model::Gpu& gpu() const = 0; // that it is

  // The module's variables exist from then on. When it is done, `number` is the module's; modules
  // that could not be loaded are counted too.
  virtual Answer load(Module, std::uint32_t& number) = 0;
  virtual Answer execute(const Step&) = 0;

  // Memory whose bytes the caller keeps, which both read and write; there have to be kSlack bytes
  // behind it. It counts as written, and kernels may only read it or not. It ends with a Free step,
  // and may be unmapped then.
  static constexpr std::uint64_t kSlack = 64;
  // `named`: what messages call it.
  virtual Answer share(Address, std::byte* bytes, std::uint64_t size, bool read_only,
                       const Message& named) = 0;

  // A __managed__ variable's bytes are those of the caller from then on; they are given its value.
  virtual Answer share_symbol(std::uint32_t module, const std::string& symbol,
                              std::byte* bytes) = 0;
  // Of what is shared: what launches have touched since the host waited last, in order; that host
  // code does before it waits, a finding where a launch may not be done with it; that it has
  // waited.
  virtual std::vector<TouchedPages> touched_pages() const = 0;
  // `place`: "main.cu:24", of the host code; empty where nobody knows. Asked for of a race alone.
  virtual void host_touches(Address, bool writes, const std::function<std::string()>& place) = 0;
  virtual void host_waits() = 0;

  // A texture or surface object, never 0, and its end: false where there is none.
  virtual std::uint64_t create_texture(const Texture&) = 0;
  virtual bool destroy_texture(std::uint64_t object) = 0;
  // Of malloc in kernels, in bytes.
  virtual void set_heap_limit(std::uint64_t bytes) = 0;

  virtual Answer read(Address, std::uint64_t size, Bytes& out) = 0;
  virtual Answer read_symbol(std::uint32_t module, const std::string& symbol, std::uint64_t offset,
                             std::uint64_t size, Bytes& out) = 0;
  virtual Answer symbol_address(std::uint32_t module, const std::string& symbol, Address& out) = 0;

  // What kernels printed since the last call.
  virtual std::string take_printed() = 0;

  // Since the beginning. In order of the first launch.
  virtual std::vector<LaunchSum> launches() const = 0;
  // The first kMostLaunches of them, in the order they came.
  static constexpr std::size_t kMostLaunches = 100'000;
  virtual const std::vector<OneLaunch>& each_launch() const = 0;
  // Of each line; none where they are not counted.
  virtual std::vector<LineInstructions> instructions() const = 0;
  virtual const std::vector<Finding>& findings() const = 0;
  // Threads of some launch can tell who was first (Observation::order_matters).
  virtual bool order_matters() const = 0;
  // So many of the launches were not executed, since they had been with all that they touch as it
  // was: their results and counts are those of then.
  virtual std::uint64_t known_launches() const = 0;

  Pace& pace() { return pace_; }

private:
  Pace pace_;
};

} // namespace course::device
