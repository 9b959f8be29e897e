#include "runtime/recorder.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

namespace {

using device::Bytes;

Bytes bytes_of(std::string_view text) {
  const auto all = std::as_bytes(std::span(text.data(), text.size()));
  return {all.begin(), all.end()};
}

const std::vector<device::Module> kModules = {
    {".version 9.0\n.visible .entry a()", {}},
    {".version 9.0\n.visible .entry b()" + std::string("\n\0\0", 3), {}},
    {".version 9.0\n.visible .entry c()", bytes_of("\x7f"
                                                   "ELF of c")},
};

Recorder recorder(Recorder::Limits limits = {}) {
  return Recorder(kModules, std::vector<device::ModuleInfo>(3), limits);
}

std::int64_t loaded(Recorder& of, std::string_view image) {
  const auto result = of.load(bytes_of(image));
  const auto* index = std::get_if<std::uint32_t>(&result);
  return index ? std::int64_t{*index} : -1;
}

} // namespace

TEST_CASE("device code is known by its PTX, wherever the container has it") {
  auto to = recorder();
  CHECK(loaded(to, "header.version 9.0\n.visible .entry a()") == 0);
  CHECK(loaded(to, "..version 9.0\n.visible .entry b()..") == 1);
}

TEST_CASE("device code is known by its cubin when its PTX is not there") {
  auto to = recorder();
  CHECK(loaded(to, "header\x7f"
                   "ELF of c, padded") == 2);
}

TEST_CASE("other device code is refused, and so is nearly the same") {
  auto to = recorder();
  CHECK(loaded(to, "") == -1);
  CHECK(loaded(to, ".version 9.0\n.visible .entry x()") == -1);
  CHECK(loaded(to, ".version 9.0\n.visible .entry a(") == -1);
  const auto why = to.load(bytes_of("other"));
  CHECK(std::get<std::string>(why) ==
        "this device code was not compiled from the file that is graded");
}

TEST_CASE("a module that could not be read is refused with its own reason") {
  std::vector<device::ModuleInfo> infos(3);
  infos[0].error = "line 1: no such directive";
  Recorder to(kModules, infos);
  const auto why = to.load(bytes_of(kModules[0].ptx));
  CHECK(std::get<std::string>(why) == "line 1: no such directive");
}

TEST_CASE("an empty module does not match everything") {
  const std::vector<device::Module> modules = {{"", {}}, {"\n", {}}};
  Recorder to(modules, std::vector<device::ModuleInfo>(2));
  CHECK(std::holds_alternative<std::string>(to.load(bytes_of("anything\n"))));
}

TEST_CASE("steps are kept in order") {
  auto to = recorder();
  to.execute(device::Allocate{16, 4});
  to.execute(device::Fill{16, std::byte{1}, 4});
  to.execute(device::Free{16});
  const auto plan = to.take_plan();
  REQUIRE(plan.steps.size() == 3);
  CHECK(std::holds_alternative<device::Allocate>(plan.steps[0]));
  CHECK(std::get<device::Fill>(plan.steps[1]).size == 4);
  CHECK(std::holds_alternative<device::Free>(plan.steps[2]));
}

TEST_CASE("a recording that grows past its limits ends, and says by what") {
  auto to = recorder({.bytes = 3 << 20, .launches = 2, .steps = 6});
  device::Launch launch;
  CHECK(!to.execute(launch).full);
  CHECK(!to.execute(launch).full);
  CHECK(to.execute(launch).why == "more than 2 kernel launches");
  CHECK(!to.execute(device::Upload{16, Bytes(2 << 20)}).full);
  CHECK(to.execute(device::Upload{16, Bytes(2 << 20)}).why ==
        "more than 3 MiB copied to the device");
  CHECK(!to.execute(device::SymbolUpload{0, "s", 0, Bytes(1 << 20)}).full);
  CHECK(!to.execute(device::Fill{}).full);
  CHECK(!to.execute(device::Fill{}).full);
  const auto last = to.execute(device::Fill{});
  CHECK(last.full);
  CHECK(last.why == "more than 6 copies, fills and launches");
}

TEST_CASE("what only execution can answer is refused by name") {
  auto to = recorder();
  Bytes out;
  device::Address address = 0;
  for (const auto& answer : {to.read(16, 4, out), to.read_symbol(0, "s", 0, 4, out),
                             to.symbol_address(0, "s", address)}) {
    CHECK(answer.refused);
    CHECK(answer.status == CudaStatus::not_supported);
    CHECK(!answer.why.empty());
  }
  CHECK(to.synchronize().status == CudaStatus::success);
}

} // namespace course::runtime
