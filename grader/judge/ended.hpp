// How a grading ended before there was anything to judge, or part of it was missing, as facts.
// report/words/ended_words.hpp says what happened, where, and what to do next.
//
// Strings are names (of files, functions, calls), or the words of somebody else: the operating
// system, a device, the student's own exception. A report cleans them.
#pragma once

#include "device/compiled_once.hpp"
#include "device/message.hpp"
#include "judge/not_on_gpu.hpp"
#include "judge/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::judge {

enum class Ending {
  passed,
  failed,
  did_not_compile, // or does not define the function that is asked for
  crashed,         // the student's host code, or it ended its own process
  timed_out,       // host code or a kernel without end
  not_measurable,  // uses what the grader cannot execute: no points, until somebody decides
  set_up,          // something is missing on this machine
};
const char* name(Ending);                 // as in the JSON: "did_not_compile"
constexpr bool is_graded(Ending ending) { // whether it says anything of the student's work
  return ending != Ending::set_up && ending != Ending::not_measurable;
}

namespace endings {

// ---- there is nothing to compile, or nobody who could

struct NoToolkit {};
struct Unreadable {
  std::string file, why;
};
struct SymbolicLink { // was handed in
  std::string file;
};
struct TooLong {
  std::string file;
  std::uint64_t most = 0; // bytes
};
struct Empty {
  std::string file, exercise;
};

// ---- nvcc

struct Rejected { // its own words are in Verdict::compiler
  enum class Why { diagnostics, timed_out, too_large, out_of_memory } why{};
  std::string file;
};
struct NoFunction { // it compiled, and what is asked for is not in it
  std::string file, signature;
  std::vector<std::string> there;
};

// ---- host code

struct Call {
  std::string function; // "transpose"
  Shape shape;
};
struct Crashed {
  Call call;
  int signal = 0;
  std::string reason; // what it threw, say; may be empty
  struct Touched {    // where that is known
    std::uint64_t address = 0;
    bool writes = false, of_device = false;
    std::string buffer; // of the launcher's own, which it lies in; may be empty
  };
  std::optional<Touched> touched = {};
  struct Refused { // the first CUDA call that was, before the crash
    std::string call, error;
  };
  std::optional<Refused> refused = {};
};
struct NotReturned {
  enum class How {
    still_running, // after `amount` seconds
    exited,        // with the code `amount`
    memory,        // more than `amount` bytes
    output,        // printed more than so many
    file_size,     // wrote a file of more
    too_large,     // more CUDA work than a recording holds
    bad_protocol,  // it disturbed the connection to the grader
    unknown,
  } how{};
  Call call;
  double amount = 0;
  std::string reason; // may be empty
};
struct NotLoaded {
  std::string reason;
};
struct NotExported { // the library has no such function
  std::string signature, reason;
};
struct NotStarted { // the sandbox
  std::string reason;
};
struct TooMuchAsked { // launches, fills and copies that would keep a device busy without end
  Call call;
};
struct UnknownCall { // that the recording CUDA runtime does not have, or cannot answer
  std::string call;
  int signal = 0;         // by which host code crashed after it; 0: it did not
  std::uint32_t line = 0; // of the file, that names it first; 0: none does
};
struct ManagedVariable {  // host code touches one, and has none here
  std::string name;       // of the first that the file has
  std::uint32_t line = 0; // as above
};

// ---- the grading itself

struct TooMuchMemory {
  std::uint64_t most = 0; // bytes
};
struct TooMuchTime {
  std::uint64_t most = 0; // seconds of a processor
};
struct NoProcess {};   // the machine starts no more
struct NotExecutable { // by the emulated device, as which says why
  device::Message reason;
};
struct NotTimeable { // by a GPU that executes and times the solution
  NotOnGpu why;
};

// ---- of a file that is asked for an answer or a time

struct LaunchFails {
  Call call;
  std::string refused, error; // the CUDA call; empty: nothing was launched
  device::Message why;        // may be empty
};
struct KernelEnded {
  device::Message why; // may be empty
};
struct Unwritten { // elements of the output
  Call call;
  std::string buffer;
  std::uint64_t first = 0, elements = 0;
};

template <class... More>
using Endings =
    std::variant<NoToolkit, Unreadable, SymbolicLink, TooLong, Empty, Rejected, NoFunction, Crashed,
                 NotReturned, NotLoaded, NotExported, NotStarted, TooMuchAsked, UnknownCall,
                 ManagedVariable, TooMuchMemory, TooMuchTime, NoProcess, NotExecutable, NotTimeable,
                 LaunchFails, KernelEnded, Unwritten, More...>;

} // namespace endings

// Why a file came to nothing, be it a student's or one of the course's own.
using Fault = endings::Endings<>;

namespace endings {

struct SolutionFails {
  std::string solution;
  Shape shape; // empty: it does not compile
  Fault why;
};
struct ReferenceFails { // a file of host code that computes the right answer
  std::string file;
  Fault why;
};

} // namespace endings

using AnyEnd = endings::Endings<endings::SolutionFails, endings::ReferenceFails>;
using EndedBy = CompiledOnce<AnyEnd>;

// A fault that is the student's.
EndedBy ended_by(const Fault&);

// What a verdict that ended so is called.
Ending ending_of(const EndedBy&);

} // namespace course::judge

extern template struct course::CompiledOnce<course::judge::AnyEnd>;
