#include "device/code/inspect/same_program.hpp"

#include "device/code/sass/sample.hpp"

namespace course::code {
namespace {

device::Module sample(const std::string& name) {
  return {sass::sample_text(name + ".ptx"), sass::sample_cubin(name)};
}

// The sample with `what` in front of its last "ret;".
bool same_with(const std::string& what) {
  device::Module module = sample("accesses");
  module.ptx.insert(module.ptx.rfind("ret;"), what);
  return same_program(module);
}

} // namespace

TEST_CASE("a compilation's PTX is what its machine code was made of") {
  CHECK(same_program(sample("accesses")));
  CHECK(same_program(sample("arranged")));
}

TEST_CASE("an instruction more, one less, or another number is another program") {
  CHECK_FALSE(same_with("bar.sync 0;\n"));
  CHECK_FALSE(same_with("\rbar.sync 0;\n"));
  device::Module module = sample("accesses");
  module.ptx.erase(module.ptx.rfind("ret;"), 4);
  CHECK_FALSE(same_program(module));
  module = sample("accesses");
  module.ptx.replace(module.ptx.find(".b8 "), 4, ".b16 ");
  CHECK_FALSE(same_program(module));
  module = sample("accesses");
  module.ptx.resize(module.ptx.size() / 2);
  CHECK_FALSE(same_program(module));
}

TEST_CASE("comments, line ends and what says where lines are from make no other program") {
  CHECK(same_with("// bar.sync 0;\n"));
  CHECK(same_with("/* bar.sync 0;\n*/\n\n\r\n"));
  CHECK(same_with("\n.loc 1 7 3, function_name $L, inlined_at 1 2 3\n"));
  CHECK(same_with("\n.file 9 \"other.cu\"\n"));
}

TEST_CASE("a cubin that does not say what it was made of is believed") {
  device::Module module = sample("accesses");
  module.ptx += "// more";
  module.cubin.clear();
  CHECK(same_program(module));
  module.cubin.resize(100);
  CHECK(same_program(module));
}

} // namespace course::code
