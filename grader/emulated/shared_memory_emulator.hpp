// An H200 in a program: executes CUDA kernels from their PTX, without a GPU or a driver, counts
// what each source line asks of memory, and says what is wrong. This header and its library are all
// that is needed.
//
// Errors: what the caller does wrong throws Error, what cannot be executed Unsupported; what() is
// one English sentence, and nothing has changed. What a kernel does wrong is a Finding.
// Ownership: all are values. A Gpu keeps what it needs of a module, which may end before it.
// Threads: different Gpus may be used at once, one Gpu by one thread at a time. A module does not
// change, and any number of threads may have it.
// Numbers: not one depends on how many threads execute. Which rules there are, and what was
// measured for them, stands in the course's grader/device/model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace course::emulated {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Unsupported : Error { // an instruction, with its line; device code without PTX
  using Error::Error;
};

using Address = std::uint64_t; // in a Gpu's memory: what a kernel has as a pointer
using Bytes = std::span<const std::byte>;
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

class Module { // device code of one translation unit, or of several that nvcc -rdc=true linked
public:
  // What `nvcc -arch=sm_90 -lineinfo -fatbin` writes, or a program's section .nv_fatbin.
  // `source`: the text of the .cu, so that findings name elements of its arrays. May be empty.
  static Module from_fatbin(Bytes, const std::string& source = {});
  // The cubin of the same compilation says how wide accesses are; without it counts are not exact.
  static Module from_ptx(const std::string& ptx, Bytes cubin = {}, const std::string& source = {});
  std::vector<std::string> kernels() const; // as their author wrote them: "transpose<32>"

  struct Parts;

private:
  friend class Gpu;
  explicit Module(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

struct Launch {
  std::string kernel; // "transpose", or mangled where several are called so
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0; // bytes
  bool cooperative = false;
  Dim3 cluster = {0, 0, 0}; // blocks; zeros: as the kernel says
};

struct LineCounts { // of one kind of access at one line, over a launch
  std::string file; // as nvcc was given it; empty without -lineinfo
  std::uint32_t line = 0;
  std::string access;                               // "shared_load_4": bytes per lane
  std::uint64_t requests = 0;                       // of warps
  std::uint64_t wavefronts = 0, bank_conflicts = 0; // shared memory only
  std::uint64_t sectors = 0;                        // of 32 bytes; global memory only
  bool exact = false;                               // as an H200 counts
};

struct Finding {
  std::string kind;  // "race", "out of bounds", "uninitialised", "barrier" …
  std::string words; // what, on which array and element, by which threads
  bool note = false; // worth knowing, and nothing is wrong by it
  std::string kernel, file;
  std::uint32_t line = 0, other_line = 0; // the other access of a race; 0: there is none
  Dim3 block, thread;                     // the first
  std::uint64_t count = 1;                // how often this line had it
};

struct Result {
  std::vector<LineCounts> lines;
  std::vector<Finding> findings;
  std::string ended;   // why the kernel was ended, as a GPU would; empty: it came to its end
  std::string printed; // by printf in the kernel
  std::uint64_t instructions = 0, barriers = 0, bank_conflicts = 0; // of warps; of all lines
  bool order_matters = false; // threads can tell who was first: other seeds may end otherwise

  bool clean() const; // it came to its end, and all findings are notes
};

struct Options {
  unsigned threads = 0;   // that execute; 0: one for each core
  bool find_races = true; // and what is read before it is written; bounds are always checked
  // 0: blocks and warps come in their order. Otherwise whatever the PTX ISA leaves open is drawn.
  std::uint64_t seed = 0;
  std::uint64_t instructions = 2'000'000'000; // of warps: a launch beyond them is ended
};

class Gpu { // its memory, and what is done to it, one after the other
public:
  explicit Gpu(const Options& = {});
  ~Gpu();
  Gpu(Gpu&&) noexcept;
  Gpu& operator=(Gpu&&) noexcept;

  // `name`: what findings call it. Reading what nobody has written is a finding.
  Address allocate(std::uint64_t bytes, const std::string& name = {});
  void free(Address);
  void write(Address, Bytes);
  std::vector<std::byte> read(Address, std::uint64_t bytes) const;
  void write(const Module&, const std::string& variable, Bytes); // __device__ or __constant__
  std::vector<std::byte> read(const Module&, const std::string& variable);

  // Arguments have the types of the kernel's parameters, pointers are Addresses. After a launch
  // that was ended, memory can be read, and nothing else is launched.
  template <typename... Arguments>
  Result launch(const Module& module, const Launch& launch, const Arguments&... arguments) {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...));
    const std::array<Bytes, sizeof...(Arguments)> bytes{std::as_bytes(std::span(&arguments, 1))...};
    return launch_with(module, launch, bytes);
  }
  Result launch_with(const Module&, const Launch&, std::span<const Bytes> arguments);

  struct State;

private:
  std::unique_ptr<State> state_;
};

} // namespace course::emulated
