#include "lab/endings.hpp"

#include "build/compile.hpp"
#include "report/words/shape_words.hpp"
#include "system/file.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace course::lab {
namespace {

using judge::Ending;
using End = runtime::Recording::End;

// "transpose(float*, float const*, int, int)" -> "transpose"
std::string called(const Exercise& exercise) {
  return exercise.function.substr(0, exercise.function.find('('));
}

// "`in` or `out`": what a launcher gets that host code must not touch.
std::string pointers(const Exercise& exercise) {
  std::string names;
  if (exercise.cases.empty()) return names;
  for (const auto& operand : exercise.cases.front().operands)
    names += (names.empty() ? "`" : " or `") + operand.name + "`";
  return names;
}

Words crashed(const runtime::Recording& recording, const Exercise& exercise,
              const std::string& where) {
  const auto name = called(exercise);
  const auto says = [&](const std::string& what, const std::string& advice) {
    return Words{Ending::crashed, fmt::format("{}() crashed {}: {}.", name, where, what), advice};
  };
  switch (recording.signal) {
  case SIGFPE:
    return says("host code divided by zero (SIGFPE)",
                "Look in the host code for a / or a % whose right side is 0 for this shape. A "
                "kernel cannot be the reason: none has run yet.");
  case SIGSEGV:
  case SIGBUS:
    return says(fmt::format("host code touched memory that is not its own ({})",
                            recording.signal == SIGBUS ? "SIGBUS" : "SIGSEGV"),
                fmt::format("Does host code read or write through {}? They point into the GPU's "
                            "memory: pass them on to a kernel, and let it do so.",
                            pointers(exercise)));
  case SIGABRT:
    return says(recording.reason.empty() ? "host code gave up (SIGABRT)" : recording.reason,
                "An assert, an exception that nobody caught, or memory freed twice ends a program "
                "like this. What it printed is below.");
  default:
    return says(recording.reason.empty() ? fmt::format("signal {}", recording.signal)
                                         : recording.reason,
                "The reason is in the host code: no kernel has run yet.");
  }
}

Words other_end(const runtime::Recording& recording, const Exercise& exercise,
                const std::string& where, const sandbox::Limits& limits) {
  const auto name = called(exercise);
  const auto says = [&](Ending ending, const std::string& what, const std::string& advice) {
    return Words{ending, fmt::format("{}() {} {}.", name, what, where), advice};
  };
  const auto because = recording.reason.empty() ? "" : ": " + recording.reason;
  switch (recording.end) {
  case End::cpu_time:
  case End::wall_time: {
    const auto seconds = recording.end == End::cpu_time
                             ? std::chrono::duration<double>(limits.cpu).count()
                             : std::chrono::duration<double>(limits.wall).count();
    return says(Ending::timed_out, fmt::format("had not returned after {} s", seconds),
                "Look in the host code for a loop whose condition stays true. A slow kernel is not "
                "the reason: a launch does not wait for it.");
  }
  case End::exited:
    return says(Ending::crashed,
                fmt::format("ended the whole program with exit code {}", recording.code),
                "It has to return to its caller. Take out the call of exit().");
  case End::memory:
    return says(Ending::crashed,
                fmt::format("needed more than {} MiB of host memory", limits.memory >> 20),
                "The matrices are already in device memory. What does host code allocate?");
  case End::output:
    return says(Ending::crashed,
                fmt::format("printed more than {} KiB, and was ended", limits.output >> 10),
                "Is there a print in a loop?");
  case End::file_size:
    return says(
        Ending::crashed,
        fmt::format("wrote a file of more than {} MiB, and was ended", limits.file_size >> 20),
        "The exercise needs no files.");
  case End::too_large:
    return says(Ending::not_measurable, "asked for more CUDA work than the grader takes" + because,
                "Is there a launch or a copy in a loop without end?");
  case End::not_loaded:
    return {Ending::did_not_compile, fmt::format("The compiled file cannot be loaded{}.", because),
            "Does it use a function that it only declares, or a library that is not CUDA's?"};
  case End::no_function:
    return {Ending::did_not_compile, fmt::format("{} is missing{}.", exercise.signature, because),
            "The grader calls exactly this function; take its first line from the skeleton."};
  case End::bad_protocol:
    return {Ending::crashed,
            fmt::format("{}() disturbed the connection to the grader {}{}.", name, where, because),
            "Does host code write to a file descriptor that it did not open, or past the end of an "
            "array of its own?"};
  case End::not_started:
    return {Ending::set_up, fmt::format("The sandbox could not be started{}.", because),
            "This is not about your file. The package bubblewrap is what is usually missing."};
  case End::returned:
  case End::crashed:
    break;
  }
  return {Ending::crashed, fmt::format("{}() ended in a way that is not known {}.", name, where),
          "Please report this: it is not about your file."};
}

std::string listed(const std::vector<std::string>& functions) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, functions.size()); ++i)
    text += (i ? ", " : "") + functions[i];
  if (functions.size() > kMost) text += fmt::format(" and {} more", functions.size() - kMost);
  return text;
}

} // namespace

Words no_toolkit() {
  return {Ending::set_up, "There is no nvcc on this machine, so nothing can be compiled.",
          "Install NVIDIA's CUDA Toolkit 13 (package cuda-toolkit-13-0 of NVIDIA's repository, "
          "https://developer.nvidia.com/cuda-downloads), or set CUDA_HOME to where it is. No GPU "
          "and no driver are needed."};
}

Words unreadable(const std::string& file, const std::string& why) {
  return {Ending::set_up, fmt::format("{} cannot be read: {}.", file, why),
          "Is the path right, and is it a file that you may read?"};
}

Words link(const std::string& file) {
  return {Ending::did_not_compile, fmt::format("{} is a symbolic link.", file),
          "A link is not followed: it could lead to a solution, or to somebody's private file. Put "
          "the file itself in its place."};
}

Words long_file(const std::string& file) {
  return {Ending::did_not_compile,
          fmt::format("{} has more than {} MiB.", file, build::kLargestSource >> 20),
          "No exercise has a hundredth of that. Is it the right file?"};
}

Words empty_file(const Exercise& exercise, const std::string& file) {
  return {Ending::did_not_compile, fmt::format("{} is empty.", file),
          fmt::format("To start again from the skeleton: ./course reset {}", exercise.id)};
}

Words rejected(const build::Rejected& rejected, const std::string& file) {
  using Reason = build::Rejected::Reason;
  switch (rejected.reason) {
  case Reason::diagnostics:
    return {Ending::did_not_compile, fmt::format("{} does not compile.", file),
            "Begin with the first error: the later ones often follow from it."};
  case Reason::timed_out:
    return {Ending::did_not_compile,
            fmt::format("{} took nvcc too long, and it was stopped.", file),
            "Templates or constexpr functions that never end do this, and loops unrolled a great "
            "many times."};
  case Reason::too_large:
    return {Ending::did_not_compile, fmt::format("{} makes nvcc write too much.", file),
            "Is there a very large initialised array, or an endless #include?"};
  case Reason::out_of_memory:
    return {Ending::did_not_compile, fmt::format("{} makes nvcc run out of memory.", file),
            "Templates or constexpr functions that never end do this, and very large arrays."};
  case Reason::unreadable:
    return unreadable(file, rejected.text.empty() ? "unknown reason" : rejected.text);
  case Reason::no_compiler:
    return no_toolkit();
  }
  return {Ending::did_not_compile, fmt::format("{} does not compile.", file), ""};
}

Words no_function(const Exercise& exercise, const std::string& file,
                  const std::vector<std::string>& functions) {
  const auto there = functions.empty() ? std::string("It defines no function that can be called")
                                       : "It defines " + listed(functions);
  return {Ending::did_not_compile,
          fmt::format("{} compiles, but does not define {}. {}.", file, exercise.signature, there),
          "The grader calls exactly this function; take its first line from the skeleton."};
}

std::optional<Words> not_returned(const runtime::Recording& recording, const Exercise& exercise,
                                  const std::string& shape, const sandbox::Limits& limits) {
  if (recording.end == End::returned) return std::nullopt;
  const auto where = "for " + report::in_words(shape);
  if (recording.end == End::crashed) return crashed(recording, exercise, where);
  return other_end(recording, exercise, where, limits);
}

Words too_much_asked(const Exercise& exercise, const std::string& shape) {
  return {Ending::timed_out,
          fmt::format("{}() asked for launches, fills and copies without end for {}.",
                      called(exercise), report::in_words(shape)),
          "Is there a launch, a cudaMemset or a cudaMemcpy in a loop, or one of gigabytes?"};
}

judge::Check check_launch(const runtime::Recording& recording, const Exercise& exercise,
                          const std::string& shape, bool expects_launch) {
  judge::Check check;
  check.name = "launch";
  check.shape = shape;
  const auto is_launch = [](const device::Step& step) {
    return std::holds_alternative<device::Launch>(step);
  };
  const auto refuses_launch = [](const runtime::CudaError& error) {
    return error.call.find("Launch") != error.call.npos;
  };
  const auto& steps = recording.plan.steps;
  const auto launches = std::count_if(steps.begin(), steps.end(), is_launch);
  const bool refused =
      std::any_of(recording.errors.begin(), recording.errors.end(), refuses_launch);
  const bool missing = expects_launch && launches == 0;
  if (!refused && !missing) {
    check.status = judge::Status::passed;
    check.facts = judge::facts::Launched{static_cast<std::uint64_t>(launches)};
    return check;
  }
  check.status = judge::Status::failed;
  if (recording.errors.empty()) {
    check.facts = judge::facts::NothingLaunched{called(exercise)};
    return check;
  }
  const auto& error = recording.errors.front(); // those after it often follow from it
  check.facts = judge::facts::CallRefused{error.call, error.error, error.why};
  return check;
}

} // namespace course::lab
