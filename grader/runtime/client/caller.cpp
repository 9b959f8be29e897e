// Where an allocation was asked for: the grader calls memory by that place. And where host code
// touched what a kernel may still be using.
#include "runtime/client/caller.hpp"

#include "runtime/client/grader.hpp"

#include <array>
#include <execinfo.h>
#include <link.h>
#include <vector>

namespace course::client {

namespace {

// The program's own code, as it was loaded.
struct Code {
  std::uint64_t moved = 0; // by so much
  struct Part {
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Part> parts;

  bool holds(std::uint64_t address) const {
    for (const auto& part : parts)
      if (address >= part.begin && address < part.end) return true;
    return false;
  }
};

int keep_first(dl_phdr_info* info, std::size_t, void* to) {
  auto& code = *static_cast<Code*>(to);
  code.moved = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    const auto begin = info->dlpi_addr + header.p_vaddr;
    code.parts.push_back({begin, begin + header.p_memsz});
  }
  return 1; // the program itself comes first
}

const Code& own_code() {
  static const auto& code = *[] {
    auto* made = new Code;
    dl_iterate_phdr(keep_first, made);
    return made;
  }();
  return code;
}

} // namespace

OwnFrames own_frames(std::uint64_t interrupted) {
  constexpr int kMostFrames = 32;
  std::array<void*, kMostFrames> frames{};
  const int count = backtrace(frames.data(), kMostFrames);
  OwnFrames own;
  for (int i = 0; i < count && own.count < OwnFrames::kMost; ++i) {
    const auto address = address_of(frames[static_cast<std::size_t>(i)]);
    if (!own_code().holds(address)) continue;
    // What returns to an address stands before it; what was interrupted stands at it.
    own.addresses[own.count++] = address - own_code().moved + (address == interrupted ? 1 : 0);
  }
  return own;
}

void prepare_frames() {
  own_frames();
}

void tell_called_from(const char* call) {
  if (!is_live()) return;
  const auto own = own_frames();
  tell(call, protocol::CalledFrom{{own.addresses.begin(), own.addresses.begin() + own.count}});
}

} // namespace course::client
