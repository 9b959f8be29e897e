#include "cli/class_tools.hpp"

#include "classroom/programs.hpp"
#include "classroom/published_file.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/labs.hpp"

#include <random>
#include <stdexcept>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

// The programs that a verdict comes from.
std::vector<fs::path> programs(const lab::Workplace& place) {
  std::error_code error;
  std::vector<fs::path> found;
  const auto course = fs::read_symlink("/proc/self/exe", error);
  for (const auto& program :
       {course, place.host.runner, place.host.runtime / "libcudart.so.13",
        course.parent_path() / "course_keeper", course.parent_path() / "course_gpu_worker"})
    if (fs::exists(program, error)) found.push_back(program);
  return found;
}

lab::Tools tools_for(const lab::Workplace& place, device::Device& device, const fs::path& root,
                     bool on_gpu) {
  auto tools = lab::make_tools(place, device, "no GPU found");
  if (!on_gpu) return tools;
  auto found = lab::find_gpu(root);
  if (auto* gpu = std::get_if<lab::GpuTools>(&found))
    return lab::with_gpu(std::move(tools), std::move(*gpu));
  throw std::runtime_error(std::get<std::string>(found));
}

} // namespace

std::variant<classroom::Settings, std::string> read_class_settings(const std::string& file) {
  if (file.empty()) return classroom::Settings{};
  const auto text = classroom::content_of(file);
  if (!text) return file + " cannot be read";
  std::vector<std::string> known;
  for (const auto& exercise : lab::exercises()) known.push_back(exercise.id);
  auto settings = classroom::read_settings(*text, known);
  if (auto* what = std::get_if<std::string>(&settings)) return file + ": " + *what;
  return settings;
}

std::uint64_t fresh_class_seed() {
  return std::random_device{}() & 0x7fffffff;
}

classroom::Grading class_grading(const fs::path& results, const fs::path& root,
                                 const lab::Workplace& place, std::uint64_t seed, bool on_gpu,
                                 unsigned threads) {
  classroom::Grading grading;
  grading.results = results;
  grading.exercises = &lab::exercises();
  // A device that executes nothing is asked for what does not change from verdict to verdict.
  // Grading happens in a child, which has to be made before any thread is.
  const auto idle = emulator::make_device({1, true});
  const auto tools = tools_for(place, *idle, root, on_gpu);
  grading.circumstances = {classroom::grader_digest(results, programs(place)), tools.means.device,
                           tools.means.toolkit, tools.means.sandbox, seed};
  grading.grade = [=](const lab::Exercise& exercise, const fs::path& file) {
    const auto device = emulator::make_device({threads, true});
    return lab::grade(exercise, {file, seed}, tools_for(place, *device, root, on_gpu));
  };
  grading.wanted = [](const std::string&) { return true; };
  return grading;
}

} // namespace course::cli
