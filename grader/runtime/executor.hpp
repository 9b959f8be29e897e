// Executor: what becomes of the CUDA work that a session has found valid.
//
// The session answers everything that depends on the program's own calls; an executor does the
// work. The recorder (recorder.hpp) writes it down as a plan; an executor that has a device does it
// at once (live.hpp) and can also answer what only execution can: memory read back, addresses of
// symbols.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"
#include "device/module_info.hpp"
#include "device/texture.hpp"
#include "runtime/cuda_error.hpp"
#include "runtime/host_pages.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace course::runtime {

class Executor {
public:
  struct Answer {
    CudaStatus status = CudaStatus::success;
    device::Message why;       // may be empty
    bool refused = false;      // this executor cannot do it: it is reported by the call's name
    bool context_lost = false; // every later call fails with this status
    std::string full;          // not empty: no more work is taken, and the session ends for this
  };

  virtual ~Executor() = default;

  virtual const model::Gpu& gpu() const = 0; // that the program is told it has

  // Device code as the program registered it, a fat binary's container. Gives the module's number,
  // or why this code is not executed.
  virtual std::variant<std::uint32_t, device::Message> load(std::span<const std::byte> image) = 0;

  // Of a module that `load` gave; valid as long as the executor.
  virtual const device::ModuleInfo& module(std::uint32_t) const = 0;

  // The session has checked addresses, sizes, names and the launch's limits.
  virtual Answer execute(device::Step) = 0;

  virtual Answer read(device::Address, std::uint64_t size, device::Bytes& out) = 0;
  virtual Answer read_symbol(std::uint32_t module, const std::string& symbol, std::uint64_t offset,
                             std::uint64_t size, device::Bytes& out) = 0;
  virtual Answer symbol_address(std::uint32_t module, const std::string& symbol,
                                device::Address& out) = 0;
  virtual Answer synchronize() = 0; // gives the error of a kernel that failed since

  // What follows is of the call that a recording is of; there was one before it.
  virtual void called_again() {}

  // Whether work is done at once. Where it is not, the session refuses what follows.
  virtual bool is_live() const { return false; }

  // Memory that the program and the device both have, at this address: `path` is a file that the
  // program maps there.
  // `named`: what messages call it.
  virtual Answer allocate_managed(device::Address, std::uint64_t, const device::Message& /*named*/,
                                  std::string& /*path*/) {
    return {};
  }
  // The same of memory of the program's own, which kernels may only read or not: `fresh` are files
  // for those of its pages that it does not share yet. A step frees it.
  virtual Answer share_host(device::Address, std::uint64_t /*size*/, bool /*read_only*/,
                            const device::Message& /*named*/,
                            std::vector<HostPages::Piece>& /*fresh*/) {
    return {};
  }
  // The same of a __managed__ variable, which has an address already.
  virtual Answer share_symbol(std::uint32_t /*module*/, const std::string& /*symbol*/,
                              device::Address&, std::string& /*path*/) {
    return {};
  }
  // Of such memory: what launches have touched since the host last waited; that host code does
  // before it waits, which may be a race with them; and that it has waited.
  virtual std::vector<device::TouchedPages> touched_pages() { return {}; }
  virtual void host_touches(device::Address, bool /*writes*/,
                            const std::vector<std::uint64_t>& /*from*/) {}
  virtual void host_waits() {}

  // "main.cu:24" for return addresses in the program; empty where nobody knows.
  virtual std::string place_of(const std::vector<std::uint64_t>& /*addresses*/) { return {}; }

  // Of an executor that is live.
  virtual std::uint64_t create_texture(const device::Texture&) { return 0; }
  virtual bool destroy_texture(std::uint64_t /*object*/) { return false; }
  virtual void set_heap_limit(std::uint64_t /*bytes*/) {}

  // What kernels printed since the last call.
  virtual std::string take_printed() { return {}; }
  // The program asks how long something took.
  virtual void note_time() {}
};

} // namespace course::runtime
