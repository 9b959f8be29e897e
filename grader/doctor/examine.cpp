#include "doctor/examine.hpp"

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

// By the library's words: they say which of the usual reasons it is.
std::string remedy_for_gpu(const std::string& reason) {
  if (mentions(reason, "course_gpu_worker"))
    return "build it: it needs the CUDA Toolkit's headers, and ./course builds what it can";
  if (mentions(reason, "libcuda"))
    return "install NVIDIA's driver (nvidia-smi comes with it); without a GPU there is nothing to "
           "do: everything but time is graded";
  if (mentions(reason, "NO_DEVICE") || mentions(reason, "no CUDA-capable"))
    return "nvidia-smi -L lists the GPUs; in a container, pass one in (--gpus all); check "
           "CUDA_VISIBLE_DEVICES";
  if (mentions(reason, "SYSTEM_DRIVER_MISMATCH") || mentions(reason, "INSUFFICIENT_DRIVER"))
    return "restart the machine, or install the driver that fits the kernel module";
  return "nvidia-smi should list a GPU; grading goes on without one";
}

std::string remedy_for_counters(const std::string& reason) {
  if (mentions(reason, "PRIVILEGES") || mentions(reason, "permission"))
    return "an administrator allows it to all users: options nvidia "
           "NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then a restart; until then "
           "the emulated device counts";
  return "the emulated device counts in its place, and reports say so";
}

void add_gpu(std::vector<Finding>& findings, const gpu::GpuStatus& gpu) {
  if (!gpu.usable) {
    findings.push_back(lacking("GPU", gpu.reason, remedy_for_gpu(gpu.reason)));
    return;
  }
  findings.push_back(fine("driver", "for CUDA " + gpu.driver));
  findings.push_back(fine("GPU", gpu.gpu + ", compute capability " + std::to_string(gpu.major) +
                                     "." + std::to_string(gpu.minor) + ", " +
                                     std::to_string(gpu.memory >> 30) + " GiB"));
  findings.push_back(gpu.cupti.empty()
                         ? lacking("CUPTI", "libcupti was not found",
                                   "it is in the CUDA Toolkit, in extras/CUPTI/lib64; "
                                   "LD_LIBRARY_PATH may name its folder")
                         : fine("CUPTI", gpu.cupti));
  findings.push_back(
      gpu.counters.empty()
          ? fine("counters", "a built-in kernel was counted right, instruction by instruction")
          : lacking("counters", gpu.counters, remedy_for_counters(gpu.counters)));
  const auto& state = gpu.conditions;
  if (!state.unavailable.empty()) {
    findings.push_back(lacking("quiet GPU", state.unavailable, "times are taken all the same"));
  } else if (state.other_processes > 0 || !state.throttled.empty()) {
    std::string why = std::to_string(state.other_processes) + " other processes on it";
    for (const auto& reason : state.throttled) why += ", throttled: " + reason;
    findings.push_back(lacking("quiet GPU", why,
                               "times vary more; wait, or choose another GPU "
                               "with CUDA_VISIBLE_DEVICES"));
  } else {
    findings.push_back(fine("quiet GPU", "SM clock " + std::to_string(state.sm_clock) + " of " +
                                             std::to_string(state.highest_sm_clock) +
                                             " MHz, no other process"));
  }
}

} // namespace

std::vector<Finding> examine(const Facts& facts) {
  std::vector<Finding> findings;
  if (facts.nvcc.empty()) {
    findings.push_back(lacking("nvcc", "not found in CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda",
                               "install the CUDA Toolkit 13, or set CUDA_HOME", true));
  } else {
    findings.push_back(fine("nvcc", facts.toolkit + ", " + facts.nvcc, true));
  }
  findings.push_back(facts.unbuilt.empty()
                         ? fine("grader", "all of its parts are built", true)
                         : lacking("grader", facts.unbuilt, "./course builds it", true));
  findings.push_back(facts.cache_writable ? fine("cache", facts.cache, true)
                                          : lacking("cache", facts.cache + " cannot be written",
                                                    "set COURSE_CACHE to a folder of yours", true));
  findings.push_back(
      facts.sandbox_contains
          ? fine("sandbox", facts.sandbox, true)
          : lacking(
                "sandbox", facts.sandbox + ": nothing contains a program that is not trusted",
                "install bubblewrap, or, for files that you trust, grade with --sandbox process",
                true));
  add_gpu(findings, facts.gpu);
  for (const auto& program : facts.book) {
    const auto name = "book: " + program.name;
    findings.push_back(program.path.empty()
                           ? lacking(name, "not found", "apt-get install " + program.package)
                           : fine(name, program.path));
  }
  return findings;
}

bool can_grade(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.ok || !one.needed; });
}

} // namespace course::doctor
