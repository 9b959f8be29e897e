#include "device/gpu/source_map.hpp"

#include "device/code/ptx/parse.hpp"
#include "device/code/sass/access_widths.hpp"
#include "device/code/sass/as_read.hpp"
#include "device/code/sass/decode.hpp"
#include "device/gpu/beyond_banks.hpp"
#include "elf/elf_file.hpp"

#include <cstring>
#include <set>

namespace course::gpu {
namespace {

using Does = InstructionCounts::Does;
using model::RequestKind, model::RequestType;

RequestType atomic_of(const sass::Access& access) {
  // The widths of global atomics are not decoded; their sectors do not depend on them.
  if (access.memory != sass::Memory::shared) return {RequestKind::global_atomic, 0};
  switch (access.atomic) {
  case sass::Atomic::popc_inc:
    return {RequestKind::shared_atomic_increment, access.width};
  case sass::Atomic::cas:
    return {RequestKind::shared_atomic_cas, access.width};
  case sass::Atomic::cast_spin:
    return {RequestKind::shared_atomic_loop, access.width};
  default:
    return {RequestKind::shared_atomic, access.width};
  }
}

// By sass::Memory, but for none. Nothing stores to constant memory.
constexpr RequestKind kLoads[] = {RequestKind::shared_load, RequestKind::global_load,
                                  RequestKind::local_load, RequestKind::constant_load,
                                  RequestKind::generic_load};
constexpr RequestKind kStores[] = {RequestKind::shared_store, RequestKind::global_store,
                                   RequestKind::local_store, RequestKind::generic_store,
                                   RequestKind::generic_store};

std::optional<RequestType> reported(const sass::Access& access, sass::Word word) {
  constexpr std::uint64_t kThroughL1 = 1ull << 17; // of LDGSTS; without it, BYPASS: PTX's .cg
  const auto plain = [&](const RequestKind(&by_memory)[5]) -> std::optional<RequestType> {
    if (access.memory == sass::Memory::none) return std::nullopt;
    return RequestType{by_memory[static_cast<std::size_t>(access.memory)], access.width};
  };
  switch (access.operation) {
  case sass::Operation::load:
    return plain(kLoads);
  case sass::Operation::store:
    return plain(kStores);
  case sass::Operation::atomic:
    return atomic_of(access);
  case sass::Operation::matrix_load:
    return RequestType{RequestKind::ldmatrix, 4 * access.matrices};
  case sass::Operation::matrix_store:
    return RequestType{RequestKind::stmatrix, 4 * access.matrices};
  case sass::Operation::copy:
    return RequestType{RequestKind::cp_async, access.width, (word.high & kThroughL1) == 0};
  default:
    return std::nullopt;
  }
}

// Barriers and shuffles touch no memory and are counted all the same.
Does what_it_does(const std::optional<sass::Access>& access, bool kind, sass::Word word) {
  constexpr std::uint64_t kBar = 0x11d;
  if (kind) return Does::access;
  if (access) return access->operation == sass::Operation::shuffle ? Does::shuffle : Does::other;
  return (word.low & 0x1ff) == kBar ? Does::barrier : Does::other;
}

struct Line {
  std::string file;
  std::uint32_t line = 0;

  bool operator==(const Line&) const = default;
};

struct ShownLines {
  std::map<std::uint32_t, Line> of; // the line to show for each line of PTX
  std::set<std::uint32_t> products; // lines of PTX that are a wgmma
  // The one line to show for all products of a kernel; 0 where they are on several.
  std::map<std::string, Line> of_products;
};

// The line of an instruction, by the line of PTX that ptxas's table gives it. It gives a wgmma that
// of what it moved before it: three in four products of a tile had that of a wait, in cubins of
// nvcc 13.0. Such a one is on the line of all others of its kernel, or on none that is known.
Line line_of(const ShownLines& shown, const std::string& kernel, std::uint32_t ptx_line,
             bool product) {
  if (product && !shown.products.contains(ptx_line)) {
    const auto others = shown.of_products.find(kernel);
    return others == shown.of_products.end() ? Line() : others->second;
  }
  const auto line = shown.of.find(ptx_line);
  return ptx_line == 0 || line == shown.of.end() ? Line() : line->second;
}

ShownLines shown_lines(const std::string& text) {
  ShownLines lines;
  const auto parsed = ptx::parse(text);
  const auto* module = std::get_if<ptx::Module>(&parsed);
  if (!module) return lines;
  for (const auto& function : module->functions) {
    for (const auto& instruction : function.body) {
      const auto file = module->files.find(instruction.source.file);
      const bool known = file != module->files.end() && instruction.source.line != 0;
      const Line line = known ? Line{file->second, instruction.source.line} : Line();
      if (known) lines.of[instruction.ptx_line] = line;
      if (instruction.row->opcode != ptx::Opcode::wgmma_mma_async) continue;
      lines.products.insert(instruction.ptx_line);
      const auto [of_all, is_first] = lines.of_products.try_emplace(function.name, line);
      if (!is_first && of_all->second != line) of_all->second = Line();
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
        const auto kind = access ? reported(*access, word) : beyond_banks_kind(word);
        place.does = what_it_does(access, kind.has_value(), word);
        place.kind = kind.value_or(RequestType());
        if (place.does != Does::other)
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
    for (std::size_t i = 0; i < kernel.line_of.size(); ++i) {
      const auto at = static_cast<std::uint32_t>(i * sass::kInstructionBytes);
      const auto place = places_.find({kernel.name, at});
      if (place == places_.end()) continue;
      const auto ptx_line = place->second.ptx_line = kernel.line_of[i];
      const Line line = line_of(shown, kernel.name, ptx_line, place->second.is_product());
      place->second.file = line.file;
      place->second.line = line.line;
    }
  }
}

void SourceMap::describe(InstructionCounts& counts) const {
  const auto found = places_.find({counts.kernel, counts.pc});
  if (found == places_.end()) return;
  const Place& place = found->second;
  counts.does = place.does;
  counts.kind = place.kind;
  counts.ptx_line = place.ptx_line;
  if (place.line == 0 && !place.is_product()) return;
  counts.file = place.file;
  counts.line = place.line;
}

} // namespace course::gpu
