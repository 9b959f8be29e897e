#include "device/code/sass/sample.hpp"
#include "device/code/sass/self_check.hpp"

namespace course::sass {
namespace {

// The shared accesses of a kernel, to change one.
Access& access_of(Cubin& cubin, std::string_view kernel_name, Operation operation) {
  for (Kernel& kernel : cubin.kernels) {
    if (kernel.name != kernel_name) continue;
    for (Access& access : kernel.accesses) {
      if (access.operation == operation && access.memory == Memory::shared) return access;
    }
  }
  throw std::runtime_error("no such access");
}

std::string difference_of(const Cubin& cubin) {
  return difference(sample_module("self_check"), cubin).value_or("none");
}

} // namespace

TEST_CASE("the toolkit that this was written for makes what is expected") {
  CHECK(difference_of(sample_read("self_check")) == "none");
}

TEST_CASE("a toolkit that merges less is noticed") {
  Cubin cubin = sample_read("self_check");
  access_of(cubin, "check_merged", Operation::load).width = 8;
  CHECK(difference_of(cubin) == "check_merged, ld.shared: the SASS is 8 bytes wide, not 16");
}

TEST_CASE("a toolkit that points merged stores elsewhere is noticed") {
  Cubin cubin = sample_read("self_check");
  access_of(cubin, "check_merged", Operation::store).ptx_line = 1;
  CHECK(difference_of(cubin) == "check_merged, st.shared: no SASS instruction is at its line");
}

TEST_CASE("a toolkit with other atomics is noticed") {
  Cubin cubin = sample_read("self_check");
  access_of(cubin, "check_count", Operation::atomic).atomic = Atomic::add;
  CHECK(difference_of(cubin) == "check_count, atom.shared: the SASS is another kind of atomic");
  cubin = sample_read("self_check");
  access_of(cubin, "check_sum", Operation::atomic).warp_aggregated = false;
  CHECK(difference_of(cubin) ==
        "check_sum, atom.shared: the warp's values are not reduced where that was expected");
}

TEST_CASE("a toolkit without line tables is noticed") {
  Cubin cubin = sample_read("self_check");
  access_of(cubin, "check_single", Operation::load).source_line = 0;
  CHECK(difference_of(cubin) == "check_single, ld.shared: the SASS has no source line");
  CHECK(difference_of(Cubin{}) == "check_single, ld.shared: no SASS instruction is at its line");
  CHECK(difference(ptx::Module{}, Cubin{}) == "there is no kernel check_single");
}

} // namespace course::sass
