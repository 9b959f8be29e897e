// Any bytes as a program file: why it is not run, or nothing.
#include "runtime/program_file.hpp"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const int file = memfd_create("program", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, size) != static_cast<ssize_t>(size)) __builtin_trap();
  const auto why = course::runtime::why_not_runnable("/proc/self/fd/" + std::to_string(file), "/",
                                                     course::model::default_gpu());
  close(file);
  if (why)
    for (const char c : why->what)
      if (c < ' ' || c > '~') __builtin_trap();
  return 0;
}
