#include "device/code/fatbin/device_code.hpp"

#include "device/code/fatbin/fatbin.hpp"
#include "device/code/fatbin/linked_ptx.hpp"

#include <fmt/format.h>

#include <utility>

namespace course::code {

namespace {

using Entry = FatbinEntry;

std::string why_none(const model::Gpu& gpu, const std::vector<Entry>& entries) {
  const auto remedy =
      fmt::format("build it with nvcc -arch=sm_{}, which puts both in", gpu.compute_capability);
  for (const auto& entry : entries) {
    const bool is_ptx = entry.kind == Entry::Kind::ptx;
    if (is_ptx)
      return fmt::format("its PTX is for compute_{}, newer than this device's compute_{}; {}",
                         entry.architecture, gpu.compute_capability, remedy);
  }
  if (entries.empty()) return fmt::format("it has no device code; {}", remedy);
  return fmt::format("it has machine code for sm_{} but no PTX, which is what is executed here; {}",
                     entries.front().architecture, remedy);
}

const Entry* newest_ptx(const model::Gpu& gpu, const std::vector<Entry>& entries) {
  const Entry* newest = nullptr;
  for (const auto& entry : entries) {
    if (entry.kind != Entry::Kind::ptx || entry.architecture > gpu.compute_capability) continue;
    const auto newer = [](const Entry& a, const Entry& b) {
      return std::pair(a.architecture, a.specific) > std::pair(b.architecture, b.specific);
    };
    if (entry.specific && entry.architecture != gpu.compute_capability) continue;
    if (!newest || newer(entry, *newest)) newest = &entry;
  }
  return newest;
}

std::string text_of(const Entry& ptx) {
  return {reinterpret_cast<const char*>(ptx.data.data()), ptx.data.size()};
}

// Of a program that was linked from relocatable device code: machine code first, then what it was
// linked from.
bool is_linked(const model::Gpu& gpu, const std::vector<std::vector<Entry>>& containers) {
  if (containers.size() < 2 || newest_ptx(gpu, containers.front())) return false;
  for (const auto& container : containers)
    if (newest_ptx(gpu, container)) return true;
  return false;
}

std::variant<device::Module, std::string> linked(const model::Gpu& gpu,
                                                 std::vector<std::vector<Entry>>& containers) {
  std::vector<std::string> units;
  for (const auto& container : containers)
    if (const Entry* ptx = newest_ptx(gpu, container)) units.push_back(text_of(*ptx));
  auto made = link_ptx(units);
  if (auto* why = std::get_if<std::string>(&made)) return std::move(*why);
  device::Module module;
  module.ptx = std::move(std::get<LinkedPtx>(made).text);
  for (auto& entry : containers.front())
    if (entry.kind == Entry::Kind::elf && entry.architecture == gpu.compute_capability)
      module.cubin = std::move(entry.data);
  return module;
}

} // namespace

std::variant<device::Module, std::string> choose_device_code(const model::Gpu& gpu,
                                                             std::span<const std::byte> image) {
  std::vector<Entry> entries;
  try {
    auto containers = read_fatbin(image);
    if (is_linked(gpu, containers)) return linked(gpu, containers);
    for (auto& container : containers)
      for (auto& entry : container) entries.push_back(std::move(entry));
  } catch (const BadFatbin& fault) {
    return std::string("its device code cannot be read: ") + fault.what();
  }
  const Entry* ptx = newest_ptx(gpu, entries);
  if (!ptx) return why_none(gpu, entries);
  device::Module module;
  module.ptx = text_of(*ptx);
  // Another architecture's machine code says nothing about this GPU's accesses.
  for (auto& entry : entries) {
    const bool same = entry.architecture == gpu.compute_capability &&
                      ptx->architecture == gpu.compute_capability &&
                      entry.specific == ptx->specific;
    if (entry.kind == Entry::Kind::elf && same) module.cubin = std::move(entry.data);
  }
  return module;
}

} // namespace course::code
