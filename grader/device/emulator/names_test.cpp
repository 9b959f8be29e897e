// What a message calls a place in memory: as the author of the kernel would.
#include "device/code/inspect/variable_name.hpp"
#include "device/emulator/decode/layout.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

namespace course::emulator {
namespace {

using device::FindingKind;

const std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

// A kernel of one thread with shared arrays `a` and `y` of 64 ints, r = the address of a.
std::string kernel(const std::string& body) {
  return kHeader +
         ".shared .align 4 .b8 a[256]; .shared .align 4 .b8 y[256]; .visible .entry k() {\n"
         ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<4>;\nmov.u32 %r1, a;\n" +
         body + "\nret;\n}\n";
}

struct Seen : TestRun {
  explicit Seen(const std::string& body, const std::string& source = "") : TestRun(kernel(body)) {
    job.modules.back().source = source;
    launch("k", {1}, {1}, 0).run();
  }
  std::string message() const {
    REQUIRE(!seen.findings.empty());
    return device::spelled(seen.findings[0].message);
  }
  FindingKind kind() const {
    REQUIRE(!seen.findings.empty());
    return seen.findings[0].kind;
  }
};

} // namespace

TEST_CASE("a name of module scope is itself, also where it looks like the code of a type") {
  for (const char* name : {"y", "f", "x", "i", "a", "b", "v", "t", "g", "s", "St", "tile"})
    CHECK(code::variable_name(name) == name);
  CHECK(code::variable_name("_ZZ14transpose_tilePfPKfiiE4tile") == "tile");
  CHECK(code::variable_name("_ZZ1kPfE1s_$_0") == "s");
  Seen past("ld.shared.u32 %r2, [y+256];");
  CHECK(past.message() == "access_is(load 4, just_past_end(sized(y, 256)))");
}

TEST_CASE("what lies below the first array is before its start") {
  CHECK(Seen("ld.shared.u32 %r2, [%r1+-4];").message() ==
        "access_is(load 4, before_start(4, sized(a, 256)))");
  CHECK(Seen("cvt.u64.u32 %rd1, %r1; st.shared.u32 [%rd1+-8], %r1;").message() ==
        "access_is(store 4, before_start(8, sized(a, 256)))");
}

TEST_CASE(
    "an access that begins inside and reaches past the end says where, and how much there is") {
  TestRun run(kHeader + ".shared .align 8 .b8 a[260]; .visible .entry k() {\n.reg .b32 %r<4>;\n"
                        "mov.u32 %r1, a; ld.shared.v2.u32 {%r2, %r3}, [%r1+256];\nret;\n}\n");
  run.launch("k", {1}, {1}, 0).run();
  REQUIRE(!run.seen.findings.empty());
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "past_array(load 8, byte_of(256, a), 260)");
}

TEST_CASE("an access that is misaligned and out of bounds is misaligned, as on a GPU") {
  CHECK(Seen("ld.shared.u32 %r2, [%r1+-2];").kind() == FindingKind::misaligned);
  CHECK(Seen("mov.u64 %rd1, 0x7001; ld.global.u32 %r2, [%rd1];").kind() == FindingKind::misaligned);
}

TEST_CASE("an address where nothing is, is where an access is at") {
  CHECK(Seen("mov.u64 %rd1, 0x7000; st.global.u32 [%rd1], %r1;").message() ==
        "access_is_at(store 4, nothing_allocated(0x7000))");
  CHECK(Seen("mov.u64 %rd1, 8; st.global.u32 [%rd1], %r1;").message() ==
        "goes_through(store 4, null_pointer_plus(8))");
}

TEST_CASE("an element is called as the source declares it, and by its byte without one") {
  const std::string unwritten = "ld.shared.u32 %r2, [%r1+132]; setp.eq.u32 %p1, %r2, 7; @%p1 trap;";
  CHECK(Seen(unwritten, "__shared__ int a[2][32];").message() ==
        "unwritten(reads(element(a[1][1], 132)))");
  CHECK(Seen(unwritten, "__shared__ unsigned char a[256];").message() ==
        "unwritten(reads(elements(a[132], a[135], 132)))");
  CHECK(Seen(unwritten).message() == "unwritten(reads(byte_of(132, a)))");
}

TEST_CASE("__syncwarp by lanes that it does not name is a fault of a barrier of the warp") {
  Seen seen("bar.warp.sync 2;");
  CHECK(seen.kind() == FindingKind::warp_barrier);
  CHECK(seen.message() == "not_in_own_mask(0, lanes 0x2)");
}

TEST_CASE("votes may be spelled as CUB spells them") {
  TestRun run(kernel("setp.ne.u32 %p1, %r1, 77; vote.ballot.sync.b32 %r2, %p1, 1;\n"
                     "vote.all.sync.pred %p2, %p1, 1; @!%p2 trap; setp.ne.u32 %p3, %r2, 1;\n"
                     "@%p3 trap;"));
  run.launch("k", {1}, {1}, 0).run();
  CHECK(run.seen.status == device::Observation::Status::completed);
  CHECK(run.findings() == "");
}

TEST_CASE("a trap without a line is the compiler's, for what is undefined") {
  CHECK(Seen("trap;").message().find("trap_of_compiler()") != std::string::npos);
}

TEST_CASE("a finding in what was inlined says which lines called it") {
  TestRun run(kernel(".loc 1 30 3\n.loc 1 5 1, function_name $L, inlined_at 1 30 3\n"
                     "ld.shared.u32 %r2, [y+256];") +
              ".file 1 \"a.cu\"\n");
  run.launch("k", {1}, {1}, 0).run();
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].line == 5);
  CHECK(run.seen.findings[0].called_from == std::vector<std::uint32_t>{30});
}

TEST_CASE("an element has the subscripts of its declaration, else its byte") {
  Layout layout;
  layout.add("tile", 4224, 4);
  layout.shape_last({4, {32, 33}});
  CHECK(device::spelled(layout.describe(132, 4)) == "element(tile[1][0], 132)");
  CHECK(device::spelled(layout.describe(132, 16)) == "elements(tile[1][0], tile[1][3], 132)");
  CHECK(device::spelled(layout.describe(134, 1)) == "element(tile[1][0], 134)");
  Layout tiles;
  tiles.add("tiles", 8448, 4);
  tiles.shape_last({4224, {2}});
  CHECK(device::spelled(tiles.describe(4228, 4)) == "element_part(tiles[1], 4)");
  Layout plain;
  plain.add("total", 4, 4);
  plain.shape_last({4, {}});
  CHECK(device::spelled(plain.describe(0, 4)) == "total");
  Layout unknown;
  unknown.add("memory", 4096, 4);
  CHECK(device::spelled(unknown.describe(1532, 4)) == "byte_of(1532, memory)");
}

} // namespace course::emulator
