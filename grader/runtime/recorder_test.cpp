#include "runtime/recorder.hpp"

#include "runtime/device_window.hpp"

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
  return Recorder(model::default_gpu(), kModules, std::vector<device::ModuleInfo>(3), limits);
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
  CHECK(std::get<device::Message>(why) == "device code that nvcc did not make of this file");
}

TEST_CASE("a module that could not be read is refused with its own reason") {
  std::vector<device::ModuleInfo> infos(3);
  infos[0].error = "line 1: no such directive";
  Recorder to(model::default_gpu(), kModules, infos);
  const auto why = to.load(bytes_of(kModules[0].ptx));
  CHECK(std::get<device::Message>(why) == "line 1: no such directive");
}

TEST_CASE("an empty module does not match everything") {
  const std::vector<device::Module> modules = {{"", {}}, {"\n", {}}};
  Recorder to(model::default_gpu(), modules, std::vector<device::ModuleInfo>(2));
  CHECK(std::holds_alternative<device::Message>(to.load(bytes_of("anything\n"))));
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
  CHECK(to.execute(launch).full.empty());
  CHECK(to.execute(launch).full.empty());
  CHECK(to.execute(launch).full == "more than 2 kernel launches");
  CHECK(to.execute(device::Upload{16, Bytes(2 << 20)}).full.empty());
  CHECK(to.execute(device::Upload{16, Bytes(2 << 20)}).full ==
        "more than 3 MiB copied to the device");
  CHECK(to.execute(device::SymbolUpload{0, "s", 0, Bytes(1 << 20)}).full.empty());
  CHECK(to.execute(device::Fill{}).full.empty());
  CHECK(to.execute(device::Fill{}).full.empty());
  const auto last = to.execute(device::Fill{});
  CHECK(!last.full.empty());
  CHECK(last.full == "more than 6 copies, fills and launches");
}

namespace {

std::vector<device::ModuleInfo> with_symbols(std::vector<device::SymbolInfo> symbols) {
  std::vector<device::ModuleInfo> infos(kModules.size());
  infos[0].symbols = std::move(symbols);
  return infos;
}

// A recorder whose first module has variables, and where it says that they are.
struct WithVariables {
  Recorder to{model::default_gpu(), kModules,
              with_symbols({{"table", 64, true}, {"_ZL5count", 4, false}}),
              Recorder::Limits{.bytes = 1 << 20}};
  device::Address table = 0, count = 0;

  WithVariables() {
    REQUIRE(to.symbol_address(0, "table", table).status == CudaStatus::success);
    REQUIRE(to.symbol_address(0, "_ZL5count", count).status == CudaStatus::success);
  }
  std::string refusal(device::Step step) {
    const auto answer = to.execute(std::move(step));
    CHECK(answer.refused);
    CHECK(answer.status == CudaStatus::not_supported);
    return device::text_of(answer.why);
  }
};

device::Launch launch_with(std::vector<device::Address> words) {
  device::Launch launch;
  const auto bytes = std::as_bytes(std::span(words));
  launch.arguments.assign(bytes.begin(), bytes.end());
  return launch;
}

} // namespace

TEST_CASE("what is copied to a variable's address is recorded as a copy to the symbol") {
  WithVariables with;
  CHECK(with.table >= kFirstRecordedVariable);
  CHECK(with.count >= with.table + 64);
  device::Address again = 0;
  CHECK(with.to.symbol_address(0, "table", again).status == CudaStatus::success);
  CHECK(again == with.table);
  CHECK(with.to.execute(device::Upload{with.table + 16, Bytes(48)}).status == CudaStatus::success);
  CHECK(with.to.execute(device::Fill{with.count, std::byte{7}, 4}).status == CudaStatus::success);
  const auto plan = with.to.take_plan();
  REQUIRE(plan.steps.size() == 2);
  const auto& copy = std::get<device::SymbolUpload>(plan.steps[0]);
  CHECK(copy.symbol == "table");
  CHECK(copy.offset == 16);
  CHECK(copy.bytes.size() == 48);
  const auto& fill = std::get<device::SymbolUpload>(plan.steps[1]);
  CHECK(fill.symbol == "_ZL5count");
  CHECK(fill.offset == 0);
  CHECK(fill.bytes == Bytes(4, std::byte{7}));
}

TEST_CASE(
    "a variable's address that a device would have to know is refused, and says instead of what") {
  WithVariables with;
  CHECK(with.refusal(device::Copy{with.table, 16, 4}).find("copy from the host") !=
        std::string::npos);
  CHECK(with.refusal(device::Copy{16, with.count, 4}).find("places 'count' only") !=
        std::string::npos);
}

TEST_CASE("a kernel that is given a variable's address gets it from the device that places it") {
  WithVariables with;
  const auto end = with.count + 4;
  CHECK(with.to.execute(launch_with({1, with.table + 8, end, end + 1, with.table - 1})).why == "");
  const auto plan = with.to.take_plan();
  REQUIRE(plan.steps.size() == 1);
  const auto& symbols = std::get<device::Launch>(plan.steps[0]).symbols;
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0].at == 8);
  CHECK(symbols[0].symbol == "table");
  CHECK(symbols[0].offset == 8);
  CHECK(symbols[1].at == 16);
  CHECK(symbols[1].symbol == "_ZL5count");
  CHECK(symbols[1].offset == 4);
}

TEST_CASE("a variable that is unknown, empty or enormous has no address") {
  Recorder to(
      model::default_gpu(), kModules,
      with_symbols({{"empty", 0, false}, {"large", 1ull << 45, false}, {"whole", ~0ull, false}}),
      Recorder::Limits{.bytes = 1 << 20});
  device::Address address = 0;
  CHECK(to.symbol_address(0, "other", address).status == CudaStatus::invalid_symbol);
  CHECK(to.symbol_address(1, "empty", address).status == CudaStatus::invalid_symbol);
  CHECK(to.symbol_address(0, "empty", address).status == CudaStatus::invalid_symbol);
  CHECK(to.symbol_address(0, "whole", address).refused);
  REQUIRE(to.symbol_address(0, "large", address).status == CudaStatus::success);
  CHECK(!to.execute(device::Fill{address, std::byte{1}, 1ull << 45}).full.empty());
}

TEST_CASE("what only execution can answer is refused by name") {
  auto to = recorder();
  Bytes out;
  for (const auto& answer : {to.read(16, 4, out), to.read_symbol(0, "s", 0, 4, out)}) {
    CHECK(answer.refused);
    CHECK(answer.status == CudaStatus::not_supported);
    CHECK(!answer.why.empty());
  }
  CHECK(to.synchronize().status == CudaStatus::success);
}

} // namespace course::runtime
