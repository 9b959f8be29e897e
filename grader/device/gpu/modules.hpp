// A job's device code, loaded into the driver.
#pragma once

#include "device/gpu/driver.hpp"

#include "device/device.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

class Modules {
public:
  // Takes each module's cubin where this GPU can execute it, else has the driver compile the PTX,
  // as it is for this GPU (device/code/ptx/targets.hpp), with line information. `driver` must
  // outlive the result. The error is one sentence.
  static std::variant<Modules, std::string> load(const Driver& driver,
                                                 const std::vector<device::Module>&);
  Modules(Modules&&) noexcept;
  Modules& operator=(Modules&&) = delete;
  ~Modules();

  // Their errors are one sentence: no such module, kernel or symbol.
  std::variant<CUfunction, std::string> function(std::uint32_t module,
                                                 const std::string& kernel) const;
  struct Symbol {
    CUdeviceptr address = 0;
    std::size_t size = 0;
  };
  std::variant<Symbol, std::string> symbol(std::uint32_t module, const std::string& name) const;

  // Where the parameters of a kernel lie in a launch's argument bytes, and behind them the bytes in
  // all; of kernels that have one aligned as tensor maps are (tensor_maps.hpp). Such a one lies
  // elsewhere for the GPU, and the driver has to be told of each by itself. nullptr: of other
  // kernels.
  const std::vector<std::uint32_t>* parameter_offsets(std::uint32_t module,
                                                      const std::string& kernel) const;

  // The machine code that runs, an ELF image.
  const device::Bytes& image(std::uint32_t module) const { return loaded_.at(module).image; }

private:
  struct Loaded {
    CUmodule handle = nullptr;
    device::Bytes image;
    std::map<std::string, std::vector<std::uint32_t>> parameter_offsets;
  };
  explicit Modules(const Driver& driver) : driver_(&driver) {}
  const Driver* driver_;
  std::vector<Loaded> loaded_;
};

} // namespace course::gpu
