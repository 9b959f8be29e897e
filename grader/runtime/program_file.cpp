#include "runtime/program_file.hpp"

#include "device/code/fatbin/device_code.hpp"
#include "elf/elf_file.hpp"
#include "runtime/plain_text.hpp"
#include "system/file.hpp"

#include <unistd.h>
#include <vector>

namespace course::runtime {

namespace {

namespace fs = std::filesystem;
using Why = NotRunnable::Why;

constexpr std::uint16_t kX86_64 = 62;          // EM_X86_64
constexpr std::uint64_t kNeeded = 1, kEnd = 0; // DT_NEEDED, DT_NULL
constexpr std::string_view kRuntime = "libcudart.so.13";

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

// The libraries that the dynamic linker loads for it, by name.
std::vector<std::string> needed_libraries(const elf::File& file) {
  std::vector<std::string> names;
  const elf::Section* dynamic = file.find(".dynamic");
  if (!dynamic || dynamic->link >= file.sections().size()) return names;
  const elf::View strings = file.sections()[dynamic->link].bytes;
  struct Dynamic {
    std::uint64_t tag = 0, value = 0;
  };
  for (std::uint64_t at = 0; at + sizeof(Dynamic) <= dynamic->bytes.size(); at += sizeof(Dynamic)) {
    const auto entry = elf::read_at<Dynamic>(dynamic->bytes, at);
    if (entry.tag == kEnd) break;
    if (entry.tag == kNeeded) names.emplace_back(elf::string_at(strings, entry.value));
  }
  return names;
}

// Libraries that talk to a GPU by themselves.
bool needs_a_gpu(const std::string& library) {
  for (const char* start : {"libcublas", "libcufft", "libcurand", "libcusparse", "libcusolver",
                            "libcudnn", "libnccl", "libnpp", "libnvJitLink", "libcupti"})
    if (library.starts_with(start)) return true;
  return false;
}

std::optional<NotRunnable> why_not_linked(const elf::File& file, const fs::path& runtime) {
  const auto libraries = needed_libraries(file);
  bool has_runtime = false;
  for (const auto& library : libraries) {
    has_runtime = has_runtime || library == kRuntime;
    const bool stood_in_for = library.find('/') == library.npos && fs::exists(runtime / library);
    if (needs_a_gpu(library) && !stood_in_for)
      return NotRunnable{Why::needs_gpu, plain_text(library)};
    if (library.starts_with("libcudart.so") && library != kRuntime)
      return NotRunnable{Why::another_cuda, plain_text(library)};
  }
  if (has_runtime || !file.find(".nv_fatbin")) return std::nullopt;
  return NotRunnable{Why::static_runtime, ""};
}

std::optional<NotRunnable> why_no_code(const elf::File& file, const model::Gpu& gpu) {
  const elf::Section* code = file.find(".nv_fatbin");
  if (!code) return std::nullopt; // in a library, perhaps
  // Relocatable device code (nvcc -rdc=true) stands beside what was linked of it.
  std::vector<std::byte> image(code->bytes.begin(), code->bytes.end());
  if (const elf::Section* relocatable = file.find("__nv_relfatbin"))
    image.insert(image.end(), relocatable->bytes.begin(), relocatable->bytes.end());
  const auto chosen = code::choose_device_code(gpu, image);
  const auto* why = std::get_if<std::string>(&chosen);
  if (!why) return std::nullopt;
  return NotRunnable{Why::no_device_code, *why};
}

} // namespace

std::variant<fs::path, NotFound> find_program(const std::string& typed, const std::string& path) {
  const auto not_found = [&](NotFound::Why why) { return NotFound{why, plain_text(typed)}; };
  if (typed.find('/') != typed.npos) {
    std::error_code error;
    if (is_program(typed)) return fs::path(typed);
    if (!fs::exists(typed, error)) return not_found(NotFound::Why::no_file);
    if (fs::is_directory(typed, error)) return not_found(NotFound::Why::folder);
    return not_found(NotFound::Why::not_executable);
  }
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find(':', at), path.size());
    const auto folder = path.substr(at, end - at);
    const auto file = fs::path(folder.empty() ? "." : folder) / typed;
    if (is_program(file)) return file;
    at = end + 1;
  }
  std::error_code error;
  const bool here = fs::is_regular_file(typed, error);
  return not_found(here ? NotFound::Why::only_here : NotFound::Why::not_in_path);
}

std::optional<NotRunnable> why_not_runnable(const fs::path& program, const fs::path& runtime,
                                            const model::Gpu& gpu) {
  const auto content = system::content_of(program);
  if (!content) return NotRunnable{Why::unreadable, ""};
  const auto bytes = std::as_bytes(std::span(*content));
  if (!content->starts_with("\177ELF")) return NotRunnable{Why::not_compiled, ""};
  try {
    const elf::File file(bytes);
    if (file.machine() != kX86_64) return NotRunnable{Why::another_machine, ""};
    if (auto why = why_not_linked(file, runtime)) return why;
    return why_no_code(file, gpu);
  } catch (const elf::Malformed& fault) {
    return NotRunnable{Why::damaged, fault.what()};
  }
}

} // namespace course::runtime
