#include "device/code/fatbin/fatbin.hpp"

#include "device/code/fatbin/decompress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::code {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint64_t kZstd = 0x8000, kLz4 = 0x2000, kSpecific = 0x100000;
// Bytes of all entries together, decompressed: a few kilobytes can claim to be gigabytes.
constexpr std::uint64_t kLargestUnpacked = 256 << 20;

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version, header_size;
  std::uint64_t size;
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_size;
  std::uint64_t size;
  std::uint32_t compressed_size, unknown;
  std::uint16_t minor, major;
  std::uint32_t architecture;
  std::uint32_t name_offset, name_length;
  std::uint64_t flags, unknown_too, full_size;
};
static_assert(sizeof(EntryHeader) == 64);

template <class Header>
Header header_at(elf::View bytes, std::uint64_t offset, const char* what) {
  try {
    return elf::read_at<Header>(bytes, offset);
  } catch (const elf::Malformed&) {
    throw BadFatbin(fmt::format("{}: cut off at offset {} of the fat binary", what, offset));
  }
}

elf::View slice(elf::View bytes, std::uint64_t offset, std::uint64_t size, const char* what) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    throw BadFatbin(
        fmt::format("{}: {} bytes are cut off at offset {} of the fat binary", what, size, offset));
  return bytes.subspan(offset, size);
}

// Takes what it returns from `budget`.
device::Bytes decompressed(elf::View data, const EntryHeader& header, std::uint64_t& budget) {
  const bool packed = header.flags & (kZstd | kLz4);
  const std::uint64_t size = packed ? header.full_size : data.size();
  if (size > budget || (packed && header.compressed_size > data.size()))
    throw BadFatbin(fmt::format("device code of {} bytes that claims to be {}", data.size(), size));
  budget -= size;
  if (!packed) return {data.begin(), data.end()};
  const elf::View compressed = data.first(header.compressed_size);
  return header.flags & kZstd ? decompress_zstd(compressed, size)
                              : decompress_lz4(compressed, size);
}

void drop_padding(device::Bytes& text) {
  while (!text.empty() && text.back() == std::byte{0}) text.pop_back();
}

std::vector<FatbinEntry> read_container(elf::View entries, std::uint64_t& budget) {
  std::vector<FatbinEntry> result;
  for (std::uint64_t offset = 0; offset < entries.size();) {
    const auto header = header_at<EntryHeader>(entries, offset, "an entry");
    if (header.header_size < sizeof(EntryHeader))
      throw BadFatbin(
          fmt::format("an entry with a header of {} bytes at offset {} of the fat binary",
                      header.header_size, offset));
    slice(entries, offset, header.header_size, "an entry's header");
    const std::uint64_t start = offset + header.header_size;
    const elf::View data = slice(entries, start, header.size, "an entry");
    offset = start + header.size;

    const auto kind = static_cast<FatbinEntry::Kind>(header.kind);
    if (kind != FatbinEntry::Kind::ptx && kind != FatbinEntry::Kind::elf) continue;
    FatbinEntry entry{kind, header.architecture, decompressed(data, header, budget),
                      (header.flags & kSpecific) != 0};
    if (kind == FatbinEntry::Kind::ptx) drop_padding(entry.data);
    result.push_back(std::move(entry));
  }
  return result;
}

const FatbinEntry* find(const std::vector<FatbinEntry>& entries, FatbinEntry::Kind kind,
                        const model::Gpu& gpu, bool specific) {
  const auto found = std::ranges::find_if(entries, [&](const FatbinEntry& entry) {
    return entry.kind == kind && entry.architecture == gpu.compute_capability &&
           entry.specific == specific;
  });
  return found == entries.end() ? nullptr : &*found;
}

} // namespace

std::vector<std::vector<FatbinEntry>> read_fatbin(elf::View containers) {
  std::vector<std::vector<FatbinEntry>> result;
  std::uint64_t budget = kLargestUnpacked;
  for (std::uint64_t offset = 0; offset < containers.size();) {
    // The linker aligns containers and fills the gaps with zeros.
    if (containers[offset] == std::byte{0}) {
      ++offset;
      continue;
    }
    const auto header = header_at<ContainerHeader>(containers, offset, "a container");
    if (header.magic != kMagic || header.version != 1 ||
        header.header_size != sizeof(ContainerHeader))
      throw BadFatbin(
          fmt::format("no fat binary of a known version at offset {} of the fat binary", offset));
    offset += sizeof(ContainerHeader);
    const elf::View entries = slice(containers, offset, header.size, "a container");
    result.push_back(read_container(entries, budget));
    offset += header.size;
  }
  return result;
}

std::vector<device::Module> modules_of_fatbin(elf::View containers, const model::Gpu& gpu) {
  std::vector<device::Module> modules;
  for (auto& entries : read_fatbin(containers)) {
    const FatbinEntry* ptx = find(entries, FatbinEntry::Kind::ptx, gpu, true);
    if (ptx == nullptr) ptx = find(entries, FatbinEntry::Kind::ptx, gpu, false);
    if (ptx == nullptr) continue;
    const FatbinEntry* cubin = find(entries, FatbinEntry::Kind::elf, gpu, ptx->specific);
    device::Module module;
    module.ptx.assign(reinterpret_cast<const char*>(ptx->data.data()), ptx->data.size());
    if (cubin != nullptr) module.cubin = cubin->data;
    modules.push_back(std::move(module));
  }
  return modules;
}

} // namespace course::code
