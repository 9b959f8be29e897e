#include "runtime/live_executor.hpp"

#include "device/code/fatbin/device_code.hpp"
#include "device/message_id.hpp"
#include "runtime/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace course::runtime {

namespace {

using device::FindingKind;
using Status = device::Live::Answer::Status;

// What CUDA says of a kernel that ended so. One that waits for ever would never end on a GPU.
CudaStatus status_of(FindingKind kind, const device::Message& reason) {
  switch (kind) {
  case FindingKind::out_of_bounds:
    return device::says(reason, device::MessageId::in_local_memory)
               ? CudaStatus::invalid_address_space
               : CudaStatus::illegal_address;
  case FindingKind::use_after_free:
  case FindingKind::read_only:
    return CudaStatus::illegal_address;
  case FindingKind::misaligned:
    return CudaStatus::misaligned_address;
  case FindingKind::trap:
    return device::says(reason, device::MessageId::assertion_failed) ? CudaStatus::assertion
                                                                     : CudaStatus::launch_failure;
  case FindingKind::shuffle:
  case FindingKind::warp_barrier:
    return device::says(reason, device::MessageId::not_in_own_mask)
               ? CudaStatus::illegal_instruction
               : CudaStatus::launch_failure;
  default:
    return CudaStatus::launch_failure;
  }
}

Executor::Answer answer(const device::Live::Answer& from, CudaStatus failed) {
  Executor::Answer to;
  if (from.status == Status::done) return to;
  to.refused = from.status == Status::unsupported;
  to.status = to.refused ? CudaStatus::not_supported : failed;
  to.why = from.reason;
  return to;
}

Executor::Answer no_memory() {
  Executor::Answer refused;
  refused.status = CudaStatus::memory_allocation;
  refused.why = device::Message(device::MessageId::no_memory_here);
  return refused;
}

} // namespace

LiveExecutor::~LiveExecutor() {
  for (const auto& [address, mapping] : managed_) unmap(mapping);
}

void LiveExecutor::unmap(const Mapping& mapping) {
  munmap(mapping.bytes, mapping.size);
}

std::variant<std::uint32_t, device::Message> LiveExecutor::load(std::span<const std::byte> image) {
  auto code = code::choose_device_code(gpu(), image);
  if (auto* why = std::get_if<std::string>(&code)) return std::move(*why);
  auto& module = std::get<device::Module>(code);
  auto info = device::inspect(module);
  if (!info.error.empty()) return info.error;
  module.source = source_;
  for (auto& array : device::removed_arrays(module)) removed_.push_back(std::move(array));
  std::uint32_t number = 0;
  const auto loaded = device_.load(std::move(module), number);
  if (loaded.status != Status::done) return loaded.reason;
  infos_.resize(number);
  infos_.push_back(std::move(info));
  return number;
}

Executor::Answer LiveExecutor::execute(device::Step step) {
  if (lost_.status != CudaStatus::success) return lost_;
  const auto done = device_.execute(step);
  if (done.ended) {
    lost_ = answer(done, status_of(*done.ended, done.reason));
    lost_.context_lost = true;
    return {};
  }
  if (const auto* freed = std::get_if<device::Free>(&step)) {
    const auto found = managed_.find(freed->address);
    if (found != managed_.end()) {
      unmap(found->second);
      managed_.erase(found);
    }
    host_pages_.unshare(freed->address);
  }
  const bool allocates = std::holds_alternative<device::Allocate>(step);
  return answer(done, allocates ? CudaStatus::memory_allocation : CudaStatus::launch_failure);
}

Executor::Answer LiveExecutor::read(device::Address address, std::uint64_t size,
                                    device::Bytes& out) {
  if (lost_.status != CudaStatus::success) return lost_;
  return answer(device_.read(address, size, out), CudaStatus::invalid_value);
}

Executor::Answer LiveExecutor::read_symbol(std::uint32_t module, const std::string& symbol,
                                           std::uint64_t offset, std::uint64_t size,
                                           device::Bytes& out) {
  if (lost_.status != CudaStatus::success) return lost_;
  return answer(device_.read_symbol(module, symbol, offset, size, out), CudaStatus::invalid_symbol);
}

Executor::Answer LiveExecutor::symbol_address(std::uint32_t module, const std::string& symbol,
                                              device::Address& out) {
  return answer(device_.symbol_address(module, symbol, out), CudaStatus::invalid_symbol);
}

// Nothing: this computer has not enough memory.
std::optional<LiveExecutor::Mapping> LiveExecutor::make_mapping(std::uint64_t size) {
  constexpr std::uint64_t kPage = 4096;
  Mapping mapping;
  mapping.size = (size + device::Live::kSlack + kPage - 1) / kPage * kPage;
  mapping.file = sealed_file("course managed memory", mapping.size);
  if (!mapping.file) return std::nullopt;
  void* bytes =
      mmap(nullptr, mapping.size, PROT_READ | PROT_WRITE, MAP_SHARED, mapping.file.get(), 0);
  if (bytes == MAP_FAILED) return std::nullopt;
  mapping.bytes = static_cast<std::byte*>(bytes);
  return mapping;
}

Executor::Answer LiveExecutor::allocate_managed(device::Address address, std::uint64_t size,
                                                const device::Message& named, std::string& path) {
  if (lost_.status != CudaStatus::success) return lost_;
  auto mapping = make_mapping(size);
  if (!mapping) return no_memory();
  const auto placed = answer(device_.share(address, mapping->bytes, size, false, named),
                             CudaStatus::memory_allocation);
  if (placed.status != CudaStatus::success) {
    unmap(*mapping);
    return placed;
  }
  path = path_of(mapping->file);
  managed_[address] = std::move(*mapping);
  return {};
}

Executor::Answer LiveExecutor::share_host(device::Address address, std::uint64_t size,
                                          bool read_only, const device::Message& named,
                                          std::vector<HostPages::Piece>& fresh) {
  if (lost_.status != CudaStatus::success) return lost_;
  std::byte* bytes = host_pages_.share(address, size, fresh);
  if (!bytes) return no_memory();
  const auto placed =
      answer(device_.share(address, bytes, size, read_only, named), CudaStatus::memory_allocation);
  if (placed.status != CudaStatus::success) host_pages_.unshare(address);
  return placed;
}

Executor::Answer LiveExecutor::share_symbol(std::uint32_t module, const std::string& symbol,
                                            device::Address& address, std::string& path) {
  const auto* info = infos_[module].symbol(symbol);
  const auto placed = symbol_address(module, symbol, address);
  if (placed.status != CudaStatus::success || !info) return placed;
  if (const auto known = managed_.find(address); known == managed_.end()) {
    auto mapping = make_mapping(info->size);
    if (!mapping) return no_memory();
    const auto shared =
        answer(device_.share_symbol(module, symbol, mapping->bytes), CudaStatus::invalid_symbol);
    if (shared.status != CudaStatus::success) {
      unmap(*mapping);
      return shared;
    }
    managed_[address] = std::move(*mapping);
  }
  path = path_of(managed_[address].file);
  return {};
}

} // namespace course::runtime
