// Statuses are those that an H200 gave with CUDA 13.0 (driver 580), unless a test says otherwise.
// Long because each CUDA call has its cases here, each in few lines.
#include "device/spelled.hpp"
#include "runtime/session.hpp"

#include "runtime/recorder.hpp"
#include "runtime/session_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::runtime {

namespace {

constexpr auto kOk = CudaStatus::success;
constexpr auto kInvalid = CudaStatus::invalid_value;

template <class T>
std::size_t count(const device::Plan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.steps.begin(), plan.steps.end(),
                    [](const device::Step& s) { return std::holds_alternative<T>(s); }));
}

} // namespace

TEST_CASE("a transpose becomes a plan of one launch with its arguments") {
  Program program;
  program.ask(protocol::Begin{});
  const auto module = program.load();
  const auto kernel = program.kernel(module, "_Z9transposePfPKfii");
  CHECK(kernel.argument_bytes == 24);
  CHECK(kernel.offsets == std::vector<std::uint32_t>{0, 8, 16, 20});
  protocol::Launch launch{kernel.id, {4, 2, 1}, {32, 32, 1}, 0, Bytes(24, std::byte{7})};
  CHECK(program.status(launch) == kOk);
  CHECK(program.ask(protocol::Returned{}));
  CHECK(program.session.end() == Session::End::returned);
  CHECK(program.session.errors().empty());

  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 1);
  const auto& step = std::get<device::Launch>(plan.steps[0]);
  CHECK(step.module == 0);
  CHECK(step.kernel == "_Z9transposePfPKfii");
  CHECK(step.grid == device::Dim3{4, 2, 1});
  CHECK(step.block == device::Dim3{32, 32, 1});
  CHECK(step.dynamic_shared == 0);
  CHECK(step.arguments == Bytes(24, std::byte{7}));
}

TEST_CASE("the host process is told the function and its arguments") {
  Program program;
  const auto reply = program.ask(protocol::Begin{});
  REQUIRE(reply);
  const auto& invocation = std::get<protocol::Invocation>(reply->payload);
  CHECK(invocation.function == "transpose(float*, float const*, int, int)");
  const auto& arguments = invocation.arguments.values;
  REQUIRE(arguments.size() == 3);
  CHECK(arguments[0].kind == 4);
  CHECK(arguments[0].bits == kFirstAddress);
  CHECK(arguments[2].kind == 0);
  CHECK(arguments[2].bits == 64);
}

TEST_CASE("a launch that the device cannot do is an error with the kernel's name and no step") {
  Program program;
  const auto kernel = program.kernel(program.load(), "_Z4fillPf");
  protocol::Launch launch{kernel.id, {1, 1, 1}, {2048, 1, 1}, 0, Bytes(8)};
  CHECK(program.status(launch, "cudaLaunchKernel") == kInvalid);
  CHECK(program.recorder.take_plan().steps.empty());
  REQUIRE(program.session.errors().size() == 1);
  const auto& error = program.session.errors()[0];
  CHECK(error.call == "cudaLaunchKernel");
  CHECK(error.error == "cudaErrorInvalidValue");
  CHECK(device::spelled(error.why) == "of_kernel(fill, threads_beyond_device(2048, 1024))");
  CHECK(program.session.end() == Session::End::open);
}

TEST_CASE("a kernel opts in to more shared memory, and no further than the device goes") {
  Program program;
  const auto id = program.kernel(program.load(), "_Z4fillPf").id; // has 4,096 bytes of static
  protocol::Launch launch{id, {1, 1, 1}, {32, 1, 1}, 100'000, Bytes(8)};
  CHECK(program.status(launch) == kInvalid);
  CHECK(program.status(protocol::SetKernelAttribute{id, 8, 232448 - 4096 + 1}) == kInvalid);
  CHECK(program.status(protocol::SetKernelAttribute{id, 8, -1}) == kInvalid);
  CHECK(program.status(protocol::SetKernelAttribute{id, 8, 100'000}) == kOk);
  CHECK(program.status(launch) == kOk);
  CHECK(program.status(protocol::SetKernelAttribute{id, 8, 232448 - 4096}) == kOk);
  launch.dynamic_shared = 300'000;
  CHECK(program.status(launch) == kInvalid);
}

TEST_CASE("kernel attributes are known or refused") {
  Program program;
  const auto id = program.kernel(program.load(), "_Z4fillPf").id;
  const auto set = [&](std::int32_t attribute, std::int32_t value) {
    return program.status(protocol::SetKernelAttribute{id, attribute, value});
  };
  CHECK(set(9, -1) == kOk);
  CHECK(set(9, 100) == kOk);
  CHECK(set(9, 101) == kInvalid);
  CHECK(set(9, -2) == kInvalid);
  CHECK(set(0, 1) == kInvalid);
  CHECK(set(77, 1) == kInvalid);
  CHECK(program.session.unsupported().empty());
  CHECK(set(14, 1) == kOk); // large clusters
  CHECK(set(15, 1) == kOk); // a hint
  CHECK(program.session.unsupported().empty());
  CHECK(set(11, 2) == CudaStatus::not_supported);
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaTest for a required cluster size"});
}

TEST_CASE("attributes of a kernel are those of its code and of what was set") {
  Program program;
  const auto id = program.kernel(program.load(), "_Z4fillPf").id;
  program.status(protocol::SetKernelAttribute{id, 8, 1000});
  program.status(protocol::SetKernelAttribute{id, 9, 50});
  const auto a = program.answer<protocol::Attributes>(protocol::KernelAttributes{id});
  CHECK(a.shared == 4096);
  CHECK(a.constant == 64); // of the module's constant variables
  CHECK(a.local == 16);
  CHECK(a.max_threads == 256);
  CHECK(a.registers == 40);
  CHECK(a.max_dynamic_shared == 1000);
  CHECK(a.carveout == 50);
}

TEST_CASE("occupancy is asked with a positive block and answered") {
  Program program;
  const auto id = program.kernel(program.load(), "_Z9transposePfPKfii").id;
  CHECK(program.answer<protocol::Count>(protocol::ActiveBlocks{id, 1024, 0}).count == 2);
  CHECK(program.status(protocol::ActiveBlocks{id, 0, 0}) == kInvalid);
  CHECK(program.status(protocol::ActiveBlocks{id, -1, 0}) == kInvalid);
  CHECK(program.answer<protocol::Count>(protocol::AvailableShared{id, 8, 256}).count ==
        29184 - 4224);
  CHECK(program.status(protocol::AvailableShared{id, 0, 256}) == kInvalid);
  CHECK(program.status(protocol::AvailableShared{id, -1, -1}) == kInvalid);
}

TEST_CASE("code that the grader did not compile is refused with the reason") {
  Program program;
  CHECK(program.status(protocol::LoadModule{Bytes(100)}) == CudaStatus::invalid_kernel_image);
  CHECK(program.session.errors().at(0).why == "device code that nvcc did not make of this file");
}

TEST_CASE("a kernel or variable that the code does not have is an error") {
  Program program;
  const auto module = program.load();
  CHECK(program.status(protocol::FindKernel{module, "_Z7missingv"}) ==
        CudaStatus::invalid_device_function);
  CHECK(program.session.errors().back().why == "the device code has no kernel 'missing'");
  CHECK(program.status(protocol::FindSymbol{module, "missing\x1b"}) == CudaStatus::invalid_symbol);
  CHECK(program.session.errors().back().why == "the device code has no variable 'missing?'");
}

TEST_CASE("asking twice for a kernel gives the same one, with its attributes") {
  Program program;
  const auto module = program.load();
  const auto first = program.kernel(module, "_Z4fillPf").id;
  CHECK(program.kernel(module, "_Z9transposePfPKfii").id != first);
  CHECK(program.kernel(module, "_Z4fillPf").id == first);
}

TEST_CASE("memory is allocated, used and freed") {
  Program program;
  const auto a = program.allocate(1000);
  CHECK(a > kFirstAddress);
  CHECK(program.status(protocol::Upload{{a, 1000}, 1000, 1, 1000, Bytes(1000)}) == kOk);
  CHECK(program.status(protocol::Fill{{a, 1000}, 1000, 1, 0xff}) == kOk);
  CHECK(program.status(protocol::Copy{{a, 0}, {a + 500, 0}, 500, 1}) == kOk);
  CHECK(program.status(protocol::Free{a}) == kOk);
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 5);
  CHECK(std::get<device::Allocate>(plan.steps[0]).size == 1000);
  CHECK(std::get<device::Upload>(plan.steps[1]).to == a);
  CHECK(std::get<device::Fill>(plan.steps[2]).value == std::byte{0xff});
  CHECK(std::get<device::Copy>(plan.steps[3]).from == a + 500);
  CHECK(std::get<device::Free>(plan.steps[4]).address == a);
}

TEST_CASE("no bytes are a null pointer and no error, and freeing it is none") {
  Program program;
  CHECK(program.allocate(0) == 0);
  CHECK(program.status(protocol::Free{0}) == kOk);
  CHECK(program.recorder.take_plan().steps.empty());
}

TEST_CASE("freeing what is not an allocation is an invalid value") {
  Program program;
  const auto a = program.allocate(64);
  CHECK(program.status(protocol::Free{a + 4}) == kInvalid);
  CHECK(program.status(protocol::Free{0x1234}) == kInvalid);
  CHECK(program.status(protocol::Free{kFirstAddress}) == kInvalid); // the exercise's own
  CHECK(program.status(protocol::Free{a}) == kOk);
  CHECK(program.status(protocol::Free{a}) == kInvalid);
  CHECK(program.session.errors().back().why == "this memory was freed before");
}

TEST_CASE("more memory than there is, or than the course allows, is out of memory") {
  Program program;
  CHECK(program.status(protocol::Allocate{1ull << 40}) == CudaStatus::memory_allocation);
  CHECK(program.session.errors().back().why == "1099511627776 bytes; this device has 150109880320");
  CHECK(program.status(protocol::Allocate{~0ull}) == CudaStatus::memory_allocation);
  program.allocate(1ull << 30);
  CHECK(program.status(protocol::Allocate{8ull << 30}) == CudaStatus::memory_allocation);
  CHECK(program.session.errors().back().why ==
        "8589934592 bytes beside 1073741824 allocated ones; the course allows 8192 MiB in all");
  CHECK(program.allocate(7ull << 30) != 0);
}

TEST_CASE("copies and fills past an allocation's end are invalid and not recorded") {
  Program program;
  const auto a = program.allocate(1000);
  program.recorder.take_plan();
  CHECK(program.status(protocol::Upload{{a + 900, 0}, 512, 1, 512, Bytes(512)}) == kInvalid);
  CHECK(program.status(protocol::Fill{{a, 0}, 1001, 1, 0}) == kInvalid);
  CHECK(program.status(protocol::Fill{{0, 0}, 4, 1, 0}) == kInvalid);
  CHECK(program.status(protocol::Copy{{a, 0}, {kFirstAddress, 0}, 1001, 1}) == kInvalid);
  CHECK(program.status(protocol::Copy{{a, 0}, {0x7fff0000, 0}, 4, 1}) == kInvalid);
  CHECK(program.status(protocol::Download{{a, 0}, 1001, 1, 1001}) == kInvalid);
  CHECK(program.session.unsupported().empty());
  CHECK(program.session.errors().front().why ==
        "destination: 512 bytes from byte 900 of an allocation of 1000");
}

TEST_CASE("the first piece of a large copy is refused when the last would not fit") {
  Program program;
  const auto a = program.allocate(1000);
  CHECK(program.status(protocol::Upload{{a, 0}, 600, 1, 1200, Bytes(600)}) == kInvalid);
  CHECK(program.status(protocol::Upload{{a, 0}, 600, 1, 1000, Bytes(600)}) == kOk);
}

TEST_CASE("rows become a step each, or one when they are end to end") {
  Program program;
  const auto a = program.allocate(1024);
  program.recorder.take_plan();
  CHECK(program.status(protocol::Upload{{a, 128}, 64, 4, 448, Bytes(256)}) == kOk);
  const auto apart = program.recorder.take_plan();
  REQUIRE(apart.steps.size() == 4);
  CHECK(std::get<device::Upload>(apart.steps[3]).to == a + 3 * 128);
  CHECK(std::get<device::Upload>(apart.steps[3]).bytes.size() == 64);
}

TEST_CASE("rows that are end to end are one step") {
  Program program;
  const auto a = program.allocate(1024);
  CHECK(program.status(protocol::Fill{{a, 128}, 128, 8, 1}) == kOk);
  CHECK(program.status(protocol::Copy{{a, 128}, {a, 128}, 128, 8}) == kOk);
  CHECK(program.status(protocol::Copy{{a, 128}, {a, 64}, 64, 8}) == kOk);
  const auto plan = program.recorder.take_plan();
  CHECK(count<device::Fill>(plan) == 1);
  CHECK(std::get<device::Fill>(plan.steps[1]).size == 1024);
  CHECK(count<device::Copy>(plan) == 1 + 8);
}

TEST_CASE("a pitch below the width is a bad pitch in a copy and a bad value in a fill") {
  Program program;
  const auto a = program.allocate(1024);
  CHECK(program.status(protocol::Upload{{a, 16}, 32, 4, 0, Bytes(128)}) ==
        CudaStatus::invalid_pitch);
  CHECK(program.status(protocol::Fill{{a, 16}, 32, 4, 0}) == kInvalid);
}

TEST_CASE("rows whose span overflows are outside of every allocation") {
  Program program;
  const auto a = program.allocate(1024);
  CHECK(program.status(protocol::Fill{{a, ~0ull}, 1, 3, 0}) == kInvalid);
  CHECK(program.status(protocol::Fill{{a, 1ull << 63}, 1, 3, 0}) == kInvalid);
  CHECK(program.status(protocol::Copy{{a, 1}, {a, 1}, 1, ~0ull}) == kInvalid);
  CHECK(program.status(protocol::Fill{{a, 0}, ~0ull, 1, 0}) == kInvalid);
}

TEST_CASE("copies to symbols are held to the symbol's size") {
  Program program;
  const auto symbol =
      program.answer<protocol::Symbol>(protocol::FindSymbol{program.load(), "coefficients"});
  CHECK(symbol.size == 64);
  CHECK(symbol.constant);
  const auto id = symbol.id;
  CHECK(program.status(protocol::SymbolUpload{id, 0, 64, Bytes(64)}) == kOk);
  CHECK(program.status(protocol::SymbolUpload{id, 32, 32, Bytes(32)}) == kOk);
  CHECK(program.status(protocol::SymbolUpload{id, 0, 65, Bytes(65)}) == kInvalid);
  CHECK(program.status(protocol::SymbolUpload{id, 40, 32, Bytes(32)}) == kInvalid);
  CHECK(program.status(protocol::SymbolUpload{id, ~0ull, 4, Bytes(4)}) == kInvalid);
  CHECK(program.status(protocol::SymbolUpload{id, 0, ~0ull, Bytes(4)}) == kInvalid);
  CHECK(program.session.errors().front().why ==
        "65 bytes from byte 0 of 'coefficients', which has 64");
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 2);
  CHECK(std::get<device::SymbolUpload>(plan.steps[1]).symbol == "coefficients");
  CHECK(std::get<device::SymbolUpload>(plan.steps[1]).offset == 32);
}

TEST_CASE("reading back is refused in a recording, each call by its name and once") {
  Program program;
  const auto symbol =
      program.answer<protocol::Symbol>(protocol::FindSymbol{program.load(), "coefficients"});
  const protocol::Download back{{kFirstAddress, 0}, 4, 1, 4};
  CHECK(program.status(back, "cudaMemcpy") == CudaStatus::not_supported);
  CHECK(program.status(back, "cudaMemcpy") == CudaStatus::not_supported);
  CHECK(program.status(protocol::SymbolDownload{symbol.id, 0, 4, 4}, "cudaMemcpyFromSymbol") ==
        CudaStatus::not_supported);
  CHECK(program.status(protocol::ShareSymbol{symbol.id}, "__cudaRegisterManagedVar") ==
        CudaStatus::not_supported);
  CHECK(program.status(protocol::Refused{"with a cluster dimension"}, "cudaLaunchKernelExC") ==
        CudaStatus::not_supported);
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaMemcpy", "cudaMemcpyFromSymbol",
                                 "__cudaRegisterManagedVar coefficients",
                                 "cudaLaunchKernelExC with a cluster dimension"});
  CHECK(program.session.errors().at(0).error == "cudaErrorNotSupported");
}

TEST_CASE("a symbol's address takes copies from the host, within the symbol") {
  Program program;
  const auto symbol =
      program.answer<protocol::Symbol>(protocol::FindSymbol{program.load(), "coefficients"});
  const auto at = program.answer<protocol::Address>(protocol::SymbolAddress{symbol.id}).address;
  CHECK(program.status(protocol::Upload{{at + 32, 0}, 32, 1, 32, Bytes(32)}) == kOk);
  CHECK(program.status(protocol::Upload{{at + 33, 0}, 32, 1, 32, Bytes(32)}) == kInvalid);
  CHECK(program.status(protocol::Free{at}) == kInvalid);
  CHECK(program.status(protocol::Copy{{at, 0}, {at + 32, 0}, 32, 1}, "cudaMemcpy") ==
        CudaStatus::not_supported);
  CHECK(program.session.unsupported() == std::vector<std::string>{"cudaMemcpy"});
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 1);
  CHECK(std::get<device::SymbolUpload>(plan.steps[0]).offset == 32);
}

TEST_CASE("memory information and ranges answer for pointers") {
  Program program;
  const auto before = program.answer<protocol::Memory>(protocol::MemoryInfo{});
  CHECK(before.total == 150'109'880'320);
  const auto a = program.allocate(4096);
  CHECK(before.free - program.answer<protocol::Memory>(protocol::MemoryInfo{}).free == 4096);
  CHECK(program.answer<protocol::Range>(protocol::RangeOf{a + 10}).address == a);
  CHECK(program.answer<protocol::Range>(protocol::RangeOf{a + 4096}).size == 0);
  CHECK(program.answer<protocol::Range>(protocol::RangeOf{kFirstAddress + 1}).size == 1024);
}

TEST_CASE("a reset frees what the program allocated and nothing else") {
  Program program;
  const auto id = program.kernel(program.load(), "_Z4fillPf").id;
  program.status(protocol::SetKernelAttribute{id, 8, 100'000});
  const auto a = program.allocate(64);
  CHECK(program.status(protocol::Reset{}) == kOk);
  CHECK(program.status(protocol::Fill{{a, 0}, 4, 1, 0}) == kInvalid);
  CHECK(program.status(protocol::Fill{{kFirstAddress, 0}, 4, 1, 0}) == kOk);
  CHECK(program.answer<protocol::Attributes>(protocol::KernelAttributes{id}).max_dynamic_shared ==
        49152 - 4096);
}

TEST_CASE("errors that the stand-in finds are kept with their reasons, cleaned") {
  Program program;
  program.ask(protocol::Failed{13, "this is no \x1b[31mvariable"}, "cudaMemcpyToSymbol");
  REQUIRE(program.session.errors().size() == 1);
  CHECK(program.session.errors()[0].error == "cudaErrorInvalidSymbol");
  CHECK(program.session.errors()[0].why == "this is no ?[31mvariable");
}

TEST_CASE("errors are kept to a hundred") {
  Program program;
  for (int i = 0; i < 250; ++i) program.status(protocol::Free{1});
  CHECK(program.session.errors().size() == 100);
  for (int i = 0; i < 250; ++i) program.ask(protocol::Refused{std::to_string(i)});
  CHECK(program.session.unsupported().size() == 100);
}

TEST_CASE("after a lost context every call fails with its error, and knows it from the reply") {
  LostContext executor;
  Session session(executor, std::nullopt);
  const auto ask = [&](protocol::Request request) {
    const auto frame = session.handle(protocol::encode({"cudaTest", std::move(request)}));
    return std::get<protocol::Reply>(protocol::decode_reply(frame));
  };
  CHECK(ask(protocol::Allocate{64}).status == 0);
  const auto lost = ask(protocol::Synchronize{});
  CHECK(lost.status == 700);
  CHECK(lost.context_lost);
  CHECK(ask(protocol::Allocate{64}).status == 700);
  CHECK(ask(protocol::Free{1}).status == 700);
  CHECK(ask(protocol::Failed{1, ""}).status == 1);
  CHECK(session.end() == Session::End::open);
}

TEST_CASE("the ways of ending are told apart, with reasons that are safe to show") {
  const auto ended = [](protocol::Request request) {
    Program program;
    program.ask(std::move(request));
    CHECK(program.session.handle(protocol::encode({"cudaFree", protocol::Free{}})).empty());
    return std::make_pair(program.session.end(), program.session.reason());
  };
  using End = Session::End;
  CHECK(ended(protocol::Returned{}) == std::make_pair(End::returned, std::string()));
  CHECK(ended(protocol::Threw{"threw std::runtime_error: no\n"}) ==
        std::make_pair(End::threw, std::string("threw std::runtime_error: no?")));
  CHECK(ended(protocol::NotLoaded{"undefined symbol: f"}) ==
        std::make_pair(End::not_loaded, std::string("undefined symbol: f")));
  CHECK(ended(protocol::NoFunction{}) ==
        std::make_pair(
            End::no_function,
            std::string("there is no function 'transpose(float*, float const*, int, int)'")));
  CHECK(ended(protocol::NoFunction{{"transpose(float*)", "extern \"C\" transpose"}}) ==
        std::make_pair(
            End::no_function,
            std::string("there is no function 'transpose(float*, float const*, int, int)'; "
                        "there is 'transpose(float*), extern \"C\" transpose'")));
}

TEST_CASE("what no stand-in would send ends the session as malformed") {
  const auto reason = [](protocol::Request request) {
    Program program;
    program.load();
    CHECK(!program.ask(std::move(request)));
    CHECK(program.session.end() == Session::End::malformed);
    return program.session.reason();
  };
  CHECK(reason(protocol::FindKernel{9, "_Z4fillPf"}) ==
        "asks for a kernel of a module that it has not loaded");
  CHECK(reason(protocol::FindSymbol{9, "coefficients"}) ==
        "asks for a symbol of a module that it has not loaded");
  CHECK(reason(protocol::KernelAttributes{0}) == "names kernel 0, of which it was not told");
  CHECK(reason(protocol::SymbolUpload{5, 0, 4, Bytes(4)}) ==
        "names symbol 5, of which it was not told");
  CHECK(reason(protocol::Upload{{kFirstAddress, 8}, 8, 2, 16, Bytes(15)}) ==
        "a copy of 2 x 8 bytes with 15 of data");
  CHECK(reason(protocol::Upload{{kFirstAddress, 0}, 0, 1, 0, {}}) ==
        "a copy or a fill of no bytes");
  CHECK(reason(protocol::Fill{{kFirstAddress, 0}, 4, 0, 0}) == "a copy or a fill of no bytes");
}

TEST_CASE("a launch with the wrong number of argument bytes is malformed") {
  Program program;
  const auto kernel = program.kernel(program.load(), "_Z4fillPf");
  CHECK(!program.ask(protocol::Launch{kernel.id, {1, 1, 1}, {32, 1, 1}, 0, Bytes(7)}));
  CHECK(program.session.reason() == "launches 'fill' with 7 bytes of arguments; it takes 8");
}

TEST_CASE("bytes that are no message are malformed, and the reason says how") {
  Program program;
  CHECK(program.session.handle({}).empty());
  CHECK(program.session.end() == Session::End::malformed);
  CHECK(program.session.reason() == "a frame of less than a header");
}

TEST_CASE("a program of its own has no function to call or to return from") {
  Program program{std::nullopt};
  CHECK(!program.ask(protocol::Begin{}));
  CHECK(program.session.end() == Session::End::malformed);
  Program other{std::nullopt};
  CHECK(!other.ask(protocol::Returned{}));
  CHECK(other.session.end() == Session::End::malformed);
}

TEST_CASE("a function is called again as often as it was asked to be") {
  Call twice = program_call();
  twice.before = {twice.arguments};
  Program program{twice};
  const auto asked = program.ask(protocol::Begin{});
  REQUIRE(asked);
  const auto& told = std::get<protocol::Invocation>(asked->payload);
  REQUIRE(told.before.size() == 1);
  CHECK(told.before[0].values.size() == told.arguments.values.size());
  CHECK(program.ask(protocol::CalledAgain{}));
  CHECK(program.recorder.ends() == std::vector<std::size_t>{1}); // the wait for all
  CHECK(program.ask(protocol::Returned{}));
  CHECK(program.session.end() == Session::End::returned);

  Program early{twice}, often{twice}, once;
  CHECK(!early.ask(protocol::Returned{}));
  CHECK(often.ask(protocol::CalledAgain{}));
  CHECK(!often.ask(protocol::CalledAgain{}));
  CHECK(!once.ask(protocol::CalledAgain{}));
  for (const auto* one : {&early, &often, &once})
    CHECK(one->session.end() == Session::End::malformed);
}

TEST_CASE("a flood of messages ends the session") {
  Program program;
  Session::Limits limits;
  limits.messages = 3;
  Session session(program.recorder, std::nullopt, limits);
  const auto frame = protocol::encode({"cudaFree", protocol::Free{}});
  for (int i = 0; i < 3; ++i) CHECK(!session.handle(frame).empty());
  CHECK(session.handle(frame).empty());
  CHECK(session.end() == Session::End::too_large);
  CHECK(session.reason() == "more than 3 CUDA calls");
}

TEST_CASE("a recording that is full ends the session with the recorder's reason") {
  Program program;
  Recorder small(model::default_gpu(), program.modules, {program_info()},
                 {.bytes = 1 << 20, .launches = 1, .steps = 4});
  Session session(small, program_call());
  const auto big = protocol::encode(
      {"cudaMemcpy", protocol::Upload{{kFirstAddress, 0}, 1024, 1, 1024, Bytes(1024)}});
  for (int i = 0; i < 4; ++i) CHECK(!session.handle(big).empty());
  CHECK(session.handle(big).empty());
  CHECK(session.end() == Session::End::too_large);
  CHECK(session.reason() == "more than 4 copies, fills and launches");
}

TEST_CASE("a cooperative launch is one step that says so, or does not fit on the device") {
  Program program;
  const auto kernel = program.kernel(program.load(), "_Z9transposePfPKfii");
  const protocol::Launch launch{kernel.id, {132, 1, 1}, {1024, 1, 1}, 0, Bytes(24)};
  CHECK(program.status(protocol::CooperativeLaunch{launch}) == CudaStatus::success);
  auto large = launch;
  large.grid[0] = 2 * 132 + 1; // two blocks of 1,024 threads have room on each
  CHECK(program.status(protocol::CooperativeLaunch{large}, "cudaLaunchCooperativeKernel") ==
        CudaStatus::cooperative_launch_too_large);
  CHECK(
      device::says(program.session.errors().back().why, device::MessageId::cooperative_too_large));
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 1);
  CHECK(std::get<device::Launch>(plan.steps[0]).cooperative);
}

TEST_CASE("what streams order is written down in its place, and nothing else is taken") {
  using What = device::StreamCall::What;
  Program program;
  const protocol::StreamCall wait{static_cast<std::uint8_t>(What::wait), 3, 4};
  CHECK(program.status(wait) == CudaStatus::success);
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 1);
  const auto& step = std::get<device::StreamCall>(plan.steps[0]);
  CHECK(step.what == What::wait);
  CHECK(step.stream == 3);
  CHECK(step.event == 4);
  CHECK(!program.ask(protocol::StreamCall{9, 0, 0}));
  CHECK(program.session.end() == Session::End::malformed);
}

} // namespace course::runtime
