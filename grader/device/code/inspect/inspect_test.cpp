#include "device/code/sass/sample.hpp"
#include "device/module_info.hpp"

namespace course::device {
namespace {

ModuleInfo inspected(const std::string& ptx) {
  return inspect({ptx, {}});
}

const std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

} // namespace

TEST_CASE("a compilation's kernels have parameters and resources") {
  const ModuleInfo info =
      inspect({sass::sample_text("accesses.ptx"), sass::sample_cubin("accesses")});
  CHECK(info.error.empty());
  CHECK(info.kernels.size() == 12);
  const KernelInfo* kernel = info.kernel("_Z7guardedPii");
  REQUIRE(kernel);
  CHECK(kernel->parameter_offsets == std::vector<std::uint32_t>{0, 8});
  CHECK(kernel->parameter_sizes == std::vector<std::uint32_t>{8, 4});
  CHECK(kernel->argument_bytes == 12);
  CHECK(kernel->static_shared == 256);
  CHECK(kernel->registers == 10);
  CHECK(kernel->max_threads == 0);
  CHECK(info.kernel("_Z7swappedPKfi") == nullptr);
}

TEST_CASE("without a cubin, static shared memory comes from the PTX, and the rest is unknown") {
  const ModuleInfo with =
      inspect({sass::sample_text("accesses.ptx"), sass::sample_cubin("accesses")});
  const ModuleInfo without = inspected(sass::sample_text("accesses.ptx"));
  REQUIRE(with.kernels.size() == without.kernels.size());
  for (std::size_t i = 0; i < with.kernels.size(); ++i) {
    CAPTURE(with.kernels[i].name);
    CHECK(without.kernels[i].static_shared == with.kernels[i].static_shared);
    CHECK(with.kernels[i].registers > 0);
    CHECK(without.kernels[i].registers == 0);
  }
}

TEST_CASE("shared memory of called functions counts, once, at its alignment") {
  const ModuleInfo info =
      inspected(kHeader + ".shared .align 4 .b8 all[4]; .shared .b8 unused[100];\n"
                          ".func g() { .shared .align 16 .b8 s[16]; ret; }\n"
                          ".func f() { call g; call f; ret; }\n"
                          ".entry k() { .shared .align 4 .b8 s[20]; .reg .u32 a;\n"
                          "mov.u32 a, all; ld.shared.u32 a, [all]; call f; call g; ret; }\n"
                          ".entry l() { ret; }");
  CHECK(info.error.empty());
  CHECK(info.kernel("k")->static_shared == 48);
  CHECK(info.kernel("l")->static_shared == 0);
}

TEST_CASE("bounds on the block and parameters by alignment") {
  const ModuleInfo info =
      inspected(kHeader + ".entry k(.param .u8 a, .param .align 8 .b8 b[24]) .maxntid 256 { ret; }"
                          ".entry l() .reqntid 8, 8 { ret; }");
  CHECK(info.kernel("k")->max_threads == 256);
  CHECK(info.kernel("k")->parameter_offsets == std::vector<std::uint32_t>{0, 8});
  CHECK(info.kernel("k")->argument_bytes == 32);
  CHECK(info.kernel("l")->max_threads == 64);
  CHECK(info.kernel("l")->argument_bytes == 0);
}

TEST_CASE("device and constant variables are symbols, shared ones are not") {
  const ModuleInfo info =
      inspected(kHeader + ".visible .const .align 4 .b8 weights[36];\n"
                          ".global .u64 counter; .extern .shared .b8 dynamic[];");
  REQUIRE(info.symbols.size() == 2);
  CHECK(info.symbol("weights")->constant);
  CHECK(info.symbol("weights")->size == 36);
  CHECK_FALSE(info.symbol("counter")->constant);
  CHECK(info.symbol("dynamic") == nullptr);
}

TEST_CASE("a module that cannot be read is an error and nothing else") {
  const ModuleInfo info = inspected(kHeader + ".entry k() { ret; }\n.entry l() { bra nowhere; }");
  CHECK(info.kernels.empty());
  CHECK(info.symbols.empty());
  CHECK(
      info.error ==
      "line 5 of the PTX cannot be read: there is no label 'nowhere': .entry l() { bra nowhere; }");
}

TEST_CASE("a cubin that cannot be read leaves resources unknown") {
  const ModuleInfo info = inspect({kHeader + ".entry k() { ret; }", Bytes(100)});
  CHECK(info.error.empty());
  CHECK(info.kernel("k")->registers == 0);
}

} // namespace course::device
