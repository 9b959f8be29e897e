#include "report/words/ended_words.hpp"

#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/message_words.hpp"
#include "report/words/not_on_gpu_words.hpp"
#include "report/words/numbers.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <tuple>
#include <utility>

namespace course::report {
namespace {

namespace endings = judge::endings;

EndedWords say(const endings::NoToolkit&) {
  return {tr("There is no nvcc on this machine, so nothing can be compiled."),
          tr("Install NVIDIA's CUDA Toolkit 13 (package cuda-toolkit-13-0 of NVIDIA's repository, "
             "https://developer.nvidia.com/cuda-downloads), or set CUDA_HOME to where it is. No "
             "GPU and no driver are needed.")};
}

EndedWords say(const endings::Unreadable& how) {
  return {tr("{} cannot be read: {}.", how.file, reason_in_words(how.why)),
          tr("Is the path right, and is it a file that you may read?")};
}

EndedWords say(const endings::SymbolicLink& how) {
  return {tr("{} is a symbolic link.", how.file),
          tr("A link is not followed: it could lead to a solution, or to somebody's private file. "
             "Put the file itself in its place.")};
}

EndedWords say(const endings::TooLong& how) {
  return {tr("{} has more than {} MiB.", how.file, how.most >> 20),
          tr("No exercise has a hundredth of that. Is it the right file?")};
}

EndedWords say(const endings::Empty& how) {
  return {tr("{} is empty.", how.file),
          tr("To start again from the skeleton: ./course reset {}", how.exercise)};
}

EndedWords say(const endings::Rejected& how) {
  using Why = endings::Rejected::Why;
  switch (how.why) {
  case Why::timed_out:
    return {tr("{} took nvcc too long, and it was stopped.", how.file),
            tr("Templates or constexpr functions that never end do this, and loops unrolled a "
               "great many times.")};
  case Why::too_large:
    return {tr("{} makes nvcc write too much.", how.file),
            tr("Is there a very large initialised array, or an endless #include?")};
  case Why::out_of_memory:
    return {tr("{} makes nvcc run out of memory.", how.file),
            tr("Templates or constexpr functions that never end do this, and very large arrays.")};
  case Why::diagnostics:
    break;
  }
  return {tr("{} does not compile.", how.file),
          tr("Begin with the first error: the later ones often follow from it.")};
}

std::string asked_signature() {
  return tr("The grader calls exactly this function; take its first line from the skeleton.");
}

std::string listed(const std::vector<std::string>& functions) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, functions.size()); ++i)
    text += (i ? ", " : "") + functions[i];
  return functions.size() > kMost ? tr("{} and {} more", text, functions.size() - kMost) : text;
}

EndedWords say(const endings::NoFunction& how) {
  if (how.there.empty())
    return {tr("{} compiles, but does not define {}. It defines no function that can be called.",
               how.file, how.signature),
            asked_signature()};
  return {tr("{} compiles, but does not define {}. It defines {}.", how.file, how.signature,
             listed(how.there)),
          asked_signature()};
}

// What host code did to memory that is not its own, and what to ask of it.
std::pair<std::string, std::string> touched(const endings::Crashed& how) {
  constexpr std::uint64_t kNearNull = 64 << 10; // a member or an element of what is not there
  const std::string signal = how.signal == SIGBUS ? "SIGBUS" : "SIGSEGV";
  if (!how.touched)
    return {tr("host code touched memory that is not its own ({})", signal),
            tr("Which pointer or index of the host code can be wrong for this shape?")};
  const auto& at = *how.touched;
  const auto advice = tr("A pointer into the GPU's memory is for kernels and for CUDA calls: pass "
                         "it on, and let them read and write there.");
  if (!at.buffer.empty())
    return {
        at.writes
            ? tr("host code wrote to `{}`, which is in the GPU's memory ({})", at.buffer, signal)
            : tr("host code read `{}`, which is in the GPU's memory ({})", at.buffer, signal),
        advice};
  const auto address = fmt::format("0x{:x}", at.address);
  if (at.of_device)
    return {at.writes
                ? tr("host code wrote to {}, an address in the GPU's memory ({})", address, signal)
                : tr("host code read at {}, an address in the GPU's memory ({})", address, signal),
            advice};
  const auto what =
      at.writes ? tr("host code wrote to address {}, where it has no memory ({})", address, signal)
                : tr("host code read at address {}, where it has no memory ({})", address, signal);
  if (at.address < kNearNull)
    return {what, tr("That is a null pointer, or an element of one. Which pointer was never set? "
                     "A CUDA call sets one only where it gives cudaSuccess.")};
  return {what, tr("Is an index past the end of an array here, a pointer never set, or an array "
                   "too large for the stack?")};
}

EndedWords say(const endings::Crashed& how) {
  const auto crashed = [&](const std::string& what, std::string advice) {
    const auto shape = in_words(how.call.shape);
    if (how.refused)
      return EndedWords{
          tr("{} was refused with {}, and after it {}() crashed for {}: {}.",
             call_in_words(how.refused->call), how.refused->error, how.call.function, shape, what),
          tr("Begin with the call: what it should have set or made is not there. {}", advice)};
    return EndedWords{tr("{}() crashed for {}: {}.", how.call.function, shape, what),
                      std::move(advice)};
  };
  const auto said = reason_in_words(how.reason);
  switch (how.signal) {
  case SIGILL:
    return crashed(tr("host code came to an illegal instruction (SIGILL)"),
                   tr("Does a function that should return a value end without return? The compiler "
                      "puts such an instruction there."));
  case SIGSYS:
    return crashed(tr("host code made a system call that the sandbox does not allow (SIGSYS)"),
                   tr("The exercise needs no files, no network and no other programs."));
  case SIGTRAP:
    return crashed(tr("host code came to a trap (SIGTRAP)"),
                   tr("Is there a __builtin_trap() or a breakpoint in the host code? No kernel has "
                      "run yet."));
  case SIGFPE:
    return crashed(tr("host code divided by zero (SIGFPE)"),
                   tr("Look in the host code for a / or a % whose right side is 0 for this shape. "
                      "A kernel cannot be the reason: none has run yet."));
  case SIGSEGV:
  case SIGBUS:
    return std::apply(crashed, touched(how));
  case SIGABRT:
    return crashed(said.empty() ? tr("host code gave up (SIGABRT)") : said,
                   tr("An assert, an exception that nobody caught, or memory freed twice ends a "
                      "program like this. What it printed is below."));
  default:
    return crashed(said.empty() ? tr("signal {}", how.signal) : said,
                   tr("The reason is in the host code: no kernel has run yet."));
  }
}

EndedWords say(const endings::NotReturned& how) {
  using How = endings::NotReturned::How;
  const auto name = how.call.function;
  const auto shape = in_words(how.call.shape);
  const auto amount = static_cast<std::uint64_t>(how.amount);
  switch (how.how) {
  case How::still_running:
    return {tr("{}() had not returned after {} s for {}.", name, how.amount, shape),
            tr("Look in the host code for a loop whose condition stays true. A slow kernel is not "
               "the reason: a launch does not wait for it.")};
  case How::exited:
    return {tr("{}() ended the whole program with exit code {} for {}.", name, amount, shape),
            tr("It has to return to its caller. Take out the call of exit().")};
  case How::memory:
    return {tr("{}() needed more than {} MiB of host memory for {}.", name, amount >> 20, shape),
            tr("The matrices are already in device memory. What does host code allocate?")};
  case How::output:
    return {tr("{}() printed more than {} KiB, and was ended for {}.", name, amount >> 10, shape),
            tr("Is there a print in a loop?")};
  case How::file_size:
    return {tr("{}() wrote a file of more than {} MiB, and was ended for {}.", name, amount >> 20,
               shape),
            tr("The exercise needs no files.")};
  case How::too_large:
    return {how.reason.empty()
                ? tr("{}() asked for more CUDA work than the grader takes for {}.", name, shape)
                : tr("{}() asked for more CUDA work than the grader takes: {} for {}.", name,
                     reason_in_words(how.reason), shape),
            tr("Is there a launch or a copy in a loop without end?")};
  case How::bad_protocol:
    return {how.reason.empty()
                ? tr("{}() disturbed the connection to the grader for {}.", name, shape)
                : tr("{}() disturbed the connection to the grader for {}: {}.", name, shape,
                     reason_in_words(how.reason)),
            tr("Does host code write to a file descriptor that it did not open, or past the end "
               "of an array of its own?")};
  case How::unknown:
    break;
  }
  return {tr("{}() ended in a way that is not known for {}.", name, shape),
          tr("Please report this: it is not about your file.")};
}

EndedWords say(const endings::NotLoaded& how) {
  return {how.reason.empty()
              ? tr("The compiled file cannot be loaded.")
              : tr("The compiled file cannot be loaded: {}.", reason_in_words(how.reason)),
          tr("Does it use a function that it only declares, or a library that is not CUDA's?")};
}

EndedWords say(const endings::NotExported& how) {
  return {how.reason.empty() ? tr("{} is missing.", how.signature)
                             : tr("{} is missing: {}.", how.signature, reason_in_words(how.reason)),
          asked_signature()};
}

EndedWords say(const endings::NotStarted& how) {
  return {how.reason.empty()
              ? tr("The sandbox could not be started.")
              : tr("The sandbox could not be started: {}.", reason_in_words(how.reason)),
          tr("This is not about your file. The package bubblewrap is what is usually missing.")};
}

EndedWords say(const endings::TooMuchAsked& how) {
  return {tr("{}() asked for launches, fills and copies without end for {}.", how.call.function,
             in_words(how.call.shape)),
          tr("Is there a launch, a cudaMemset or a cudaMemcpy in a loop, or one of gigabytes?")};
}

// What does the same in an exercise.
std::string instead_of(const std::string& call) {
  if (call.starts_with("cudaCreateTextureObject"))
    return tr("The exercise can be solved without it: read through the pointer, which may be "
              "const and __restrict__, and comes through the same cache.");
  return tr("The exercise can be solved without it.");
}

EndedWords say(const endings::UnknownCall& how) {
  if (how.signal != 0)
    return {
        tr("Host code calls {}, which the grader's CUDA runtime cannot answer here, and crashed "
           "after that call was refused.",
           call_in_words(how.call)),
        tr("The exercise can be solved without it. If it crashes then, too, the reason is "
           "elsewhere.")};
  return {how.line ? tr("Host code calls {} (line {}), which the grader's CUDA runtime cannot "
                        "answer here.",
                        call_in_words(how.call), how.line)
                   : tr("Host code calls {}, which the grader's CUDA runtime cannot answer here.",
                        call_in_words(how.call)),
          instead_of(how.call)};
}

EndedWords say(const endings::ManagedVariable& how) {
  return {how.line ? tr("Host code touches a __managed__ variable (line {}: `{}`), and the grader "
                        "has none for it.",
                        how.line, how.name)
                   : tr("Host code touches a __managed__ variable (`{}`), and the grader has none "
                        "for it.",
                        how.name),
          tr("Kernels may use such a variable. Make it a __device__ variable that host code sets "
             "by cudaMemcpyToSymbol, or let the kernel have its value as an argument.")};
}

EndedWords say(const endings::TooMuchMemory& how) {
  return {tr("Grading this file needed more than {} MiB of memory, and was ended.", how.most >> 20),
          tr("What takes so much is its device code, or what its kernels touch. Look for thousands "
             "of branches, tables or symbols, and for kernels that write far more than the "
             "output.")};
}

EndedWords say(const endings::TooMuchTime& how) {
  return {tr("Grading this file took more than {} s of processor time, and was ended.", how.most),
          tr("What takes so long is to read its device code or to execute it. The exercise needs a "
             "small part of that.")};
}

EndedWords say(const endings::NoProcess&) {
  return {tr("This machine starts no more processes, and grading needs some."),
          tr("Is it busy, or is there a limit on processes (ulimit -u)?")};
}

EndedWords say(const endings::NotExecutable& how) {
  return {tr("The emulated device cannot execute this kernel: {}", in_words(how.reason)),
          tr("Your code may be right. Say it in another way, or grade it on a GPU.")};
}

EndedWords say(const endings::NotTimeable& how) {
  return {tr("This GPU cannot execute this kernel, and the course's solution it can: {}.",
             not_on_gpu_words(how.why)),
          tr("Your code may be right. Grade it on the emulated device, all but time, or on a GPU "
             "that has what it uses.")};
}

EndedWords say(const endings::LaunchFails& how) {
  const auto shape = in_words(how.call.shape);
  if (how.refused.empty())
    return {tr("{}() returned without launching a kernel for {}.", how.call.function, shape),
            tr("What it computes has to be computed by a kernel.")};
  return {how.why.empty() ? tr("{} was refused with {} for {}.", how.refused, how.error, shape)
                          : tr("{} was refused with {} for {}: {}", how.refused, how.error, shape,
                               in_words(how.why)),
          tr("What a launch asks for has to fit on the GPU.")};
}

EndedWords say(const endings::KernelEnded& how) {
  return {how.why.empty() ? tr("Its kernel did not come to its end.")
                          : tr("Its kernel was ended: {}", in_words(how.why)),
          tr("course grade says more of a file.")};
}

EndedWords say(const endings::Unwritten& how) {
  return {trn("For {1}, {0}() leaves {2} element of `{3}` as it was, the first at {4}.",
              "For {1}, {0}() leaves {2} elements of `{3}` as they were, the first at {4}.",
              how.elements, how.call.function, in_words(how.call.shape), thousands(how.elements),
              how.buffer, thousands(how.first)),
          tr("It has to write all of it.")};
}

EndedWords say(const endings::ReferenceFails& how) {
  return {tr("The reference {} of this exercise gives no answer. {}", how.file,
             fault_words(how.why).headline),
          tr("It is called as the launcher is, and computes by itself: host code on arrays of host "
             "memory, no kernel. That is for whoever keeps this course to mend.")};
}

EndedWords say(const endings::SolutionFails& how) {
  return {
      how.shape.empty()
          ? tr("The solution {} of this exercise does not compile, or is missing.", how.solution)
          : tr("The solution {} of this exercise fails for {}. {}", how.solution,
               in_words(how.shape), fault_words(how.why).headline),
      tr("That is for whoever keeps this course to mend.")};
}

} // namespace

std::string outcome_words(const judge::Verdict& verdict, const std::string& points) {
  if (verdict.ending == judge::Ending::passed) return tr("Solved: {}.", points);
  if (!judge::is_graded(verdict.ending)) return tr("Not graded.");
  const auto& before = verdict.solved_before;
  return before ? tr("It stays solved: {} of {} points; this text has {}.", before->points,
                     before->max_points, verdict.points)
                : tr("Not solved yet: {}.", points);
}

std::string ending_word(judge::Ending ending) {
  switch (ending) {
  case judge::Ending::passed:
    return trc("an ending", "passed");
  case judge::Ending::failed:
    return trc("an ending", "failed");
  case judge::Ending::did_not_compile:
    return trc("an ending", "did_not_compile");
  case judge::Ending::crashed:
    return trc("an ending", "crashed");
  case judge::Ending::timed_out:
    return trc("an ending", "timed_out");
  case judge::Ending::not_measurable:
    return trc("an ending", "not_measurable");
  case judge::Ending::set_up:
    return trc("an ending", "set_up");
  }
  return "";
}

EndedWords fault_words(const judge::Fault& why) {
  return std::visit([](const auto& fact) { return say(fact); }, why);
}

EndedWords ended_words(const judge::EndedBy& how) {
  return std::visit([](const auto& fact) { return say(fact); }, how);
}

EndedWords ended_words(const judge::Verdict& verdict) {
  return verdict.ended ? ended_words(*verdict.ended) : EndedWords{};
}

} // namespace course::report
