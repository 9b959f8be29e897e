#include "device/code/sass/access_widths.hpp"

#include "device/code/sass/decode.hpp"
#include "device/code/sass/line_program.hpp"
#include "elf/elf_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace course::sass {
namespace {

constexpr std::uint16_t kMachine = 190; // EM_CUDA

// Which atomics are one elected lane's work.
//
// ptxas guards them by "am I the first active lane", and gives that comparison the PTX line of the
// atomic itself, or of another atomic when they share it. The guard of an atomic in a branch that
// was turned into a predicate comes from the line of a setp.
void mark_elected(std::vector<Access>& accesses) {
  // Loops end in a comparison of their own, at the line of the atomic.
  const auto may_be_elected = [](const Access& access) {
    return access.operation == Operation::atomic && access.atomic != Atomic::cas &&
           access.atomic != Atomic::cast_spin;
  };
  std::set<std::uint32_t> lines;
  for (const Access& access : accesses)
    if (may_be_elected(access)) lines.insert(access.ptx_line);
  for (Access& access : accesses)
    access.warp_aggregated =
        may_be_elected(access) && access.guard_line != 0 && lines.contains(access.guard_line);
}

Kernel read_kernel(const elf::Section& code, std::uint32_t section, std::string_view name,
                   const LineIndex& ptx, const LineIndex& source) {
  Kernel kernel;
  kernel.name = name;
  kernel.blocks = blocks(code.bytes);
  std::array<std::uint32_t, 7> set_at{}; // the latest line that set each predicate
  for (std::uint64_t at = 0; at + kInstructionBytes <= code.bytes.size(); at += kInstructionBytes) {
    const auto word = elf::read_at<Word>(code.bytes, at);
    const LineRow* row = ptx.find(section, at);
    const std::uint32_t ptx_line = row ? row->line : 0;
    if (ptx_line != 0) kernel.ptx_lines.push_back(ptx_line);
    kernel.line_of.push_back(ptx_line);
    if (leaves_meeting(word)) kernel.breaks.push_back(ptx_line);
    if (sets_registers(word)) kernel.sets_registers.push_back(ptx_line);
    for (std::uint32_t set = set_predicates(word); set != 0; set &= set - 1)
      set_at[static_cast<std::size_t>(std::countr_zero(set))] = ptx_line;
    std::optional<Access> access = decode(word);
    if (!access) continue;
    access->address = static_cast<std::uint32_t>(at);
    access->ptx_line = ptx_line;
    if (const LineRow* place = source.find(section, at)) {
      access->source_file = place->file - 1;
      access->source_line = place->line;
    }
    if (const auto predicate = guard(word))
      access->guard_line = set_at[static_cast<std::size_t>(*predicate)];
    kernel.accesses.push_back(*access);
  }
  mark_elected(kernel.accesses);
  std::sort(kernel.ptx_lines.begin(), kernel.ptx_lines.end());
  kernel.ptx_lines.erase(std::unique(kernel.ptx_lines.begin(), kernel.ptx_lines.end()),
                         kernel.ptx_lines.end());
  return kernel;
}

std::string text_as_read(const elf::File& file) {
  for (const elf::Section& section : file.sections()) {
    if (section.name != ".nv_debug_ptx_txt") continue;
    std::string text(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    std::replace(text.begin(), text.end(), '\0', '\n');
    return text;
  }
  return {};
}

Cubin read_file(const elf::File& file) {
  if (file.machine() != kMachine) throw elf::Malformed("this ELF file is not a cubin");
  LineTable ptx = read_lines(file, ".nv_debug_line_sass");
  LineTable source = read_lines(file, ".debug_line");
  Cubin result;
  result.has_lines = !ptx.rows.empty();
  result.ptx_text = text_as_read(file);
  result.files = source.files;
  const LineIndex ptx_index(std::move(ptx));
  const LineIndex source_index(std::move(source));
  constexpr std::string_view kCode = ".text.";
  for (std::uint32_t i = 0; i < file.sections().size(); ++i) {
    const elf::Section& section = file.sections()[i];
    if (!section.name.starts_with(kCode)) continue;
    result.kernels.push_back(
        read_kernel(section, i, section.name.substr(kCode.size()), ptx_index, source_index));
  }
  return result;
}

} // namespace

std::variant<Cubin, Error> read(std::span<const std::byte> cubin) {
  try {
    return read_file(elf::File(cubin));
  } catch (const elf::Malformed& malformed) {
    return Error{std::string("the cubin cannot be read: ") + malformed.what()};
  }
}

} // namespace course::sass
