#include "compile.hpp"

#include "build/digest.hpp"
#include "build/fatbin.hpp"
#include "build/file.hpp"
#include "build/messages.hpp"
#include "build/nvcc.hpp"
#include "build/store.hpp"
#include "build/toolkit.hpp"

#include <algorithm>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;
using Reason = Rejected::Reason;

constexpr std::uint64_t kLargestStore = 512ull << 20;
constexpr std::size_t kLongestMangledName = 4096;

// Raise when the meaning of a stored result changes.
constexpr const char* kFormat = "course-build-1";

// nvcc passes file names through a shell, and takes one that begins with a dash for an option.
bool is_plain(const std::string& name) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name[0] != '-' && name[0] != '.' && name.ends_with(".cu") &&
         std::ranges::all_of(name, plain);
}

// What is compiled without a sandbox may include any file: a result of its own, that nobody finds
// who asks for a contained one.
std::string container(const Options& options) {
  const auto rung = options.rung ? *options.rung : sandbox::best_rung();
  return rung == sandbox::Rung::bubblewrap ? "" : sandbox::name(rung);
}

std::string key_of(const Toolkit& toolkit, const Options& options, const Seen& seen,
                   const std::string& source) {
  Digest key;
  key.add(kFormat).add(source).add(seen.name).add(identity(toolkit)).add(host_compiler_identity());
  for (const std::string& word : nvcc_arguments(options, seen.copy)) key.add(word);
  if (const auto rung = container(options); !rung.empty()) key.add(rung);
  return key.hex();
}

std::string demangled(const std::string& name) {
  if (name.size() > kLongestMangledName) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::vector<std::string> functions_of(const elf::File& library) {
  std::vector<std::string> names;
  for (const elf::Symbol& symbol : library.dynamic_symbols())
    if (symbol.type == STT_FUNC && symbol.defined() && symbol.name != "_init" &&
        symbol.name != "_fini")
      names.push_back(plain_text(demangled(std::string(symbol.name))));
  std::ranges::sort(names);
  return names;
}

// Throws BadFatbin and elf::Malformed.
Compiled read_artifact(const Stored& stored, const Options& options, Seen seen) {
  // The PTX names the folder that it was compiled in, wherever the store has moved since.
  seen.folder = stored.result.folder;
  const elf::View bytes = std::as_bytes(std::span(stored.bytes));
  Compiled compiled;
  compiled.warnings = stored.result.warnings;
  if (options.device_only) {
    compiled.modules = modules_of_fatbin(bytes);
  } else {
    const elf::File library(bytes);
    compiled.library = stored.artifact;
    compiled.modules = modules_of_library(library);
    compiled.functions = functions_of(library);
  }
  for (device::Module& module : compiled.modules) module.ptx = clean_ptx(module.ptx, seen);
  return compiled;
}

Rejected unreadable_device_code(const std::string& why) {
  return {Reason::diagnostics,
          "the device code in what nvcc made of this file cannot be read: " + why +
              "\nIf the file does nothing unusual, such as inline assembly that changes sections, "
              "this version of the CUDA Toolkit may be newer than the grader.\n"};
}

std::variant<Compiled, Rejected> result_of(const Stored& stored, const Options& options,
                                           const Seen& seen) {
  try {
    return read_artifact(stored, options, seen);
  } catch (const BadFatbin& bad) {
    return unreadable_device_code(bad.what());
  } catch (const elf::Malformed& bad) {
    return unreadable_device_code(bad.what());
  }
}

// Runs nvcc in an empty folder that holds the source only.
std::variant<Stored, Rejected> build(const Store& store, const std::string& key,
                                     const Toolkit& toolkit, const std::string& source,
                                     const Options& options, Seen seen, double& seconds) {
  struct Workspace {
    fs::path path;
    ~Workspace() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } const workspace{store.workspace(key)};
  seen.folder = workspace.path;
  write_file(workspace.path / seen.copy, source);
  // The debug information holds the source's time; the same text shall give the same bytes.
  fs::last_write_time(workspace.path / seen.copy,
                      fs::file_time_type::clock::from_sys(std::chrono::sys_seconds{}));

  const sandbox::Outcome outcome = run_nvcc(toolkit, options, seen);
  seconds = outcome.wall.count();
  if (auto rejected = rejection(outcome, options.limits, seen)) return *rejected;

  const std::string name = output_name(options);
  auto artifact = read_file(workspace.path / name, options.limits.file_size);
  if (auto* bad = std::get_if<Unreadable>(&artifact))
    return Rejected{Reason::too_large, "what nvcc made cannot be used: " + bad->text};
  const auto dependencies = read_file(workspace.path / kDependencies, kLargestSource);
  Result result;
  result.suffix = fs::path(name).extension();
  result.folder = workspace.path;
  result.warnings = clean_messages(outcome.err + outcome.out, seen);
  if (const auto* text = std::get_if<std::string>(&dependencies))
    result.headers = headers_in(*text, toolkit.root);
  Stored stored = store.put(key, std::move(result), std::move(std::get<std::string>(artifact)));
  store.prune(kLargestStore);
  return stored;
}

} // namespace

std::variant<Compiled, Rejected> compile(const Toolkit& toolkit, const fs::path& source,
                                         const Options& options) {
  const auto text = read_file(source, kLargestSource);
  if (const auto* bad = std::get_if<Unreadable>(&text))
    return Rejected{bad->why == Unreadable::Why::too_large ? Reason::too_large : Reason::unreadable,
                    bad->text};
  const std::string& bytes = std::get<std::string>(text);
  Seen seen;
  seen.name = source.filename();
  seen.copy = is_plain(seen.name) ? seen.name : "student.cu";

  const Store store(options.cache);
  const std::string key = key_of(toolkit, options, seen, bytes);
  const auto cached = [&](const Stored& stored) {
    auto result = result_of(stored, options, seen);
    if (auto* compiled = std::get_if<Compiled>(&result)) compiled->from_cache = true;
    return result;
  };
  if (const auto stored = store.find(key)) return cached(*stored);
  const auto lock = store.lock(key);
  // Another process may have compiled it while this one waited.
  if (const auto stored = store.find(key)) return cached(*stored);

  double seconds = 0;
  auto built = build(store, key, toolkit, bytes, options, seen, seconds);
  if (auto* rejected = std::get_if<Rejected>(&built)) return std::move(*rejected);
  auto result = result_of(std::get<Stored>(built), options, seen);
  if (auto* compiled = std::get_if<Compiled>(&result)) compiled->seconds = seconds;
  return result;
}

} // namespace course::build
