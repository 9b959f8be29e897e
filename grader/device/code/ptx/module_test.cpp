#include "device/code/ptx/module.hpp"
#include "device/code/ptx/snippet.hpp"

#include <doctest/doctest.h>

namespace course::ptx {

TEST_CASE("types have names and sizes") {
  CHECK(type_named("u32") == Type::u32);
  CHECK(type_named("bf16x2") == Type::bf16x2);
  CHECK(type_named("pred") == Type::pred);
  CHECK_FALSE(type_named(""));
  CHECK_FALSE(type_named("u33"));
  CHECK_FALSE(type_named(".u32"));
  CHECK(size_of(Type::none) == 0);
  CHECK(size_of(Type::pred) == 1);
  CHECK(size_of(Type::u8) == 1);
  CHECK(size_of(Type::f16) == 2);
  CHECK(size_of(Type::bf16x2) == 4);
  CHECK(size_of(Type::f64) == 8);
  CHECK(size_of(Type::b128) == 16);
}

TEST_CASE("parameters are laid out by alignment") {
  const Module module = module_of(".entry k(.param .u8 a, .param .u32 b, .param .align 8 .b8 c[12],"
                                  " .param .u16 d, .param .u64 e) { ret; }");
  CHECK(parameter_offsets(*module.function("k")) ==
        std::vector<std::uint32_t>{0, 4, 8, 20, 24, 32});
  CHECK(parameter_offsets(Function{}) == std::vector<std::uint32_t>{0});
}

TEST_CASE("parameters larger than any launch saturate") {
  const Module module = module_of(".entry k(.param .b8 a[4294967295], .param .u64 b) { ret; }");
  CHECK(parameter_offsets(*module.function("k")).back() == 0xffffffff);
}

TEST_CASE("functions are found by name and by alias") {
  const Module module = module_of(".func f() { ret; }\n.alias g, f;");
  REQUIRE(module.function("g"));
  CHECK(module.function("g")->name == "f");
  CHECK(module.function("h") == nullptr);
}

TEST_CASE("headers of the toolkit and of the system are told from the student's files") {
  CHECK(
      is_system_header("/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp"));
  CHECK(is_system_header("/usr/local/cuda-13.0/include/cccl/cuda/barrier"));
  CHECK(is_system_header("/opt/cuda/include/cuda_fp16.hpp"));
  CHECK(is_system_header("/usr/include/c++/12/cmath"));
  CHECK_FALSE(is_system_header("/home/ada/cuda/course/include/tile.hpp"));
  CHECK_FALSE(is_system_header("/home/ada/cudacourse/transpose.cu"));
  CHECK_FALSE(is_system_header("/home/ada/targets/transpose.cu"));
  CHECK_FALSE(is_system_header("2_pad.cu"));
}

} // namespace course::ptx
