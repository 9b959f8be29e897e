// Session: one program's use of CUDA, seen from the grader.
//
// It is given the program's messages one at a time and answers as CUDA 13.0 does on an H200: it
// knows modules, kernels, symbols, allocations and function attributes, checks every call against
// them, and hands what is valid to an executor. The program is hostile: any bytes may come, in any
// order; what is not a message ends the session as malformed and nothing else happens.
#pragma once

#include "runtime/address_space.hpp"
#include "runtime/executor.hpp"
#include "runtime/protocol.hpp"
#include "runtime/recording.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace course::runtime {

class Session {
public:
  struct Limits {
    std::uint64_t messages = 2'000'000;
    std::uint64_t memory = 8ull << 30; // bytes allocated at one time
    std::size_t errors = 100;          // kept; later ones are dropped
  };
  enum class End {
    open,        // the program has not said that it is done
    returned,    // it did, and `call` was called
    threw,       // `reason`: what
    no_function, // `reason`: what there is instead
    not_loaded,  // `reason`
    malformed,   // `reason`
    too_large,   // `reason`
  };

  // `call`: what the host process is told to call; none for a program that has a main of its own.
  Session(Executor&, std::optional<Call> call);
  Session(Executor&, std::optional<Call> call, Limits);

  // Takes one frame and gives the frame to send back; no bytes when there is none to send, because
  // the session has ended.
  Bytes handle(std::span<const std::byte> frame);

  // Ends the session because the stream is not made of frames.
  void malformed(std::string reason);

  End end() const { return end_; }
  const std::string& reason() const { return reason_; }
  const std::vector<CudaError>& errors() const { return errors_; }
  const std::vector<std::string>& unsupported() const { return unsupported_; }
  // Calls of libraries that were computed on the host, and how often.
  const std::map<std::string, std::uint64_t>& computed() const { return computed_; }
  std::uint64_t messages() const { return messages_; }
  const std::optional<protocol::Faulted>& fault() const { return fault_; }
  const AddressSpace& memory() const { return memory_; }

private:
  struct Kernel {
    std::uint32_t module = 0;
    const device::KernelInfo* info = nullptr;
    std::string title;              // demangled, without parameters
    std::uint32_t most_dynamic = 0; // bytes; by cudaFuncSetAttribute
    std::int32_t carveout = -1;
    bool large_clusters = false; // of more blocks than are portable
  };
  struct Symbol {
    std::uint32_t module = 0;
    const device::SymbolInfo* info = nullptr;
  };

  // Each gives the payload of a good reply, or has called fail().
  using Payload = protocol::Payload;
  Payload answer(protocol::Begin&);
  Payload answer(protocol::LoadModule&);
  Payload answer(protocol::FindKernel&);
  Payload answer(protocol::FindSymbol&);
  Payload answer(protocol::Allocate&);
  Payload answer(protocol::AllocateManaged&);
  Payload answer(protocol::Free&);
  Payload answer(protocol::Upload&);
  Payload answer(protocol::Download&);
  Payload answer(protocol::Copy&);
  Payload answer(protocol::Fill&);
  Payload answer(protocol::SymbolUpload&);
  Payload answer(protocol::SymbolDownload&);
  Payload answer(protocol::SymbolAddress&);
  Payload answer(protocol::SetKernelAttribute&);
  Payload answer(protocol::KernelAttributes&);
  Payload answer(protocol::ActiveBlocks&);
  Payload answer(protocol::AvailableShared&);
  Payload answer(protocol::Launch&);
  Payload answer(protocol::Synchronize&);
  Payload answer(protocol::Reset&);
  Payload answer(protocol::MemoryInfo&);
  Payload answer(protocol::RangeOf&);
  Payload answer(protocol::Refused&);
  Payload answer(protocol::Failed&);
  Payload answer(protocol::Returned&);
  Payload answer(protocol::CalledAgain&);
  Payload answer(protocol::Threw&);
  Payload answer(protocol::NoFunction&);
  Payload answer(protocol::NotLoaded&);
  Payload answer(protocol::ElapsedTime&);
  Payload answer(protocol::CooperativeLaunch&);
  Payload answer(protocol::ClusterLaunch&);
  Payload answer(protocol::StreamCall&);
  Payload answer(protocol::ShareSymbol&);
  Payload answer(protocol::AllocateInStream&);
  Payload answer(protocol::FreeInStream&);
  Payload answer(protocol::HostPages&);
  Payload answer(protocol::HostTouched&);
  Payload answer(protocol::HostWaited&);
  Payload answer(protocol::Computed&);
  Payload answer(protocol::CreateTexture&);
  Payload answer(protocol::DestroyTexture&);
  Payload answer(protocol::HeapLimit&);
  Payload answer(protocol::Faulted&);
  Payload answer(protocol::ShareHost&);
  Payload answer(protocol::UnshareHost&);
  Payload answer(protocol::CalledFrom&);
  device::Message name_of_allocation(); // what messages call the one at hand
  Payload allocate(std::uint64_t size, bool in_stream);
  Payload free(device::Address, bool in_stream);
  Payload launch(protocol::Launch&, bool cooperative, const device::Dim3& cluster = {0, 0, 0});

  Payload fail(CudaStatus, device::Message why = {});
  bool done(const Executor::Answer&); // false: it was not done, and fail() was called
  void finish(End, std::string reason);
  void refuse(const std::string& detail);
  Payload refuse_call(); // this session does not have the call at hand

  const model::Gpu& gpu() const { return executor_.gpu(); }
  Kernel* kernel(std::uint32_t id); // nullptr: the message is malformed, and the session ended
  Symbol* symbol(std::uint32_t id); // likewise
  enum class Side { source, destination };
  bool valid(const protocol::Rows&, std::uint64_t width, std::uint64_t height, std::uint64_t extent,
             Side);
  bool valid(const Symbol&, std::uint64_t offset, std::uint64_t size, std::uint64_t extent);

  Executor& executor_;
  std::optional<Call> call_;
  std::size_t calls_before_ = 0; // that have come back
  Limits limits_;
  AddressSpace memory_;
  std::vector<Kernel> kernels_;
  std::vector<Symbol> symbols_;
  std::set<std::uint32_t> modules_; // that were loaded
  std::uint64_t messages_ = 0;

  std::string called_from_; // "main.cu:24", of the allocation that comes next; may be empty
  std::map<std::string, std::uint64_t> allocations_of_; // by the call that they were asked for by
  std::string call_name_;                               // of the message at hand
  protocol::Reply reply_;                               // to the message at hand
  CudaStatus lost_ = CudaStatus::success;               // sticky

  End end_ = End::open;
  std::string reason_;
  std::vector<CudaError> errors_;
  std::vector<std::string> unsupported_;
  std::map<std::string, std::uint64_t> computed_;
  std::optional<protocol::Faulted> fault_; // the last
  // Managed memory where the device's work is only written down, by the call that allocated it: the
  // host has it until the device is given work.
  std::map<device::Address, std::string> managed_;
};

} // namespace course::runtime
