#include "device/gpu/device_memory.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

CUmemAllocationProp properties(CUdevice device) {
  CUmemAllocationProp result{};
  result.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  result.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  result.location.id = device;
  return result;
}

} // namespace

DeviceMemory::~DeviceMemory() {
  while (!mapped_.empty()) {
    if (unmap(mapped_.begin()->first)) mapped_.erase(mapped_.begin());
  }
  if (reserved_.size) driver_.cuMemAddressFree(reserved_.begin, reserved_.size);
}

std::uint64_t DeviceMemory::page() {
  if (page_ == 0) {
    const auto wanted = properties(driver_.device());
    std::size_t size = 0;
    if (driver_.cuMemGetAllocationGranularity(&size, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM) !=
            CUDA_SUCCESS ||
        size == 0)
      size = 2u << 20;
    page_ = size;
  }
  return page_;
}

std::optional<std::string> DeviceMemory::reserve(Region span) {
  if (span.size == 0) return {};
  CUdeviceptr got = 0;
  const CUresult result = driver_.cuMemAddressReserve(&got, span.size, 0, span.begin, 0);
  if (result != CUDA_SUCCESS)
    return "device addresses could not be reserved: " + driver_.error(result);
  if (got != span.begin) {
    driver_.cuMemAddressFree(got, span.size);
    return "the plan's device addresses are taken in this process";
  }
  reserved_ = span;
  return {};
}

std::optional<std::string> DeviceMemory::map(Region region) {
  const Region pages = pages_of(region, page());
  if (pages.begin < reserved_.begin || pages.end() > reserved_.end())
    return "a region lies outside the plan's addresses";
  for (const auto& [begin, other] : mapped_) {
    if (pages.begin < other.pages.end() && other.pages.begin < pages.end())
      return "two allocations of the plan share a page of " + std::to_string(page() >> 10) +
             " KiB; they must be further apart";
  }
  const auto wanted = properties(driver_.device());
  CUmemGenericAllocationHandle handle = 0;
  CUresult result = driver_.cuMemCreate(&handle, pages.size, &wanted, 0);
  if (result != CUDA_SUCCESS)
    return "no device memory for " + std::to_string(region.size) +
           " bytes: " + driver_.error(result);
  result = driver_.cuMemMap(pages.begin, pages.size, 0, handle, 0);
  if (result != CUDA_SUCCESS) {
    driver_.cuMemRelease(handle);
    return "device memory could not be mapped: " + driver_.error(result);
  }
  mapped_.emplace(region.begin, Mapping{region, pages, handle});
  CUmemAccessDesc access{};
  access.location = wanted.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  result = driver_.cuMemSetAccess(pages.begin, pages.size, &access, 1);
  for (const auto& part : slack_of(region, page())) {
    if (result != CUDA_SUCCESS) break;
    result = driver_.cuMemsetD8Async(part.begin, static_cast<unsigned char>(kSlackPoison),
                                     part.size, nullptr);
  }
  if (result != CUDA_SUCCESS)
    return "device memory could not be prepared: " + driver_.error(result);
  return {};
}

std::optional<std::string> DeviceMemory::unmap(device::Address begin) {
  const auto found = mapped_.find(begin);
  if (found == mapped_.end()) return "it frees memory that it does not have";
  const Mapping mapping = found->second;
  mapped_.erase(found);
  const CUresult result = driver_.cuMemUnmap(mapping.pages.begin, mapping.pages.size);
  driver_.cuMemRelease(mapping.handle);
  if (result != CUDA_SUCCESS)
    return "device memory could not be unmapped: " + driver_.error(result);
  return {};
}

std::optional<std::int64_t> DeviceMemory::first_overrun(device::Address begin) const {
  const auto found = mapped_.find(begin);
  if (found == mapped_.end()) return {};
  for (const auto& part : slack_of(found->second.region, page_)) {
    std::vector<std::byte> bytes(part.size);
    if (driver_.cuMemcpyDtoH(bytes.data(), part.begin, part.size) != CUDA_SUCCESS) return {};
    const auto bad =
        std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != kSlackPoison; });
    if (bad != bytes.end())
      return static_cast<std::int64_t>(part.begin - begin) + (bad - bytes.begin());
  }
  return {};
}

} // namespace course::gpu
