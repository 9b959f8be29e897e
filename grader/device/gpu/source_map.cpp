#include "device/gpu/source_map.hpp"

#include "device/code/ptx/parse.hpp"
#include "device/code/sass/access_widths.hpp"
#include "device/code/sass/as_read.hpp"
#include "device/code/sass/decode.hpp"
#include "elf/elf_file.hpp"

#include <cstring>

namespace course::gpu {
namespace {

std::string with_width(std::string name, int width) {
  return std::move(name) + "_" + std::to_string(width);
}

std::string atomic_name(const sass::Access& access) {
  const bool shared = access.memory == sass::Memory::shared;
  // The widths of global atomics are not decoded; their sectors do not depend on them.
  if (!shared) return "global_atomic";
  switch (access.atomic) {
  case sass::Atomic::popc_inc:
    return with_width("shared_atomic_increment", access.width);
  case sass::Atomic::cas:
    return with_width("shared_atomic_cas", access.width);
  case sass::Atomic::cast_spin:
    return with_width("shared_atomic_loop", access.width);
  default:
    return with_width("shared_atomic", access.width);
  }
}

std::string name_of(const sass::Access& access, sass::Word word) {
  constexpr std::uint64_t kThroughL1 = 1ull << 17; // of LDGSTS; without it, BYPASS: PTX's .cg
  const char* const spaces[] = {"shared", "global", "local", "constant", "generic", ""};
  const std::string space = spaces[static_cast<int>(access.memory)];
  switch (access.operation) {
  case sass::Operation::load:
    return with_width(space + "_load", access.width);
  case sass::Operation::store:
    return with_width(space + "_store", access.width);
  case sass::Operation::atomic:
    return atomic_name(access);
  case sass::Operation::matrix_load:
    return "ldmatrix_x" + std::to_string(access.matrices);
  case sass::Operation::matrix_store:
    return "stmatrix_x" + std::to_string(access.matrices);
  case sass::Operation::copy:
    return with_width(word.high & kThroughL1 ? "cp_async_ca" : "cp_async_cg", access.width);
  case sass::Operation::shuffle:
    return "shuffle";
  case sass::Operation::vote:
  case sass::Operation::match:
  case sass::Operation::reduction:
    break;
  }
  return "";
}

// Instructions that touch no memory and are counted all the same.
std::string other_name(sass::Word word) {
  constexpr std::uint64_t kBar = 0x11d;
  return (word.low & 0x1ff) == kBar ? "barrier" : "";
}

struct Line {
  std::string file;
  std::uint32_t line = 0;
};

// The line to show for each line of PTX.
std::map<std::uint32_t, Line> shown_lines(const std::string& text) {
  std::map<std::uint32_t, Line> lines;
  const auto parsed = ptx::parse(text);
  const auto* module = std::get_if<ptx::Module>(&parsed);
  if (!module) return lines;
  for (const auto& function : module->functions) {
    for (const auto& instruction : function.body) {
      const auto file = module->files.find(instruction.source.file);
      if (file != module->files.end() && instruction.source.line != 0)
        lines[instruction.ptx_line] = {file->second, instruction.source.line};
    }
  }
  return lines;
}

} // namespace

SourceMap::SourceMap(std::span<const std::byte> cubin, const std::string& ptx_text) {
  constexpr std::string_view kCode = ".text.";
  try {
    const elf::File file(cubin);
    for (const auto& section : file.sections()) {
      if (!section.name.starts_with(kCode)) continue;
      const std::string function(std::string_view(section.name).substr(kCode.size()));
      for (std::size_t at = 0; at + sizeof(sass::Word) <= section.bytes.size();
           at += sizeof(sass::Word)) {
        sass::Word word;
        std::memcpy(&word, section.bytes.data() + at, sizeof word);
        const auto access = sass::decode(word);
        Place place;
        place.access = access ? name_of(*access, word) : other_name(word);
        if (!place.access.empty())
          places_[{function, static_cast<std::uint32_t>(at)}] = std::move(place);
      }
    }
  } catch (const elf::Malformed&) {
    places_.clear();
  }

  const auto read = sass::read(cubin);
  const auto* lines = std::get_if<sass::Cubin>(&read);
  if (!lines) return;
  const auto as_read = sass::lines_as_read(ptx_text, lines->ptx_text);
  const auto shown = shown_lines(as_read.value_or(ptx_text));
  for (const auto& kernel : lines->kernels) {
    for (const auto& access : kernel.accesses) {
      const auto place = places_.find({kernel.name, access.address});
      if (place == places_.end()) continue;
      place->second.ptx_line = access.ptx_line;
      const auto line = shown.find(access.ptx_line);
      if (access.ptx_line == 0 || line == shown.end()) continue;
      place->second.file = line->second.file;
      place->second.line = line->second.line;
    }
  }
}

void SourceMap::describe(InstructionCounts& counts) const {
  const auto found = places_.find({counts.kernel, counts.pc});
  if (found == places_.end()) return;
  const Place& place = found->second;
  counts.access = place.access;
  counts.ptx_line = place.ptx_line;
  if (place.line == 0) return;
  counts.file = place.file;
  counts.line = place.line;
}

} // namespace course::gpu
