// The protocol between a program's CUDA calls and the grader: one reply to each request, in order.
//
//   frame              | size of the body: 4 bytes | kind: 2 | version: 2 | body |
//   request            | name of the CUDA call: text | fields of its message |
//   reply              | status: 4 | context lost: 1 | printed: bytes | fields of its payload |
//   text, list, bytes  | length: 4 | as many characters, elements, bytes |
//
// The kind is which of the messages below it is; numbers are little-endian. The only parser: the
// stand-in for libcudart (client/), the host process and the session all use it. The program is
// hostile, so each length has a bound, and what is not a message is refused with the reason. Long,
// because whoever adds a message has to see all of them.
#pragma once

#include "device/compiled_once.hpp"
#include "device/texture.hpp"
#include "runtime/wire.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace course::runtime::protocol {

inline constexpr std::uint16_t kVersion = 2;
inline constexpr std::size_t kHeader = 8;             // bytes
inline constexpr std::size_t kMostData = 64 << 20;    // bytes of one block of data
inline constexpr std::size_t kMostPrinted = 16 << 20; // bytes that kernels printed, in one reply
inline constexpr std::size_t kMostBody = kMostData + kMostPrinted + 4096;
inline constexpr std::size_t kMostName = 2048;        // characters of a mangled name
inline constexpr std::size_t kMostText = 2048;        // characters of a reason
inline constexpr std::size_t kMostCall = 64;          // characters of a CUDA call's name
inline constexpr std::size_t kMostArguments = 32'764; // bytes of one launch, as CUDA allows
inline constexpr std::size_t kMostList = 4'096;
inline constexpr std::size_t kMostFrames = 16;
inline constexpr std::size_t kMostPath = 256;   // characters
inline constexpr std::size_t kChunk = 16 << 20; // bytes: larger copies are sent in pieces of this

// What has no size of its own, and how much of it may travel: of a text, of bytes, of a list; and
// of each text in a list.
template <class T>
struct AtMost {
  T& value;
  std::size_t most = 0, most_each = 0;
};
template <class T>
AtMost<T> at_most(T& value, std::size_t most, std::size_t most_each = 0) {
  return {value, most, most_each};
}
// Each message lists its members by this, in the order they travel; `m` is const when it is
// written.
template <class... T>
std::tuple<T...> all(T&&... members) {
  return {std::forward<T>(members)...};
}

// `height` rows of `width` bytes, `pitch` bytes from the start of one to the start of the next.
struct Rows {
  std::uint64_t address = 0;
  std::uint64_t pitch = 0;
  static auto members(auto& m) { return all(m.address, m.pitch); }
};

// Requests.
struct Begin {};    // the host process: what shall I call?
struct LoadModule { // __cudaRegisterFatBinary
  Bytes image;      // the fat binary's container
  static auto members(auto& m) { return all(at_most(m.image, kMostData)); }
};
struct FindKernel {
  std::uint32_t module = 0;
  std::string name; // mangled
  static auto members(auto& m) { return all(m.module, at_most(m.name, kMostName)); }
};
struct FindSymbol {
  std::uint32_t module = 0;
  std::string name;
  static auto members(auto& m) { return all(m.module, at_most(m.name, kMostName)); }
};
struct Allocate {
  std::uint64_t size = 0;
  static auto members(auto& m) { return all(m.size); }
};
struct Free {
  std::uint64_t address = 0;
  static auto members(auto& m) { return all(m.address); }
};
struct Upload { // packed rows to memory
  Rows to;
  std::uint64_t width = 0, height = 0;
  std::uint64_t extent = 0; // bytes from `to` that the whole copy spans, later pieces included
  Bytes bytes;
  static auto members(auto& m) {
    return all(m.to, m.width, m.height, m.extent, at_most(m.bytes, kMostData));
  }
};
struct Download { // memory to packed rows
  Rows from;
  std::uint64_t width = 0, height = 0;
  std::uint64_t extent = 0;
  static auto members(auto& m) { return all(m.from, m.width, m.height, m.extent); }
};
struct Copy {
  Rows to, from;
  std::uint64_t width = 0, height = 0;
  static auto members(auto& m) { return all(m.to, m.from, m.width, m.height); }
};
struct Fill {
  Rows to;
  std::uint64_t width = 0, height = 0;
  std::uint8_t value = 0;
  static auto members(auto& m) { return all(m.to, m.width, m.height, m.value); }
};
struct SymbolUpload {
  std::uint32_t symbol = 0; // from FindSymbol
  std::uint64_t offset = 0;
  std::uint64_t extent = 0; // bytes from `offset` that the whole copy spans
  Bytes bytes;
  static auto members(auto& m) {
    return all(m.symbol, m.offset, m.extent, at_most(m.bytes, kMostData));
  }
};
struct SymbolDownload {
  std::uint32_t symbol = 0;
  std::uint64_t offset = 0, size = 0;
  std::uint64_t extent = 0;
  static auto members(auto& m) { return all(m.symbol, m.offset, m.size, m.extent); }
};
struct SymbolAddress {
  std::uint32_t symbol = 0;
  static auto members(auto& m) { return all(m.symbol); }
};
struct SetKernelAttribute {
  std::uint32_t kernel = 0;              // from FindKernel
  std::int32_t attribute = 0, value = 0; // as in cudaFuncSetAttribute
  static auto members(auto& m) { return all(m.kernel, m.attribute, m.value); }
};
struct KernelAttributes {
  std::uint32_t kernel = 0;
  static auto members(auto& m) { return all(m.kernel); }
};
struct ActiveBlocks { // cudaOccupancyMaxActiveBlocksPerMultiprocessor
  std::uint32_t kernel = 0;
  std::int32_t threads = 0;
  std::uint64_t dynamic_shared = 0;
  static auto members(auto& m) { return all(m.kernel, m.threads, m.dynamic_shared); }
};
struct AvailableShared { // cudaOccupancyAvailableDynamicSMemPerBlock
  std::uint32_t kernel = 0;
  std::int32_t blocks = 0, threads = 0;
  static auto members(auto& m) { return all(m.kernel, m.blocks, m.threads); }
};
struct Launch {
  std::uint32_t kernel = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t dynamic_shared = 0;
  Bytes arguments; // laid out as FindKernel's reply says
  static auto members(auto& m) {
    return all(m.kernel, m.grid, m.block, m.dynamic_shared, at_most(m.arguments, kMostArguments));
  }
};
struct Synchronize {};
struct Reset {}; // cudaDeviceReset
struct MemoryInfo {};
struct RangeOf { // which allocation holds this address?
  std::uint64_t address = 0;
  static auto members(auto& m) { return all(m.address); }
};
struct Refused {      // a CUDA call that the stand-in does not have
  std::string detail; // may be empty: "with a cluster dimension"
  static auto members(auto& m) { return all(at_most(m.detail, kMostText)); }
};
struct Computed {}; // a library's call, which the stand-in computes on the host
struct Failed {     // an error that the stand-in found by itself
  std::uint32_t status = 0;
  std::string why; // may be empty
  static auto members(auto& m) { return all(m.status, at_most(m.why, kMostText)); }
};
struct Returned {};    // the function came back
struct CalledAgain {}; // it came back from the call before, and is called again
struct Threw {
  std::string why; // "threw std::runtime_error: no such size"
  static auto members(auto& m) { return all(at_most(m.why, kMostText)); }
};
struct NoFunction {
  std::vector<std::string> defined; // demangled functions of the same base name
  static auto members(auto& m) { return all(at_most(m.defined, 32, kMostName)); }
};
struct NotLoaded {
  std::string reason;
  static auto members(auto& m) { return all(at_most(m.reason, kMostText)); }
};
struct AllocateManaged { // cudaMallocManaged
  std::uint64_t size = 0;
  static auto members(auto& m) { return all(m.size); }
};
struct ElapsedTime {}; // cudaEventElapsedTime: may this program be given times?
struct CooperativeLaunch {
  Launch launch;
  static auto members(auto& m) { return all(m.launch); }
};
struct ClusterLaunch {
  Launch launch;
  std::array<std::uint32_t, 3> cluster{1, 1, 1}; // blocks
  static auto members(auto& m) { return all(m.launch, m.cluster); }
};
struct StreamCall {                    // only from when a program has made a stream
  std::uint8_t what = 0;               // device::StreamCall::What
  std::uint32_t stream = 0, event = 0; // as the stand-in numbers them
  static auto members(auto& m) { return all(m.what, m.stream, m.event); }
};
struct ShareSymbol { // a __managed__ variable, for host code
  std::uint32_t symbol = 0;
  static auto members(auto& m) { return all(m.symbol); }
};
struct AllocateInStream { // cudaMallocAsync: work of the stream in use
  std::uint64_t size = 0;
  static auto members(auto& m) { return all(m.size); }
};
struct FreeInStream {
  std::uint64_t address = 0;
  static auto members(auto& m) { return all(m.address); }
};
// Managed memory that launches have touched since the host last waited: of each range where it
// begins, where it ends and whether they changed it, three numbers of 64 bits. Whole pages.
struct HostPages {};
struct HostTouched { // host code did, before it waited
  std::uint64_t address = 0;
  bool writes = false;
  std::vector<std::uint64_t> from; // return addresses in the program
  static auto members(auto& m) { return all(m.address, m.writes, at_most(m.from, kMostFrames)); }
};
struct HostWaited {};
struct CreateTexture { // a texture or surface object
  device::Texture texture;
  static auto members(auto& m) { return all(m.texture); }
};
struct DestroyTexture {
  std::uint64_t object = 0;
  bool surface = false;
  static auto members(auto& m) { return all(m.object, m.surface); }
};
struct HeapLimit { // cudaLimitMallocHeapSize
  std::uint64_t bytes = 0;
  static auto members(auto& m) { return all(m.bytes); }
};
struct ShareHost { // cudaHostRegister: memory of the program's own
  std::uint64_t address = 0, size = 0;
  bool read_only = false; // for the device
  static auto members(auto& m) { return all(m.address, m.size, m.read_only); }
};
struct UnshareHost {
  std::uint64_t address = 0;
  static auto members(auto& m) { return all(m.address); }
};
struct CalledFrom { // where the next allocation is asked for: return addresses in the program
  std::vector<std::uint64_t> addresses;
  static auto members(auto& m) { return all(at_most(m.addresses, kMostFrames)); }
};

// The process touches memory that it does not have, and will end by that. Not answered: what was
// touched may be what an answer needs.
struct Faulted {
  std::uint64_t address = 0;
  bool writes = false;
  static auto members(auto& m) { return all(m.address, m.writes); }
};

using AnyRequest =
    std::variant<Begin, LoadModule, FindKernel, FindSymbol, Allocate, Free, Upload, Download, Copy,
                 Fill, SymbolUpload, SymbolDownload, SymbolAddress, SetKernelAttribute,
                 KernelAttributes, ActiveBlocks, AvailableShared, Launch, Synchronize, Reset,
                 MemoryInfo, RangeOf, Refused, Failed, Returned, Threw, NoFunction, NotLoaded,
                 AllocateManaged, ElapsedTime, CooperativeLaunch, StreamCall, ClusterLaunch,
                 ShareSymbol, AllocateInStream, FreeInStream, HostPages, HostTouched, HostWaited,
                 CreateTexture, DestroyTexture, HeapLimit, Faulted, Computed, ShareHost,
                 UnshareHost, CalledFrom, CalledAgain>;
using Request = CompiledOnce<AnyRequest>;

// What a reply carries; `Nothing` with every error.
struct Nothing {};
struct Invocation {     // of Begin
  std::string function; // demangled
  struct Value {
    std::uint8_t kind = 0; // runtime::Call::Value::Kind
    std::uint64_t bits = 0;
    static auto members(auto& m) { return all(m.kind, m.bits); }
  };
  struct Arguments {
    std::vector<Value> values;
    static auto members(auto& m) { return all(at_most(m.values, kMostList)); }
  };
  std::vector<Arguments> before; // of calls before it, in order
  Arguments arguments;
  static auto members(auto& m) {
    return all(at_most(m.function, kMostName), at_most(m.before, kMostList), m.arguments);
  }
};
struct Identifier { // of LoadModule
  std::uint32_t id = 0;
  static auto members(auto& m) { return all(m.id); }
};
struct Kernel { // of FindKernel
  std::uint32_t id = 0;
  std::uint32_t argument_bytes = 0;
  std::vector<std::uint32_t> offsets, sizes; // of each parameter, in bytes
  static auto members(auto& m) {
    return all(m.id, m.argument_bytes, at_most(m.offsets, kMostArguments),
               at_most(m.sizes, kMostArguments));
  }
};
struct Symbol { // of FindSymbol
  std::uint32_t id = 0;
  std::uint64_t size = 0;
  bool constant = false;
  static auto members(auto& m) { return all(m.id, m.size, m.constant); }
};
struct Address { // of Allocate, AllocateInStream, SymbolAddress; CreateTexture: the object
  std::uint64_t address = 0;
  static auto members(auto& m) { return all(m.address); }
};
struct Data { // of Download, SymbolDownload, HostPages
  Bytes bytes;
  static auto members(auto& m) { return all(at_most(m.bytes, kMostData)); }
};
struct Attributes { // of KernelAttributes; names as in cudaFuncAttributes
  std::uint64_t shared = 0, constant = 0, local = 0;
  std::int32_t max_threads = 0, registers = 0, max_dynamic_shared = 0, carveout = 0;
  static auto members(auto& m) {
    return all(m.shared, m.constant, m.local, m.max_threads, m.registers, m.max_dynamic_shared,
               m.carveout);
  }
};
struct Count { // of ActiveBlocks, AvailableShared
  std::uint64_t count = 0;
  static auto members(auto& m) { return all(m.count); }
};
struct Memory { // of MemoryInfo
  std::uint64_t free = 0, total = 0;
  static auto members(auto& m) { return all(m.free, m.total); }
};
struct Range { // of RangeOf; size 0: no allocation
  std::uint64_t address = 0, size = 0;
  static auto members(auto& m) { return all(m.address, m.size); }
};
struct Shared {              // of AllocateManaged, ShareSymbol: memory that both sides have
  std::uint64_t address = 0; // where the program has to map it
  std::string path;          // a file to map, from its beginning
  static auto members(auto& m) { return all(m.address, at_most(m.path, kMostPath)); }
};
struct HostPieces { // of ShareHost: files to map where the program has its own pages
  std::vector<std::uint64_t> begins, ends;
  std::vector<std::string> paths;
  static auto members(auto& m) {
    return all(at_most(m.begins, kMostList), at_most(m.ends, kMostList),
               at_most(m.paths, kMostList, kMostPath));
  }
};
using AnyPayload = std::variant<Nothing, Invocation, Identifier, Kernel, Symbol, Address, Data,
                                Attributes, Count, Memory, Range, Shared, HostPieces>;
using Payload = CompiledOnce<AnyPayload>;

struct Reply {
  std::uint32_t status = 0;  // a cudaError_t
  bool context_lost = false; // a kernel failed: every later call fails with the same status
  Payload payload;
  Bytes printed; // by kernels, for the program's standard output
};

struct Message {    // a request as it came
  std::string call; // "cudaMemcpyAsync": letters, digits and underscores
  Request request;
};

// Each gives a whole frame.
Bytes encode(const Message&);
Bytes encode(const Reply&);

// Each takes a whole frame. The alternative is why it is not one.
std::variant<Message, std::string> decode_message(std::span<const std::byte> frame);
std::variant<Reply, std::string> decode_reply(std::span<const std::byte> frame);

// Size of the whole frame that a header announces, or why it is not a header.
std::variant<std::size_t, std::string> frame_size(std::span<const std::byte, kHeader> header);

// Cuts a stream into frames.
class Frames {
public:
  void append(std::span<const std::byte>);
  std::optional<Bytes> next(); // nothing: more bytes are needed, or there is a fault
  const std::optional<std::string>& fault() const { return fault_; }

private:
  Bytes pending_;
  std::size_t at_ = 0; // bytes of pending_ that were handed out
  std::optional<std::string> fault_;
};

} // namespace course::runtime::protocol

extern template struct course::CompiledOnce<course::runtime::protocol::AnyRequest>;
extern template struct course::CompiledOnce<course::runtime::protocol::AnyPayload>;
