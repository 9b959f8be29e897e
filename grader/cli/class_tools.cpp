#include "cli/class_tools.hpp"

#include "classroom/grader_digest.hpp"
#include "classroom/watched_gpu.hpp"
#include "device/emulator/emulator.hpp"
#include "device/gpu/known_kernel.hpp"
#include "doctor/examine.hpp"
#include "lab/bounded.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/words/message_words.hpp"
#include "system/published_file.hpp"

#include <optional>
#include <random>
#include <stdexcept>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

// Why a GPU does not execute a kernel that is known to be good; empty when it does.
std::string sick_gpu() {
  const language::InEnglish for_records;
  const auto seen = gpu::execute_in_turn({gpu::known_kernel_job()});
  const bool well = !seen.empty() && seen[0].status == device::Observation::Status::completed;
  return well ? "" : seen.empty() ? "it does not answer" : report::in_words(seen[0].reason);
}

// The GPU of a class. Asking what it is makes a context on it, so that is done alone as well.
lab::GpuTools gpu_of(const ClassGrading& about) {
  std::optional<system::FileLock> lock;
  if (about.shared) lock = classroom::lock_gpu(about.results, about.place);
  auto found = lab::find_gpu();
  if (auto* gpu = std::get_if<lab::GpuTools>(&found)) {
    gpu->grades_without_time = false; // points count
    return std::move(*gpu);
  }
  const language::InEnglish for_records;
  const auto& none = std::get<lab::NoGpu>(found);
  const auto why = none.old ? doctor::no_gpu(none.why, none.old) : none.why;
  if (about.shared) classroom::mark_sick(about.results, about.place, why);
  throw std::runtime_error(why);
}

judge::Verdict grade_on_gpu(const ClassGrading& about, const lab::Exercise& exercise,
                            const fs::path& file, const lab::Tools& tools,
                            const lab::GpuTools& gpu) {
  const classroom::WatchedGpu watch(sick_gpu);
  std::optional<system::FileLock> lock;
  const auto alone = [&] {
    if (about.shared) lock = classroom::lock_gpu(about.results, about.place);
  };
  auto verdict =
      lab::grade(exercise, {file, about.seed}, lab::with_gpu(tools, watch.watched(gpu, alone)));
  if (const auto why = watch.sickness(); !why.empty() && about.shared)
    classroom::mark_sick(about.results, about.place, why);
  if (const auto why = watch.failure(); !why.empty()) throw std::runtime_error(why);
  return verdict;
}

} // namespace

std::variant<classroom::Settings, std::string>
read_class_settings(const std::filesystem::path& root, const std::string& file) {
  if (file.empty()) return classroom::Settings{};
  const auto text = system::content_of(file);
  if (!text) return file + " cannot be read";
  return classroom::read_settings(*text, file, lab::exercises(root));
}

std::uint64_t fresh_class_seed() {
  return std::random_device{}() & 0x7fffffff;
}

classroom::Grading class_grading(const ClassGrading& about, const lab::Workplace& place) {
  constexpr auto kNoGpu = judge::Means::Note::no_gpu;
  classroom::Grading grading;
  grading.results = about.results;
  grading.place = about.place;
  grading.exercises = &lab::exercises(about.root);
  std::optional<lab::GpuTools> gpu;
  if (about.on_gpu) gpu = gpu_of(about);
  // A device that executes nothing is asked for what does not change from verdict to verdict.
  // Grading happens in a child, which has to be made before any thread is.
  const auto idle = emulator::make_device({1, true});
  const auto means = lab::make_tools(place, *idle, kNoGpu).means;
  std::error_code none;
  const auto this_program = fs::read_symlink("/proc/self/exe", none);
  grading.circumstances = {classroom::grader_digest(about.results, classroom::grading_programs(
                                                                       this_program, place.host)),
                           gpu ? gpu->name : means.device,
                           means.toolkit,
                           means.sandbox,
                           about.seed,
                           language::spoken()};
  grading.grade = [=](const lab::Exercise& exercise, const fs::path& file) {
    return lab::grade_bounded(exercise, {file, about.seed}, means,
                              [&] {
                                const auto device = emulator::make_device({about.threads, true});
                                const auto tools = lab::make_tools(place, *device, kNoGpu);
                                if (gpu) return grade_on_gpu(about, exercise, file, tools, *gpu);
                                return lab::grade(exercise, {file, about.seed}, tools);
                              },
                              {gpu ? lab::kMemoryWithGpu : lab::kMemory});
  };
  grading.wanted = [](const std::string&) { return true; };
  return grading;
}

} // namespace course::cli
