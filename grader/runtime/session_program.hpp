// A program as the session sees it, for tests: it speaks the protocol and has made-up device code.
#pragma once

#include "runtime/recorder.hpp"
#include "runtime/session.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace course::runtime {

inline Call program_call() {
  using Kind = Call::Value::Kind;
  Call call;
  call.function = "transpose(float*, float const*, int, int)";
  call.arguments = {
      {Kind::pointer, kFirstAddress}, {Kind::pointer, kFirstAddress + (4 << 20)}, {Kind::i32, 64}};
  call.memory = {{kFirstAddress, 1024}, {kFirstAddress + (4 << 20), 1024}};
  return call;
}

inline device::ModuleInfo program_info() {
  device::KernelInfo transpose;
  transpose.name = "_Z9transposePfPKfii";
  transpose.parameter_offsets = {0, 8, 16, 20};
  transpose.parameter_sizes = {8, 8, 4, 4};
  transpose.argument_bytes = 24;
  transpose.static_shared = 4224;
  transpose.registers = 24;
  device::KernelInfo fill;
  fill.name = "_Z4fillPf";
  fill.parameter_offsets = {0};
  fill.parameter_sizes = {8};
  fill.argument_bytes = 8;
  fill.static_shared = 4096;
  fill.max_threads = 256;
  fill.registers = 40;
  fill.local = 16;
  device::ModuleInfo info;
  info.kernels = {transpose, fill};
  info.symbols = {{"coefficients", 64, true}, {"counter", 32, false}};
  return info;
}

// A program in a session with a recorder.
struct Program {
  std::vector<device::Module> modules = {{".version 9.0 of the test", {}}};
  Recorder recorder{model::default_gpu(), modules, {program_info()}};
  Session session;

  Program() : Program(program_call()) {}
  explicit Program(std::optional<Call> call) : session(recorder, std::move(call)) {}

  // Nothing: the session has ended.
  std::optional<protocol::Reply> ask(protocol::Request request,
                                     const std::string& call = "cudaTest") {
    const auto frame = session.handle(protocol::encode({call, std::move(request)}));
    if (frame.empty()) return std::nullopt;
    return std::get<protocol::Reply>(protocol::decode_reply(frame));
  }
  CudaStatus status(protocol::Request request, const std::string& call = "cudaTest") {
    const auto reply = ask(std::move(request), call);
    REQUIRE(reply);
    return CudaStatus{reply->status};
  }
  template <class T>
  T answer(protocol::Request request) {
    const auto reply = ask(std::move(request));
    REQUIRE(reply);
    REQUIRE(reply->status == 0);
    return std::get<T>(reply->payload);
  }

  std::uint32_t load() {
    const auto text = std::as_bytes(std::span(modules[0].ptx));
    return answer<protocol::Identifier>(protocol::LoadModule{{text.begin(), text.end()}}).id;
  }
  protocol::Kernel kernel(std::uint32_t module, const std::string& name) {
    return answer<protocol::Kernel>(protocol::FindKernel{module, name});
  }
  std::uint64_t allocate(std::uint64_t size) {
    return answer<protocol::Address>(protocol::Allocate{size}).address;
  }
};

// An executor whose kernels fail: the next synchronisation says so.
struct LostContext : Executor {
  device::ModuleInfo info = program_info();

  const model::Gpu& gpu() const override { return model::default_gpu(); }

  std::variant<std::uint32_t, device::Message> load(std::span<const std::byte>) override {
    return 0u;
  }
  const device::ModuleInfo& module(std::uint32_t) const override { return info; }
  Answer execute(device::Step) override { return {}; }
  Answer read(device::Address, std::uint64_t, device::Bytes&) override { return {}; }
  Answer read_symbol(std::uint32_t, const std::string&, std::uint64_t, std::uint64_t,
                     device::Bytes&) override {
    return {};
  }
  Answer symbol_address(std::uint32_t, const std::string&, device::Address&) override { return {}; }
  Answer synchronize() override {
    Answer answer;
    answer.status = CudaStatus::illegal_address;
    answer.context_lost = true;
    return answer;
  }
};

} // namespace course::runtime
