// A program's calls on the emulated device, at once: what comes back, and what goes wrong.
#include "runtime/live_executor.hpp"

#include "device/code/fatbin/fatbin_image.hpp"
#include "device/emulator/emulator.hpp"
#include "device/spelled.hpp"
#include "runtime/sample_ptx.hpp"
#include "runtime/session.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace course::runtime {
namespace {

struct LiveSession {
  std::unique_ptr<device::Live> device;
  LiveExecutor executor;
  Session session;

  explicit LiveSession(const emulator::Options& options = {})
      : device(emulator::make_live(options)), executor(*device), session(executor, std::nullopt) {}

  protocol::Reply ask(protocol::Request request) {
    const auto frame = session.handle(protocol::encode({"cudaTest", std::move(request)}));
    REQUIRE(!frame.empty());
    return std::get<protocol::Reply>(protocol::decode_reply(frame));
  }
  CudaStatus status(protocol::Request request) {
    return CudaStatus{ask(std::move(request)).status};
  }
  template <class T>
  T answer(protocol::Request request) {
    const auto reply = ask(std::move(request));
    REQUIRE(reply.status == 0);
    return std::get<T>(reply.payload);
  }

  std::uint32_t module =
      answer<protocol::Identifier>(protocol::LoadModule{code::fatbin_of_ptx(kSamplePtx)}).id;
  std::uint64_t data = answer<protocol::Address>(protocol::Allocate{128}).address;

  void fill() { CHECK(status(protocol::Fill{{data, 128}, 128, 1, 0}) == CudaStatus::success); }
  CudaStatus launch(const std::string& kernel, std::uint64_t argument) {
    const auto found = answer<protocol::Kernel>(protocol::FindKernel{module, kernel});
    Bytes arguments(found.argument_bytes);
    if (!arguments.empty()) std::memcpy(arguments.data(), &argument, sizeof argument);
    return status(protocol::Launch{found.id, {1, 1, 1}, {32, 1, 1}, 0, arguments});
  }
  std::vector<std::uint32_t> read(std::uint64_t address, std::uint64_t size) {
    const auto bytes =
        answer<protocol::Data>(protocol::Download{{address, size}, size, 1, size}).bytes;
    std::vector<std::uint32_t> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

} // namespace

TEST_CASE("results are there when they are read") {
  LiveSession live;
  live.fill();
  CHECK(live.launch("add", live.data) == CudaStatus::success);
  CHECK(live.launch("add", live.data) == CudaStatus::success);
  CHECK(live.read(live.data, 128) == std::vector<std::uint32_t>(32, 10));
  const auto launches = live.device->launches();
  REQUIRE(launches.size() == 1); // two of one kind
  CHECK(launches[0].launches == 2);
  CHECK(launches[0].counts.kernel == "add");
  CHECK(live.device->findings().empty());
}

TEST_CASE("launches of other shapes have sums of their own, in the order they came") {
  LiveSession live;
  live.fill();
  const auto kernel = live.answer<protocol::Kernel>(protocol::FindKernel{live.module, "add"});
  Bytes arguments(kernel.argument_bytes);
  std::memcpy(arguments.data(), &live.data, 8);
  for (const std::uint32_t threads : {32u, 16u, 32u})
    live.ask(protocol::Launch{kernel.id, {1, 1, 1}, {threads, 1, 1}, 0, arguments});
  const auto launches = live.device->launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].counts.block.x == 32);
  CHECK(launches[0].launches == 2);
  CHECK(launches[1].counts.block.x == 16);
}

TEST_CASE("variables are read, written, and have addresses that copies take") {
  LiveSession live;
  const auto amount = live.answer<protocol::Symbol>(protocol::FindSymbol{live.module, "amount"});
  const auto fixed = live.answer<protocol::Symbol>(protocol::FindSymbol{live.module, "fixed"});
  const auto read = [&](std::uint32_t id) {
    const auto bytes = live.answer<protocol::Data>(protocol::SymbolDownload{id, 0, 4, 4}).bytes;
    return std::to_integer<int>(bytes.at(0));
  };
  CHECK(read(amount.id) == 5);
  CHECK(read(fixed.id) == 9);
  live.ask(protocol::SymbolUpload{fixed.id, 0, 4, {std::byte{7}, {}, {}, {}}});
  CHECK(read(fixed.id) == 7);
  const auto address = live.answer<protocol::Address>(protocol::SymbolAddress{amount.id}).address;
  CHECK(live.read(address, 4) == std::vector<std::uint32_t>{5});
  const auto constant = live.answer<protocol::Address>(protocol::SymbolAddress{fixed.id}).address;
  CHECK(live.read(constant, 16) == std::vector<std::uint32_t>{7, 0, 0, 0});
  CHECK(live.status(protocol::Fill{{constant + 4, 4}, 4, 1, 1}) == CudaStatus::success);
  CHECK(live.read(constant, 16) == std::vector<std::uint32_t>{7, 0x01010101, 0, 0});
  CHECK(live.status(protocol::Fill{{constant + 4, 16}, 16, 1, 1}) == CudaStatus::invalid_value);
  CHECK(live.answer<protocol::Address>(protocol::Allocate{64}).address < kLastAddress);
}

TEST_CASE("a kernel that faults fails what comes after it, with CUDA's error") {
  LiveSession live;
  CHECK(live.launch("past", live.data) == CudaStatus::success);
  CHECK(live.status(protocol::Synchronize{}) == CudaStatus::illegal_address);
  CHECK(live.status(protocol::Free{live.data}) == CudaStatus::illegal_address);
  REQUIRE(live.device->findings().size() == 1);
  CHECK(live.device->findings()[0].kind == device::FindingKind::out_of_bounds);

  LiveSession trapped;
  CHECK(trapped.launch("stop", 0) == CudaStatus::success);
  CHECK(trapped.status(protocol::Synchronize{}) == CudaStatus::launch_failure);
}

TEST_CASE("managed memory is the same bytes on both sides") {
  LiveSession live;
  const auto shared = live.answer<protocol::Shared>(protocol::AllocateManaged{128});
  const int file = open(shared.path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  auto* values =
      static_cast<std::uint32_t*>(mmap(nullptr, 128, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  close(file);
  REQUIRE(values != MAP_FAILED);
  for (std::uint32_t i = 0; i < 32; ++i) values[i] = i;
  CHECK(live.launch("add", shared.address) == CudaStatus::success);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == i + 5);
  CHECK(live.device->findings().empty()); // written by the host
  CHECK(live.status(protocol::Free{shared.address}) == CudaStatus::success);
  values[0] = 1; // still mapped here
  munmap(values, 128);
  CHECK(live.status(protocol::AllocateManaged{~0ull}) == CudaStatus::memory_allocation);
  CHECK(live.status(protocol::AllocateManaged{0}) == CudaStatus::invalid_value);
}

TEST_CASE("a program cannot take managed memory away from under the grader") {
  LiveSession live;
  const auto shared = live.answer<protocol::Shared>(protocol::AllocateManaged{128});
  const int file = open(shared.path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  CHECK(ftruncate(file, 0) != 0);
  CHECK(ftruncate(file, 1 << 30) != 0);
  CHECK(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE) != 0);
  close(file);
  CHECK(live.launch("add", shared.address) == CudaStatus::success);
}

TEST_CASE("a program that asks for times is given leave, and it is noted") {
  LiveSession live;
  CHECK_FALSE(live.executor.read_times());
  CHECK(live.status(protocol::ElapsedTime{}) == CudaStatus::success);
  CHECK(live.executor.read_times());
  CHECK(live.session.unsupported().empty());
}

TEST_CASE("code that cannot be executed is refused by name, at its load or its launch") {
  LiveSession live;
  CHECK(live.status(protocol::LoadModule{Bytes(64)}) == CudaStatus::invalid_kernel_image);
  CHECK(live.status(protocol::LoadModule{code::fatbin_of_ptx("no PTX")}) ==
        CudaStatus::invalid_kernel_image);
  const auto strange = live.answer<protocol::Identifier>(protocol::LoadModule{code::fatbin_of_ptx(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k() { .reg .u64 %rd<2>; tcgen05.fence::before_thread_sync; ret; }\n")});
  const auto kernel = live.answer<protocol::Kernel>(protocol::FindKernel{strange.id, "k"});
  CHECK(live.status(protocol::Launch{kernel.id, {1, 1, 1}, {32, 1, 1}, 0, {}}) ==
        CudaStatus::not_supported);
  CHECK(live.session.unsupported().empty()); // the call is, the instruction is not
  CHECK(device::spelled(live.session.errors().back().why).find("tcgen05") != std::string::npos);
}

TEST_CASE("a module whose variables have no room is refused, and the next one loads") {
  LiveSession live;
  CHECK(live.status(protocol::LoadModule{code::fatbin_of_ptx(
            ".version 9.0\n.target sm_90\n.address_size 64\n"
            ".global .b8 all[4294967295][64];\n")}) == CudaStatus::invalid_kernel_image);
  CHECK(device::spelled(live.session.errors().back().why)
            .find("variables_exceed_memory(150109880320)") != std::string::npos);
  const auto next =
      live.answer<protocol::Identifier>(protocol::LoadModule{code::fatbin_of_ptx(kSamplePtx)});
  const auto amount = live.answer<protocol::Symbol>(protocol::FindSymbol{next.id, "amount"});
  CHECK(live.answer<protocol::Data>(protocol::SymbolDownload{amount.id, 0, 4, 4}).bytes.at(0) ==
        std::byte{5});
}

TEST_CASE("more constant memory than a GPU has is refused, and cannot be written") {
  LiveSession live;
  const auto module = live.answer<protocol::Identifier>(protocol::LoadModule{code::fatbin_of_ptx(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".const .b8 table[65536];\n.const .b8 more[1];\n.visible .entry k() { ret; }\n")});
  const auto more = live.answer<protocol::Symbol>(protocol::FindSymbol{module.id, "more"});
  CHECK(live.status(protocol::SymbolUpload{more.id, 0, 1, Bytes(1)}) != CudaStatus::success);
  const auto kernel = live.answer<protocol::Kernel>(protocol::FindKernel{module.id, "k"});
  CHECK(live.status(protocol::Launch{kernel.id, {1, 1, 1}, {1, 1, 1}, 0, {}}) ==
        CudaStatus::not_supported);
  CHECK(device::spelled(live.session.errors().back().why).find("65536 bytes of __constant__") !=
        std::string::npos);
}

} // namespace course::runtime
