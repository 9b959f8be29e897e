#include "system/demangled.hpp"

#include "system/fork.hpp"
#include "system/stream.hpp"

#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <memory>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

namespace course::system {
namespace {

constexpr std::size_t kLongestMangled = 4096;
// References back in a name that need no care: 24 make a text at most 3^8 times as long, when each
// three repeat what there is so far.
constexpr int kFewReferences = 24;
// What a child may take for one name, and how often one is started at all.
constexpr rlim_t kSeconds = 1;
constexpr rlim_t kMemory = 32 << 20;
constexpr std::size_t kLongest = 32 << 10; // bytes of text: less than a pipe holds
constexpr int kMostChildren = 100;

std::optional<std::string> unbounded(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !text) return std::nullopt;
  return text.get();
}

// S_, S0_, T_, T0_: parts of the name, or arguments of its template, once more. A pack that is
// expanded repeats its pattern for each of its elements.
int references(std::string_view name) {
  constexpr int kOfAPack = 10;
  int count = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const auto next = static_cast<unsigned char>(name[i + 1]);
    const bool starts = name[i] == 'S' || name[i] == 'T';
    if (starts && (next == '_' || std::isdigit(next) || std::isupper(next))) ++count;
    if ((name[i] == 'D' || name[i] == 's') && next == 'p') count += kOfAPack;
  }
  return count;
}

std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void demangle_for(int parent, const std::string& name, std::uint64_t used) {
  const rlimit seconds{kSeconds, kSeconds}, none{0, 0};
  const rlimit memory{used + kMemory, used + kMemory};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_AS, &memory);
  if (const auto text = unbounded(name); text && text->size() <= kLongest) write_all(parent, *text);
  _exit(0);
}

std::optional<std::string> in_process(const std::string& name) {
  auto words = make_pipe();
  if (!words) return std::nullopt;
  const auto used = address_space();
  const pid_t child = fork_child(SIGKILL);
  if (child == 0) demangle_for(words->write.get(), name, used);
  words->write.reset();
  if (child < 0) return std::nullopt;
  const auto text = read_all(words->read.get(), kLongest);
  await(child);
  return text && !text->empty() ? text : std::nullopt;
}

// A file may have thousands of such names: after one that came to nothing, the others stay as they
// are.
std::optional<std::string> bounded(const std::string& name) {
  static std::atomic<int> left{kMostChildren};
  if (left.fetch_sub(1) <= 0) {
    left = 0;
    return std::nullopt;
  }
  auto text = in_process(name);
  if (!text) left = 0;
  return text;
}

} // namespace

std::string demangled_if_simple(std::string_view name) {
  const std::string mangled(name);
  if (!name.starts_with("_Z") || name.size() > kLongestMangled) return mangled;
  if (references(name) > kFewReferences) return mangled;
  const auto text = unbounded(mangled);
  return text && text->size() <= kLongest ? *text : mangled;
}

std::string demangled(std::string_view name) {
  const bool simple = name.size() > kLongestMangled || references(name) <= kFewReferences;
  if (simple || !name.starts_with("_Z")) return demangled_if_simple(name);
  const std::string mangled(name);
  return bounded(mangled).value_or(mangled);
}

} // namespace course::system
