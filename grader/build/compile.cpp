#include "compile.hpp"

#include "build/digest.hpp"
#include "build/nvcc.hpp"
#include "build/nvcc_messages.hpp"
#include "build/specific.hpp"
#include "build/store.hpp"
#include "build/toolkit.hpp"
#include "device/code/fatbin/fatbin.hpp"
#include "system/demangled.hpp"
#include "system/file.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;
using Reason = Rejected::Reason;

constexpr std::uint64_t kLargestStore = 512ull << 20;

struct ForeignDeviceCode {};

// Raise when the meaning of a stored result changes.
constexpr const char* kFormat = "course-build-2";

// nvcc passes file names through a shell, takes one that begins with a dash for an option, and
// makes longer names of it for files of its own.
bool is_plain(const std::string& name) {
  constexpr std::size_t kLongest = 100;
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kLongest && name[0] != '-' && name[0] != '.' &&
         name.ends_with(".cu") && std::ranges::all_of(name, plain);
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
  for (const std::string& word : device_arguments(options, seen.copy)) key.add(word);
  if (!options.device_only)
    for (const std::string& word : library_arguments(options)) key.add(word);
  if (const auto rung = container(options); !rung.empty()) key.add(rung);
  return key.hex();
}

std::vector<std::string> functions_of(const elf::File& library) {
  std::vector<std::string> names;
  for (const elf::Symbol& symbol : library.dynamic_symbols())
    if (symbol.type == STT_FUNC && symbol.defined() && symbol.name != "_init" &&
        symbol.name != "_fini")
      names.push_back(plain_text(system::demangled(symbol.name)));
  std::ranges::sort(names);
  return names;
}

std::string_view without_padding(elf::View bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto begin = text.find_first_not_of('\0');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of('\0') - begin + 1);
}

// Host code may hold assembly that puts more into the section of device code.
bool brings_only(const elf::File& library, elf::View device) {
  return std::ranges::all_of(library.sections(), [&](const elf::Section& section) {
    return section.name != ".nv_fatbin" ||
           without_padding(section.bytes) == without_padding(device);
  });
}

// Throws code::BadFatbin and elf::Malformed.
Compiled read_artifacts(const model::Gpu& gpu, const Stored& stored, Seen seen) {
  // The PTX names the folder that it was compiled in, wherever the store has moved since.
  seen.folder = stored.result.folder;
  const elf::View device = std::as_bytes(std::span(stored.made.device));
  Compiled compiled;
  compiled.warnings = stored.result.warnings;
  compiled.modules = code::modules_of_fatbin(device, gpu);
  if (!stored.library.empty()) {
    const elf::File library(std::as_bytes(std::span(stored.made.library)));
    if (!brings_only(library, device)) throw ForeignDeviceCode{};
    compiled.library = stored.library;
    compiled.functions = functions_of(library);
  }
  for (device::Module& module : compiled.modules) module.ptx = clean_ptx(module.ptx, seen);
  return compiled;
}

Rejected foreign_device_code() {
  return {Reason::diagnostics,
          "this file brings along device code that nvcc did not make of this file: the section "
          ".nv_fatbin of its host code holds more than its own kernels.\nTake out the assembly in "
          "host code that writes to that section.\n"};
}

Rejected unreadable_device_code(const std::string& why) {
  return {Reason::diagnostics,
          "the device code in what nvcc made of this file cannot be read: " + why +
              "\nIf the file does nothing unusual, such as inline assembly that changes sections, "
              "this version of the CUDA Toolkit may be newer than the grader.\n"};
}

std::variant<Compiled, Rejected> result_of(const model::Gpu& gpu, const Stored& stored,
                                           const Seen& seen) {
  try {
    return read_artifacts(gpu, stored, seen);
  } catch (const ForeignDeviceCode&) {
    return foreign_device_code();
  } catch (const code::BadFatbin& bad) {
    return unreadable_device_code(bad.what());
  } catch (const elf::Malformed& bad) {
    return unreadable_device_code(bad.what());
  }
}

// The steps of one compilation, until one goes wrong.
class Steps {
public:
  Steps(const Toolkit& toolkit, const Options& options, const Seen& seen)
      : toolkit_(toolkit), options_(options), seen_(seen) {}

  // False: it gave no result, and rejected() says why.
  bool run(const std::vector<std::string>& arguments) {
    const sandbox::Outcome outcome = run_nvcc(toolkit_, options_, arguments, seen_);
    seconds_ += outcome.wall.count();
    messages_ += outcome.err + outcome.out;
    if (auto rejected = rejection(outcome, options_.limits, seen_)) rejected_ = *rejected;
    return !rejected_;
  }
  bool take(std::string& bytes, const std::string& name) {
    auto read = system::read_file(seen_.folder / name, options_.limits.file_size);
    if (auto* bad = std::get_if<system::Unreadable>(&read))
      rejected_ = {Reason::too_large, "what nvcc made cannot be used: " + bad->text};
    else
      bytes = std::move(std::get<std::string>(read));
    return !rejected_;
  }
  Rejected rejected() const { return *rejected_; }
  std::string messages() const { return clean_messages(messages_, seen_); }
  double seconds() const { return seconds_; }

private:
  const Toolkit& toolkit_;
  const Options& options_;
  const Seen& seen_;
  std::string messages_;
  double seconds_ = 0;
  std::optional<Rejected> rejected_;
};

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
  system::write_file(workspace.path / seen.copy, source);
  // The debug information holds the source's time; the same text shall give the same bytes.
  fs::last_write_time(workspace.path / seen.copy,
                      fs::file_time_type::clock::from_sys(std::chrono::sys_seconds{}));

  Steps nvcc(toolkit, options, seen);
  Made made;
  if (!nvcc.run(device_arguments(options, seen.copy))) return nvcc.rejected();
  // Read before host code is assembled and linked in this folder.
  if (!nvcc.take(made.device, fatbin_name(options, seen.copy))) return nvcc.rejected();
  const auto dependencies = system::read_file(workspace.path / kDependencies, kLargestSource);
  if (!options.device_only &&
      (!nvcc.run(library_arguments(options)) || !nvcc.take(made.library, kLibrary)))
    return nvcc.rejected();
  seconds = nvcc.seconds();

  Result result;
  result.folder = workspace.path;
  result.warnings = nvcc.messages();
  if (const auto* text = std::get_if<std::string>(&dependencies))
    result.headers = headers_in(*text, toolkit.root);
  Stored stored = store.put(key, std::move(result), std::move(made));
  store.prune(kLargestStore);
  return stored;
}

} // namespace

std::variant<Compiled, Rejected> compile(const Toolkit& toolkit, const fs::path& source,
                                         const Options& asked) {
  const auto text = system::read_file(source, kLargestSource);
  if (const auto* bad = std::get_if<system::Unreadable>(&text))
    return Rejected{bad->why == system::Unreadable::Why::too_large ? Reason::too_large
                                                                   : Reason::unreadable,
                    bad->text};
  const std::string& bytes = std::get<std::string>(text);
  Options options = asked;
  options.specific = options.specific || needs_specific(bytes);
  options.extended_lambda = options.extended_lambda && may_need_lambdas(bytes);
  Seen seen;
  seen.name = source.filename();
  seen.copy = is_plain(seen.name) ? seen.name : "student.cu";

  const Store store(options.cache);
  const std::string key = key_of(toolkit, options, seen, bytes);
  const auto cached = [&](const Stored& stored) {
    auto result = result_of(*options.gpu, stored, seen);
    if (auto* compiled = std::get_if<Compiled>(&result)) compiled->from_cache = true;
    return result;
  };
  if (const auto stored = store.find(key)) return cached(*stored);
  const auto lock = store.lock(key);
  // Another process may have compiled it while this one waited.
  if (const auto stored = store.find(key)) return cached(*stored);

  double seconds = 0;
  auto built = build(store, key, toolkit, bytes, options, seen, seconds);
  if (const auto* rejected = std::get_if<Rejected>(&built);
      rejected && !options.extended_lambda && rejected->reason == Reason::diagnostics &&
      misses_a_name(rejected->text)) {
    options.extended_lambda = true;
    built = build(store, key, toolkit, bytes, options, seen, seconds);
  }
  if (const auto* rejected = std::get_if<Rejected>(&built);
      rejected && !options.specific && lacks_specific(rejected->text)) {
    options.specific = true;
    built = build(store, key, toolkit, bytes, options, seen, seconds);
  }
  if (auto* rejected = std::get_if<Rejected>(&built)) return std::move(*rejected);
  auto result = result_of(*options.gpu, std::get<Stored>(built), seen);
  if (auto* compiled = std::get_if<Compiled>(&result)) compiled->seconds = seconds;
  return result;
}

} // namespace course::build
