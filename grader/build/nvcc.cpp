#include "nvcc.hpp"

#include "build/folder_watch.hpp"
#include "build/specific.hpp"
#include "build/toolkit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace course::build {
namespace {

using End = sandbox::Outcome::End;
using Reason = Rejected::Reason;

// Of all files together, each of which has a limit of its own.
constexpr std::uint64_t kMostWritten = 512 << 20; // bytes

bool chooses_standard(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return flag.starts_with("-std") || flag.starts_with("--std");
  });
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void append_standard(std::vector<std::string>& to, const Options& options) {
  if (!chooses_standard(options.flags)) to.emplace_back("-std=c++20");
}

// The programs that nvcc starts run into the limits, and what arrives here is a line about it from
// the shell between them, from the program, or from the driver of the host compiler.
struct Told {
  const char* words;
  Reason reason;
};
constexpr std::array kTold = {
    Told{"CPU time limit exceeded", Reason::timed_out},
    Told{"File size limit exceeded", Reason::too_large},
    Told{"File too large", Reason::too_large},
    Told{"out of memory", Reason::out_of_memory},
    Told{"Out of memory", Reason::out_of_memory},
    Told{"memory exhausted", Reason::out_of_memory},
    Told{"Memory allocation failure", Reason::out_of_memory},
    Told{"std::bad_alloc", Reason::out_of_memory},
    Told{"Cannot allocate memory", Reason::out_of_memory},
};

// A student's #error may say "out of memory", but the compiler puts the file's name before it.
bool is_about_the_compiler(std::string_view line) {
  constexpr std::array kStarts = {
      "CPU time limit", "File size limit", "LLVM ERROR",    "terminate called",
      "gcc: ",          "g++: ",           "cc1plus: ",     "virtual memory exhausted",
      "as: ",           "collect2: ",      "/usr/bin/ld: ", "Catastrophic error",
      "Internal error", "nvcc error",      "ptxas fatal",   "nvlink fatal",
      "fatbinary fatal"};
  if (line.ends_with(": catastrophic error: out of memory")) return true;
  return std::ranges::any_of(kStarts, [&](const char* start) { return line.starts_with(start); });
}

// What the shell says of a program that was killed: by the processor limit, when it paid no heed to
// the limit's signal, or else by the kernel when the machine's memory was full.
bool is_kill(std::string_view line) {
  return line == "Killed";
}

Reason reason_in(std::string_view text, bool cpu_used_up) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (is_kill(line)) return cpu_used_up ? Reason::timed_out : Reason::out_of_memory;
    if (!is_about_the_compiler(line)) continue;
    for (const Told& told : kTold)
      if (line.find(told.words) != line.npos) return told.reason;
  }
  return Reason::diagnostics;
}

std::string sentence(Reason reason, const sandbox::Limits& limits) {
  switch (reason) {
  case Reason::timed_out:
    return fmt::format("the compiler was still at work after {} seconds and was ended; look for "
                       "templates or macros that expand without end",
                       std::min<std::int64_t>(
                           limits.cpu.count(),
                           std::chrono::duration_cast<std::chrono::seconds>(limits.wall).count()));
  case Reason::too_large:
    return fmt::format("what the compiler made or printed was larger than it may be ({} MiB for a "
                       "file, {} MiB of messages) and it was ended; look for a huge initialised "
                       "array, or for an error that is repeated",
                       limits.file_size >> 20, limits.output >> 20);
  case Reason::out_of_memory:
    return fmt::format("the compiler needed more than {} MiB of memory and was ended; look for "
                       "templates, macros or unrolled loops that expand without end",
                       limits.memory >> 20);
  default:
    return "";
  }
}

Reason reason_of(const sandbox::Outcome& outcome, const sandbox::Limits& limits,
                 std::string_view text) {
  switch (outcome.end) {
  case End::wall_time:
  case End::cpu_time:
    return Reason::timed_out;
  case End::output:
  case End::file_size:
    return Reason::too_large;
  case End::memory:
    return Reason::out_of_memory;
  case End::not_started:
    return Reason::no_compiler;
  case End::exited:
  case End::signalled:
    return reason_in(text, outcome.wall >= limits.cpu);
  }
  return Reason::diagnostics;
}

} // namespace

// Work is limited by processor time, of each program that nvcc runs. The wall's clock goes on while
// others have the processor: at 40 s, nine of two hundred files did not compile in time on two
// cores with a load of 20.
sandbox::Limits compiler_limits() {
  sandbox::Limits limits;
  limits.wall = std::chrono::seconds(120);
  limits.cpu = std::chrono::seconds(30);
  limits.memory = 1ull << 30; // address space; cudafe++ takes 460 MiB for a file that includes CUB
  limits.file_size = 64 << 20;
  limits.output = 1 << 20;
  return limits;
}

// What __DATE__ and __TIME__ are, in seconds since 1970, so that a text is always compiled to the
// same: noon on 2026-01-01. No key of the cache has it: who changes it raises kFormat
// (compile.cpp).
constexpr const char* kDate = "1767268800";

// What nvcc runs spends a third of its time on page faults. With huge pages, a file of the course
// becomes PTX and SASS in 1.1 s instead of 1.6 s (two cores, 2026-11-27). A C library that does
// not know the word ignores it.
constexpr const char* kHugePages = "glibc.malloc.hugetlb=1";

std::string fatbin_name(const Options& options, const std::string& copy) {
  return options.device_only ? "device.fatbin"
                             : std::filesystem::path(copy).replace_extension(".fatbin").string();
}

std::vector<std::string> device_arguments(const Options& options, const std::string& copy) {
  std::vector<std::string> words = {"-O3", "-lineinfo", "--no-compress", "-gencode",
                                    targets_of(*options.gpu, options.specific)};
  for (const std::string& target : options.gpu_targets) {
    if (options.specific) break; // no other GPU has what it asks for
    const std::string number = target.substr(target.find('_') + 1);
    append(words, {"-gencode",
                   std::string("arch=compute_").append(number).append(",code=sm_").append(number)});
  }
  // The flags that nvcc's own messages ask for, where a file uses what they allow.
  words.emplace_back("--expt-relaxed-constexpr");
  if (options.extended_lambda) words.emplace_back("--extended-lambda");
  append_standard(words, options);
  append(words, options.flags);
  append(words, {"-MD", "-MF", kDependencies});
  if (options.device_only)
    append(words, {"-fatbin", "-o", fatbin_name(options, copy)});
  else
    append(words, {"-Xcompiler", "-fPIC", "--cuda", "--keep", "-o", kHostCode});
  words.push_back(copy);
  return words;
}

std::vector<std::string> library_arguments(const Options& options) {
  // The runtime as a library of its own, so that ours can stand in for it; every function must be
  // defined, so that a missing one is a message and not a library that cannot be loaded. Symbols
  // that only debuggers read hold names of nvcc's temporary files, which differ each time. There
  // is no device code left to link.
  std::vector<std::string> words = {
      "-O3",      "-shared", "-cudart",  "shared", "-nodlink", "-Xcompiler", "-fPIC,-fpreprocessed",
      "-Xlinker", "-z",      "-Xlinker", "defs",   "-Xlinker", "-s"};
  append_standard(words, options);
  append(words, options.flags);
  append(words, {"-o", kLibrary, kHostCode});
  return words;
}

sandbox::Outcome run_nvcc(const Toolkit& toolkit, const Options& options,
                          const std::vector<std::string>& arguments, const Seen& seen) {
  sandbox::Command command;
  command.argv = {toolkit.nvcc};
  append(command.argv, arguments);
  command.environment = {{"PATH", kHostPath},
                         {"TMPDIR", seen.folder.string()},
                         {"LC_ALL", "C"},
                         {"SOURCE_DATE_EPOCH", kDate},
                         {"GLIBC_TUNABLES", kHugePages}};
  command.directory = seen.folder;
  command.readable = {toolkit.root};
  command.writable = {seen.folder};
  const sandbox::Rung rung = options.rung ? *options.rung : sandbox::best_rung();
  auto nvcc = sandbox::Process::start(command, options.limits, rung);
  const FolderWatch folder(seen.folder, kMostWritten, [&] { nvcc.end(); });
  auto outcome = nvcc.wait();
  if (folder.is_full()) outcome.end = End::file_size;
  return outcome;
}

std::optional<Rejected> rejection(const sandbox::Outcome& outcome, const sandbox::Limits& limits,
                                  const Seen& seen) {
  if (outcome.end == End::exited && outcome.code == 0) return std::nullopt;
  Rejected rejected;
  rejected.text = clean_messages(outcome.err + outcome.out, seen);
  rejected.reason = reason_of(outcome, limits, rejected.text);
  if (rejected.reason == Reason::no_compiler) {
    rejected.text = "nvcc could not be started: " + plain_text(outcome.reason);
  } else if (rejected.reason != Reason::diagnostics) {
    rejected.text = sentence(rejected.reason, limits);
  } else if (outcome.end == End::signalled) {
    rejected.text += fmt::format("nvcc was ended by signal {}", outcome.code) + "\n";
  } else if (rejected.text.empty()) {
    rejected.text = fmt::format("nvcc ended with code {} and no message", outcome.code) + "\n";
  }
  return rejected;
}

} // namespace course::build
