// The executor that executes nothing: it writes the program's CUDA work down as a plan.
#pragma once

#include "runtime/executor.hpp"

#include <vector>

namespace course::runtime {

class Recorder : public Executor {
public:
  struct Limits {
    std::uint64_t bytes = 256ull << 20; // of uploads and arguments
    std::uint64_t launches = 100'000;
    std::uint64_t steps = 1'000'000;
  };

  // The device code that was compiled from the student's file, and what is in it. Only this code is
  // recognised: an image must contain the cubin, or the PTX, of one of them byte for byte, which
  // those that the grader compiles do (--no-compress). The modules and the GPU must outlive the
  // recorder.
  Recorder(const model::Gpu&, const std::vector<device::Module>& modules,
           std::vector<device::ModuleInfo> infos);
  Recorder(const model::Gpu&, const std::vector<device::Module>& modules,
           std::vector<device::ModuleInfo> infos, Limits limits);

  device::Plan take_plan() { return std::move(plan_); }

  const model::Gpu& gpu() const override { return gpu_; }
  std::variant<std::uint32_t, device::Message> load(std::span<const std::byte> image) override;
  const device::ModuleInfo& module(std::uint32_t index) const override { return infos_[index]; }
  Answer execute(device::Step) override;
  Answer read(device::Address, std::uint64_t, device::Bytes&) override;
  Answer read_symbol(std::uint32_t, const std::string&, std::uint64_t, std::uint64_t,
                     device::Bytes&) override;
  Answer symbol_address(std::uint32_t, const std::string&, device::Address&) override;
  Answer synchronize() override { return {}; }
  void called_again() override; // the host waits for all work

  // How many steps there are at the end of each call before.
  const std::vector<std::size_t>& ends() const { return ends_; }

private:
  // A variable that stands at an address of its own, as the program asked for it. What the program
  // copies there from the host is recorded as a copy to the symbol.
  struct Placed {
    device::Address address = 0;
    std::uint32_t module = 0;
    device::SymbolInfo info;
  };
  const Placed* placed_at(device::Address) const; // nullptr: none
  // The step as it can be replayed on any device; or why it cannot.
  std::variant<device::Step, std::string> replayable(device::Step) const;

  const model::Gpu& gpu_;
  const std::vector<device::Module>& modules_;
  std::vector<device::ModuleInfo> infos_;
  Limits limits_;
  device::Plan plan_;
  std::vector<std::size_t> ends_;
  std::vector<Placed> placed_; // by address
  std::uint64_t bytes_ = 0, launches_ = 0;
};

} // namespace course::runtime
