#include "conformance/kernels.hpp"

#include "build/digest.hpp"
#include "device/code/inspect/display_name.hpp"
#include "device/module_info.hpp"
#include "device/splitmix64.hpp"
#include "system/file.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace course::conformance {
namespace {

constexpr device::Address kOut = 0x10'0000'0000, kIn = 0x10'0100'0000;
constexpr const char* kFolder = "grader/conformance/kernels";

// ---- launches

std::optional<device::Dim3> dimensions(const std::string& text) { // "3x2"
  device::Dim3 result;
  char times = 0;
  std::istringstream stream(text);
  if (!(stream >> result.x)) return {};
  if (stream >> times && (times != 'x' || !(stream >> result.y))) return {};
  return result;
}

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  std::istringstream stream(text);
  if (!(stream >> value)) return {};
  return value;
}

bool read_field(const std::string& key, const std::string& value, CompiledKernel& kernel) {
  const auto set = [](auto& to, const auto& read) {
    if (read) to = *read;
    return read.has_value();
  };
  if (key == "grid") return set(kernel.grid, dimensions(value));
  if (key == "block") return set(kernel.block, dimensions(value));
  if (key == "n") return set(kernel.n, number(value));
  if (key == "dynamic") return set(kernel.dynamic_shared, number(value));
  if (key == "twin") kernel.twin = value;
  return key == "twin";
}

// "NAME ELEMENT, grid 2, block 64, n 5"
bool read_launch(const std::string& text, CompiledKernel& kernel) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, ',');)
    fields.push_back(field.substr(std::min(field.find_first_not_of(' '), field.size())));
  if (fields.size() < 4) return false;
  const auto blank = fields[0].rfind(' ');
  if (blank == std::string::npos) return false;
  kernel.name = fields[0].substr(0, blank);
  kernel.element = fields[0].substr(blank + 1);
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto end = fields[i].find(' ');
    if (end == std::string::npos) return false;
    if (!read_field(fields[i].substr(0, end), fields[i].substr(end + 1), kernel)) return false;
  }
  return true;
}

// ---- inputs

template <typename Element>
device::Bytes filled() {
  device::Bytes bytes(kBufferBytes);
  for (std::size_t i = 0; i < kBufferBytes / sizeof(Element); ++i) {
    const auto drawn = device::splitmix64((i + 1) * device::kSplitmixStep) % 1024;
    auto value = static_cast<Element>(drawn);
    if constexpr (std::is_floating_point_v<Element>) value /= 16;
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::optional<device::Bytes> input_of(const std::string& element) {
  if (element == "float") return filled<float>();
  if (element == "double") return filled<double>();
  if (element == "int") return filled<int>();
  if (element == "short") return filled<short>();
  if (element == "bytes") return filled<unsigned char>();
  return {};
}

} // namespace

std::variant<std::vector<CompiledKernel>, std::string>
kernels_in(const std::string& file, const std::string& level, const std::string& text) {
  constexpr std::string_view kLaunch = "// launch: ";
  std::vector<CompiledKernel> all;
  std::istringstream stream(text);
  int line_number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++line_number;
    if (!line.starts_with(kLaunch)) continue;
    CompiledKernel kernel;
    kernel.file = file;
    kernel.level = level;
    if (!read_launch(line.substr(kLaunch.size()), kernel) || !input_of(kernel.element))
      return file + ", line " + std::to_string(line_number) + ": this launch cannot be read";
    all.push_back(std::move(kernel));
  }
  return all;
}

std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / kFolder, error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

CompileKernels compile_kernels(const build::Toolkit& toolkit, const std::filesystem::path& cache) {
  return [toolkit, cache](
             const std::filesystem::path& file,
             const std::string& level) -> std::variant<std::vector<device::Module>, std::string> {
    build::Options options;
    options.device_only = true;
    options.cache = cache;
    if (level != kLevels[0]) options.flags = {"-Xptxas", "-" + level};
    auto made = build::compile(toolkit, file, options);
    if (const auto* rejected = std::get_if<build::Rejected>(&made))
      return "nvcc refuses " + file.filename().string() + ": " + rejected->text;
    return std::move(std::get<build::Compiled>(made).modules);
  };
}

std::variant<device::Job, std::string> job_of(const CompiledKernel& kernel,
                                              const std::vector<device::Module>& modules) {
  std::vector<std::string> exact, shown;
  device::Launch launch;
  for (std::uint32_t i = 0; i < modules.size(); ++i) {
    const auto info = device::inspect(modules[i]);
    if (!info.error.empty()) return kernel.file + ": " + info.error;
    for (const auto& one : info.kernels) {
      if (one.name == kernel.name) exact.push_back(one.name);
      if (code::display_name(one.name) == kernel.name) shown.push_back(one.name);
      if (one.name == kernel.name || code::display_name(one.name) == kernel.name) launch.module = i;
    }
  }
  const auto& found = exact.empty() ? shown : exact;
  if (found.size() != 1)
    return kernel.file + " has " + std::to_string(found.size()) + " kernels " + kernel.name;
  launch.kernel = found.front();
  launch.grid = kernel.grid;
  launch.block = kernel.block;
  launch.dynamic_shared = kernel.dynamic_shared;
  launch.arguments.resize(2 * sizeof kOut + sizeof kernel.n);
  std::memcpy(launch.arguments.data(), &kOut, sizeof kOut);
  std::memcpy(launch.arguments.data() + sizeof kOut, &kIn, sizeof kIn);
  std::memcpy(launch.arguments.data() + 2 * sizeof kOut, &kernel.n, sizeof kernel.n);
  device::Job job;
  job.modules = modules;
  job.buffers.push_back({"out", kOut, device::Bytes(kBufferBytes), true});
  job.buffers.push_back({"in", kIn, *input_of(kernel.element), true});
  job.plan.steps.emplace_back(std::move(launch));
  return job;
}

std::vector<MeasuredKernel>
measure_kernels(const std::filesystem::path& root, const CompileKernels& compile,
                const std::function<device::Observation(const device::Job&)>& count,
                unsigned at_once) {
  struct Unit {
    std::filesystem::path file;
    std::string level;
    std::vector<device::Module> modules;
    std::string failure;
  };
  std::vector<Unit> units;
  for (const auto& file : kernel_files(root))
    for (const auto* level : kLevels) units.push_back({file, level, {}, ""});
  system::in_parallel(units.size(), at_once, [&](std::size_t i) {
    auto made = compile(units[i].file, units[i].level);
    if (auto* why = std::get_if<std::string>(&made))
      units[i].failure = *why;
    else
      units[i].modules = std::move(std::get<std::vector<device::Module>>(made));
  });

  struct Task {
    CompiledKernel kernel;
    const Unit* unit;
  };
  std::vector<Task> tasks;
  std::vector<MeasuredKernel> result;
  for (const auto& unit : units) {
    const auto text = system::content_of(unit.file).value_or("");
    const auto name = unit.file.filename().string();
    const auto kernels = kernels_in(name, unit.level, text);
    if (!std::holds_alternative<std::vector<CompiledKernel>>(kernels)) continue;
    for (const auto& kernel : std::get<std::vector<CompiledKernel>>(kernels)) {
      tasks.push_back({kernel, &unit});
      result.push_back({name, build::digest(text).substr(0, 12), unit.level, kernel.name, {}, {}});
    }
  }
  system::in_parallel(2 * tasks.size(), at_once, [&](std::size_t i) {
    const auto& task = tasks[i / 2];
    auto& counted = i % 2 == 0 ? result[i / 2].first : result[i / 2].second;
    auto job = task.unit->failure.empty()
                   ? job_of(task.kernel, task.unit->modules)
                   : std::variant<device::Job, std::string>(task.unit->failure);
    if (const auto* why = std::get_if<std::string>(&job))
      counted.failure = *why;
    else
      counted = counted_kernel(count(std::get<device::Job>(job)));
  });
  return result;
}

} // namespace course::conformance
