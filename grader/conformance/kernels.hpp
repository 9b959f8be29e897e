// Kernels of our own that a compiler rearranges, and attacks on how machine code is matched with
// its source: what an H200 counted for each of them, against the emulated device.
//
// kernels/*.cu holds the kernels. Above each stands how it is launched, in a comment:
//
//   launch: NAME ELEMENT, grid X[xY], block X[xY], n N[, dynamic BYTES][, twin NAME]
//
// NAME is as display_name.hpp has it, or mangled where that is not enough. ELEMENT (float, double,
// int, short, bytes) is what `in` is filled with, numbers below 1,024. Every kernel takes (out, in,
// n); both arrays have kBufferBytes. `twin` names the plain kernel that does the same to memory:
// the attacked one must not count less, or be marked.
#pragma once

#include "build/compile.hpp"
#include "conformance/table.hpp"
#include "device/device.hpp"
#include "lab/agreement.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::conformance {

inline constexpr std::uint64_t kBufferBytes = 1u << 16;

struct CompiledKernel {
  std::string file;  // "kinds.cu"
  std::string level; // what ptxas is told: "O3", "O1"
  std::string name, element;
  device::Dim3 grid, block;
  std::uint32_t n = 0, dynamic_shared = 0;
  std::string twin; // may be empty
};
inline constexpr const char* kLevels[] = {"O3", "O1"};

// The launches in a file's text, each once for `level`. A sentence where one cannot be read.
std::variant<std::vector<CompiledKernel>, std::string>
kernels_in(const std::string& file, const std::string& level, const std::string& text);

// The source's files below the project's root, in order of name.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& root);

// Modules of one file at one level, or why there are none.
using CompileKernels = std::function<std::variant<std::vector<device::Module>, std::string>(
    const std::filesystem::path& file, const std::string& level)>;

// By nvcc, with what it made kept in `cache`.
CompileKernels compile_kernels(const build::Toolkit&, const std::filesystem::path& cache);

// A kernel's job on one device, or why there is none: no kernel of that name, or several.
std::variant<device::Job, std::string> job_of(const CompiledKernel&,
                                              const std::vector<device::Module>&);

// What one source line came to, and whether its numbers are marked as not exact.
struct KernelLine {
  lab::LineTotal total;
  std::uint64_t requests = 0; // of a GPU: instructions executed, those without an active lane too
  bool marked = false;
};
struct CountedKernel {
  std::string failure; // why there are no counts
  std::vector<KernelLine> lines;
};
CountedKernel counted_kernel(const device::Observation&);

// ---- What a GPU counted

// Each kernel is counted twice: what differs is known to differ from run to run.
struct MeasuredKernel {
  std::string file, digest, level, name;
  CountedKernel first, second;
};
inline constexpr const char* kKernelColumns =
    "file,digest,level,kernel,run,source,line,access,executed,wavefronts,ideal,sectors";
std::string rows_of(const MeasuredKernel&);
std::variant<std::vector<MeasuredKernel>, std::string> measured_kernels_in(const Table&);

// Every kernel at every level, counted by `count` from `at_once` threads.
std::vector<MeasuredKernel>
measure_kernels(const std::filesystem::path& root, const CompileKernels&,
                const std::function<device::Observation(const device::Job&)>& count,
                unsigned at_once);

// ---- Compared

struct KernelOutcome {
  enum class Kind {
    equal,   // every line, and none is marked
    marked,  // what is not equal is marked
    unequal, // a line is neither equal nor marked
    refused, // the emulated device does not execute it, and says so
    changed, // the file is not the one that was measured
  } kind{};
  std::vector<std::string> differences; // a sentence each; of marked lines too
  CountedKernel here;
};
KernelOutcome compared(CountedKernel here, const MeasuredKernel&);

// The kinds of counts of an attacked kernel that are less than its plain twin's, though no line of
// it is marked. Sentences.
std::vector<std::string> less_than_twin(const CountedKernel& attacked, const CountedKernel& plain);

} // namespace course::conformance
