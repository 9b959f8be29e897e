// A student's host code, run away from any GPU, and the plan of CUDA work that it asked for.
//
// The library runs in a sandboxed process (host.cpp) that is linked with our stand-in for
// libcudart.so.13 (client/). The stand-in turns each CUDA call into a message; the session
// (session.hpp) in this process answers as CUDA would and writes the plan down. Nothing is
// executed: a copy from device to host cannot be answered in a recording and is refused by name.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"
#include "runtime/device_window.hpp"
#include "sandbox/process.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::runtime {

// One call of the function that the exercise asks for.
struct Call {
  std::string function; // as c++filt prints it: "transpose(float*, float const*, int, int)"
  struct Value {
    enum class Kind { i32, i64, f32, f64, pointer } kind{};
    std::uint64_t bits = 0; // a pointer's address, an integer, or the bits of a float
  };
  std::vector<Value> arguments;

  // Device memory that exists when it is called.
  struct Region {
    device::Address address = 0;
    std::uint64_t size = 0;
  };
  std::vector<Region> memory;

  // Of calls in the same process before this one, in order: each comes when all work of the one
  // before it is done.
  std::vector<std::vector<Value>> before;

  // KiB of shared memory that a multiprocessor is said to have; 0: those of the host's GPU.
  std::uint32_t shared_kib = 0;
};

struct CudaError {
  std::string call;    // "cudaLaunchKernel", also for <<<>>>
  std::string error;   // "cudaErrorInvalidValue"
  device::Message why; // "2,048 threads a block; this device allows 1,024"; may be empty
};

struct Recording {
  enum class End {
    returned,  // the function came back; the plan is complete
    crashed,   // by a signal: `signal`; `reason` says what it means, or what was thrown
    exited,    // it ended the process itself, with `code`
    wall_time, // still running at the limit
    cpu_time,
    memory,
    output,       // printed without end
    file_size,    // wrote a file past the limit
    too_large,    // asked for more than a recording holds: `reason`
    no_function,  // the library defines no function of that signature: `reason`
    not_loaded,   // the library could not be loaded: `reason`
    bad_protocol, // it spoke to the grader in other words than the stand-in's: `reason`
    not_started,  // the sandbox could not be started: `reason`
  };
  End end = End::returned;
  int signal = 0, code = 0;
  std::string reason;
  struct Touched { // what a process that crashed had not to touch
    device::Address address = 0;
    bool writes = false;
    std::optional<std::size_t> region; // of Call::memory, which it lies in
  };
  std::optional<Touched> touched; // as the process says; not known of every crash
  device::Plan plan;
  std::vector<std::size_t> ends;        // of calls before it, as many steps of the plan
  std::vector<CudaError> errors;        // in order, at most 100
  std::vector<std::string> unsupported; // CUDA calls that a recording cannot answer, each once
  std::uint64_t not_freed = 0, bytes_not_freed = 0; // allocations, at the end
  std::string out, err;                             // what it printed
};

struct Host {
  std::filesystem::path runner;                  // the executable course_host
  std::filesystem::path runtime;                 // the folder with our libcudart.so.13
  const model::Gpu* gpu = &model::default_gpu(); // that programs are told they have
};

// A file that lies in the process's memory from an address on, alone in its folder.
struct MappedFile {
  std::filesystem::path path;
  device::Address address = 0;
};

// Calls the function in a fresh process. `modules` is what the compiler put in the library:
// device code that was not compiled with it is refused.
Recording record(const Host&, const std::filesystem::path& library,
                 const std::vector<device::Module>& modules, const Call&, const sandbox::Limits&,
                 const std::optional<MappedFile>& memory = {});

} // namespace course::runtime
