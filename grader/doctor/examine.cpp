#include "doctor/examine.hpp"

#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/not_on_gpu_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace course::doctor {
namespace {

Finding fine(const std::string& name, const std::string& found, bool needed = false) {
  return {name, true, needed, found, ""};
}
Finding lacking(const std::string& name, const std::string& why, const std::string& remedy,
                bool needed = false) {
  return {name, false, needed, why, remedy};
}

bool mentions(const std::string& text, const char* word) {
  return text.find(word) != text.npos;
}

// Why there is no GPU, by the names that the library's own words have in them.
enum class NoGpu { no_worker, no_driver, none_listed, mismatch, other };
NoGpu why_no_gpu(const std::string& reason) {
  if (mentions(reason, "course_gpu_worker")) return NoGpu::no_worker;
  if (mentions(reason, "libcuda")) return NoGpu::no_driver;
  if (mentions(reason, "NO_DEVICE") || mentions(reason, "no CUDA-capable"))
    return NoGpu::none_listed;
  if (mentions(reason, "SYSTEM_DRIVER_MISMATCH") || mentions(reason, "INSUFFICIENT_DRIVER"))
    return NoGpu::mismatch;
  return NoGpu::other;
}

std::string remedy_for(NoGpu why) {
  switch (why) {
  case NoGpu::no_worker:
    return tr("build it: it needs the CUDA Toolkit's headers, and ./course builds what it can");
  case NoGpu::no_driver:
    return tr("without a GPU there is nothing to do: everything but time is graded. With one, "
              "install NVIDIA's driver (nvidia-smi comes with it)");
  case NoGpu::none_listed:
    return tr("nvidia-smi -L lists the GPUs; in a container, pass one in (--gpus all); check "
              "CUDA_VISIBLE_DEVICES");
  case NoGpu::mismatch:
    return tr("restart the machine, or install the driver that fits the module that is loaded");
  case NoGpu::other:
    break;
  }
  return tr("nvidia-smi should list a GPU; grading goes on without one");
}

std::string remedy_for_counters(const std::string& reason) {
  if (mentions(reason, "PRIVILEGES") || mentions(reason, "permission"))
    return tr("an administrator allows it to all users: options nvidia "
              "NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then a restart; until "
              "then the emulated device counts");
  return tr("the emulated device counts in its place, and reports say so");
}

Finding quiet(const gpu::Conditions& state) {
  const auto name = tr("quiet GPU");
  if (!state.unavailable.empty())
    return lacking(name, report::reason_in_words(state.unavailable),
                   tr("times are taken all the same"));
  if (state.other_processes == 0 && state.throttled.empty())
    return fine(name, tr("SM clock {} of {} MHz, no other process", state.sm_clock,
                         state.highest_sm_clock));
  auto why = tr("{} other processes on it", state.other_processes);
  for (const auto& reason : state.throttled)
    why += tr(", throttled: {}", language::translated(reason.c_str()));
  return lacking(name, why,
                 tr("times vary more; wait, or choose another GPU with CUDA_VISIBLE_DEVICES"));
}

// How much of the course the GPU that is there can execute.
Finding graded_on(const Facts& facts) {
  const auto name = tr("exercises");
  if (facts.untimed.empty())
    return fine(name, tr("all {} can be graded on it, time included", facts.exercises));
  return fine(name,
              tr("{} of {} can be graded on it, time included; on the emulated device, all but "
                 "time: {}",
                 facts.exercises - facts.untimed.size(), facts.exercises,
                 fmt::format("{}", fmt::join(facts.untimed, ", "))));
}

void add_gpu(std::vector<Finding>& findings, const Facts& facts) {
  const auto& gpu = facts.gpu;
  if (gpu.usable && gpu.capability() < gpu::kOldest) {
    findings.push_back(
        lacking("GPU", no_gpu("", gpu::Ability{gpu.gpu, gpu.capability(), 0, 0}),
                tr("everything but time is graded on the emulated device; INSTALL.md lists what "
                   "each GPU can do")));
    return;
  }
  if (!gpu.usable) {
    findings.push_back(lacking("GPU", gpu_reason(gpu.reason), remedy_for(why_no_gpu(gpu.reason))));
    return;
  }
  findings.push_back(fine(tr("driver"), tr("for CUDA {}", gpu.driver)));
  findings.push_back(fine("GPU", tr("{}, compute capability {}.{}, {} GiB", gpu.gpu, gpu.major,
                                    gpu.minor, gpu.memory >> 30)));
  if (facts.exercises > 0) findings.push_back(graded_on(facts));
  if (gpu.capability() != gpu::emulated_capability()) {
    findings.push_back(
        fine(tr("counters"), tr("not asked: counts are those of an emulated H200, as the rules "
                                "by which this GPU serves accesses are not known here")));
    findings.push_back(quiet(gpu.conditions));
    return;
  }
  findings.push_back(gpu.cupti.empty()
                         ? lacking("CUPTI", tr("libcupti was not found"),
                                   tr("it is in the CUDA Toolkit, in extras/CUPTI/lib64; "
                                      "LD_LIBRARY_PATH may name its folder"))
                         : fine("CUPTI", gpu.cupti));
  findings.push_back(
      gpu.counters.empty()
          ? fine(tr("counters"),
                 tr("a built-in kernel was counted right, instruction by instruction"))
          : lacking(tr("counters"), report::reason_in_words(gpu.counters),
                    remedy_for_counters(gpu.counters)));
  findings.push_back(quiet(gpu.conditions));
}

} // namespace

std::vector<Finding> examine(const Facts& facts) {
  std::vector<Finding> findings;
  if (facts.nvcc.empty()) {
    findings.push_back(lacking("nvcc",
                               tr("not found in CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda"),
                               tr("install the CUDA Toolkit 13, or set CUDA_HOME"), true));
  } else {
    findings.push_back(fine("nvcc", facts.toolkit + ", " + facts.nvcc, true));
  }
  findings.push_back(facts.unbuilt.empty()
                         ? fine(tr("grader"), tr("all of its parts are built"), true)
                         : lacking(tr("grader"), facts.unbuilt, tr("./course builds it"), true));
  findings.push_back(facts.cache_writable
                         ? fine(tr("cache"), facts.cache, true)
                         : lacking(tr("cache"), tr("{} cannot be written", facts.cache),
                                   tr("set COURSE_CACHE to a folder of yours"), true));
  findings.push_back(
      facts.to_contain.empty()
          ? fine(tr("sandbox"), facts.sandbox, true)
          : lacking(tr("sandbox"),
                    tr("{}: nothing contains a program that is not trusted", facts.sandbox),
                    tr("{}; or, for files that you trust, grade with --sandbox process",
                       facts.to_contain),
                    true));
  add_gpu(findings, facts);
  for (const auto& program : facts.book) {
    const auto name = tr("book: {}", program.name);
    findings.push_back(program.path.empty()
                           ? lacking(name, tr("not found"), "apt-get install " + program.package)
                           : fine(name, program.path));
  }
  return findings;
}

std::string gpu_reason(const std::string& reason) {
  // What the library itself says is English; without a driver nothing of it helps, and most read
  // this.
  const bool in_words = why_no_gpu(reason) == NoGpu::no_driver && !language::english();
  return in_words ? tr("no NVIDIA driver: libcuda.so.1 was not found")
                  : report::reason_in_words(reason);
}

std::string no_gpu(const std::string& reason, const std::optional<gpu::Ability>& old) {
  if (!old) return gpu_reason(reason);
  return tr("the {} has compute capability {}, and CUDA 13 compiles for {} and later", old->gpu,
            report::capability_text(old->capability), report::capability_text(gpu::kOldest));
}

bool gpu_takes_part(const Facts& facts) {
  return facts.gpu.usable && facts.gpu.capability() >= gpu::kOldest;
}

bool can_grade(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.ok || !one.needed; });
}

} // namespace course::doctor
