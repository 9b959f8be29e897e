#include "build/specific.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

namespace course::build {

TEST_CASE("a source that names an instruction of warpgroups needs sm_90a") {
  CHECK(needs_specific("asm volatile(\"wgmma.fence.sync.aligned;\");"));
  CHECK(needs_specific("asm volatile(\"setmaxnreg.inc.sync.aligned.u32 232;\");"));
  CHECK_FALSE(needs_specific("asm volatile(\"mma.sync.aligned.m16n8k16 ...\");"));
  CHECK(needs_specific("asm volatile(\"cp.async.bulk … .multicast::cluster [%0], …\");"));
  CHECK_FALSE(needs_specific("// faster: see the chapter on wgmma\n"));
  CHECK_FALSE(needs_specific("// a multicast would do\n"));
}

TEST_CASE("what a file includes from beside it counts, in a circle too") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("specific." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.cu") << "#include <vector>\n#include \"b.cuh\"\n";
  std::ofstream(folder / "b.cuh") << "#include \"a.cu\"\n";
  CHECK_FALSE(needs_specific_with_includes(folder / "a.cu"));
  std::ofstream(folder / "b.cuh") << "asm(\"wgmma.fence.sync.aligned;\");\n";
  CHECK(needs_specific_with_includes(folder / "a.cu"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("targets are named as nvcc has them") {
  CHECK(targets_of(model::default_gpu(), false) == "arch=compute_90,code=[compute_90,sm_90]");
  CHECK(targets_of(model::default_gpu(), true) == "arch=compute_90a,code=[compute_90a,sm_90a]");
}

TEST_CASE("a source without lambdas and the standard library's name does without what nvcc brings "
          "for them") {
  CHECK_FALSE(may_need_lambdas(""));
  CHECK_FALSE(
      may_need_lambdas("#include <cstdio>\n__shared__ int tile[32];\nint stdout_of, a_std, std_;"));
  CHECK(may_need_lambdas("std::min(a, b)"));
  CHECK(may_need_lambdas("using namespace std;"));
  CHECK(may_need_lambdas("::std"));
  CHECK(may_need_lambdas("[=] __device__(int i) {}"));
  CHECK(may_need_lambdas("#ifdef __CUDACC_EXTENDED_LAMBDA__"));
}

} // namespace course::build
