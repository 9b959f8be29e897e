// Any bytes as a fat binary.
#include "device/code/fatbin/fatbin.hpp"

namespace course::code {
namespace {

template <class Read>
void refused_or(Read read) try {
  read();
} catch (const BadFatbin& fault) {
  if (fault.what()[0] == '\0') __builtin_trap();
}

} // namespace
} // namespace course::code

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course;
  const elf::View all = std::as_bytes(std::span(bytes, size));
  code::refused_or([all] {
    for (const auto& module : code::modules_of_fatbin(all, model::default_gpu()))
      if (module.ptx.ends_with('\0')) __builtin_trap();
  });
  return 0;
}
