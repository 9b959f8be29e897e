// The executor that does the work at once, on a device that lives as long as the program.
#pragma once

#include "device/live.hpp"
#include "device/removed.hpp"
#include "runtime/call_places.hpp"
#include "runtime/executor.hpp"
#include "system/descriptor.hpp"

#include <deque>
#include <map>
#include <optional>

namespace course::runtime {

class LiveExecutor : public Executor {
public:
  // `device` has to outlive it.
  // `source` of the code that it will load, where it is known: names in messages come from it.
  // `places` of its calls.
  explicit LiveExecutor(device::Live& device, std::string source = {},
                        CallPlaces places = CallPlaces())
      : device_(device), source_(std::move(source)), places_(std::move(places)) {}
  ~LiveExecutor() override;
  LiveExecutor(const LiveExecutor&) = delete; // it maps memory
  LiveExecutor& operator=(const LiveExecutor&) = delete;

  // Of the modules that were loaded.
  const std::vector<device::RemovedArray>& removed() const { return removed_; }
  bool read_times() const { return read_times_; } // the program asked for times

  const model::Gpu& gpu() const override { return device_.gpu(); }
  std::variant<std::uint32_t, device::Message> load(std::span<const std::byte> image) override;
  const device::ModuleInfo& module(std::uint32_t index) const override { return infos_[index]; }

  // A kernel that fails does so behind the launch, as on a GPU: what is asked of the device next
  // gets the error.
  Answer execute(device::Step) override;
  Answer read(device::Address, std::uint64_t, device::Bytes&) override;
  Answer read_symbol(std::uint32_t, const std::string&, std::uint64_t, std::uint64_t,
                     device::Bytes&) override;
  Answer symbol_address(std::uint32_t, const std::string&, device::Address&) override;
  Answer synchronize() override { return lost_; }

  bool is_live() const override { return true; }
  Answer allocate_managed(device::Address, std::uint64_t, const device::Message& named,
                          std::string& path) override;
  Answer share_host(device::Address, std::uint64_t size, bool read_only,
                    const device::Message& named, std::vector<HostPages::Piece>& fresh) override;
  Answer share_symbol(std::uint32_t, const std::string&, device::Address&,
                      std::string& path) override;
  std::vector<device::TouchedPages> touched_pages() override { return device_.touched_pages(); }
  void host_touches(device::Address address, bool writes,
                    const std::vector<std::uint64_t>& from) override {
    device_.host_touches(address, writes, [&] { return places_.of(from); });
  }
  void host_waits() override { device_.host_waits(); }
  std::string place_of(const std::vector<std::uint64_t>& addresses) override {
    return places_.of(addresses);
  }
  std::uint64_t create_texture(const device::Texture& texture) override {
    return device_.create_texture(texture);
  }
  bool destroy_texture(std::uint64_t object) override { return device_.destroy_texture(object); }
  void set_heap_limit(std::uint64_t bytes) override { device_.set_heap_limit(bytes); }
  std::string take_printed() override { return device_.take_printed(); }
  void note_time() override { read_times_ = true; }

private:
  struct Mapping { // of managed memory
    std::byte* bytes = nullptr;
    std::size_t size = 0;
    system::Descriptor file;
  };
  void unmap(const Mapping&);
  std::optional<Mapping> make_mapping(std::uint64_t size);

  device::Live& device_;
  std::string source_;
  CallPlaces places_;
  std::vector<device::RemovedArray> removed_;
  std::deque<device::ModuleInfo> infos_; // of the device's modules
  std::map<device::Address, Mapping> managed_;
  HostPages host_pages_;
  Answer lost_; // of the kernel that failed; success until then
  bool read_times_ = false;
};

} // namespace course::runtime
