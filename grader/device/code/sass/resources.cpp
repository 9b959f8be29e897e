#include "device/code/sass/resources.hpp"

#include "elf/elf_file.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace course::sass {
namespace {

constexpr std::string_view kCode = ".text.";
constexpr std::string_view kShared = ".nv.shared.";
constexpr std::uint64_t kReservedShared = 1024;

enum Attribute : std::uint8_t { stack_size = 0x12, register_count = 0x2f };
constexpr std::uint8_t kSized = 4; // the format whose third field is a size

// Entries without a size hold their value in the third field.
void read_info(elf::View info, const std::vector<elf::Symbol>& symbols,
               std::map<std::string, Resources>& kernels) {
  struct Entry {
    std::uint8_t format, attribute;
    std::uint16_t size;
  };
  struct Value {
    std::uint32_t symbol, number;
  };
  for (std::uint64_t at = 0; at + sizeof(Entry) <= info.size();) {
    const auto entry = elf::read_at<Entry>(info, at);
    at += sizeof(Entry);
    if (entry.format != kSized) continue;
    if (entry.size == sizeof(Value)) {
      const auto value = elf::read_at<Value>(info, at);
      if (value.symbol >= symbols.size()) throw elf::Malformed("an unknown symbol in .nv.info");
      const auto kernel = kernels.find(std::string(symbols[value.symbol].name));
      if (kernel != kernels.end() && entry.attribute == register_count) {
        kernel->second.registers = value.number;
      }
      if (kernel != kernels.end() && entry.attribute == stack_size) {
        kernel->second.stack = value.number;
      }
    }
    at += entry.size;
  }
}

std::map<std::string, Resources> read(const elf::File& file) {
  std::map<std::string, Resources> kernels;
  for (const elf::Section& section : file.sections()) {
    if (section.name.starts_with(kCode)) kernels[std::string(section.name.substr(kCode.size()))];
  }
  for (const elf::Section& section : file.sections()) {
    if (!section.name.starts_with(kShared) || section.size < kReservedShared) continue;
    const auto kernel = kernels.find(std::string(section.name.substr(kShared.size())));
    if (kernel == kernels.end()) continue;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    kernel->second.shared =
        static_cast<std::uint32_t>(std::min(section.size - kReservedShared, kMost));
  }
  const elf::Section* info = file.find(".nv.info");
  const elf::Section* symbols = file.find(".symtab");
  if (info && symbols) read_info(info->bytes, file.symbols(*symbols), kernels);
  return kernels;
}

} // namespace

std::map<std::string, Resources> resources(std::span<const std::byte> cubin) {
  try {
    return read(elf::File(cubin));
  } catch (const elf::Malformed&) {
    return {};
  }
}

} // namespace course::sass
