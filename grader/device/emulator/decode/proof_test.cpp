#include "device/emulator/decode/proof.hpp"

#include "device/code/ptx/parse.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace course::emulator {
namespace {

// A load and a store behind a branch. Lines of the PTX: the branch 7, the load 8, the store 9.
const std::string kBehindABranch = ".version 9.0\n.target sm_90\n.address_size 64\n"
                                   ".shared .b8 s[64];\n"
                                   ".entry k() { .reg .pred %p<2>; .reg .b32 %r<4>;\n"
                                   "setp.gt.s32 %p1, %r1, 3;\n"
                                   "@%p1 bra L;\n"
                                   "ld.shared.u32 %r2, [s];\n"
                                   "st.shared.u32 [s+32], %r2;\n"
                                   "L: ret; }\n";
constexpr std::uint32_t kLoad = 2, kStore = 3; // in the body

// The same, with the branch as nvcc writes it now and then: over a jump.
const std::string kBehindAJump = ".version 9.0\n.target sm_90\n.address_size 64\n"
                                 ".shared .b8 s[64];\n"
                                 ".entry k() { .reg .pred %p<2>; .reg .b32 %r<4>;\n"
                                 "setp.gt.s32 %p1, %r1, 3; @%p1 bra A;\n"
                                 "bra.uni B; A:\n"
                                 "ld.shared.u32 %r2, [s];\n"
                                 "st.shared.u32 [s+32], %r2;\n"
                                 "B: ret; }\n";

sass::Access access(sass::Operation operation, std::uint32_t address, bool guarded = false) {
  sass::Access made{.operation = operation, .memory = sass::Memory::shared};
  made.width = 4;
  made.address = address;
  made.ptx_line = operation == sass::Operation::load ? 8 : 9;
  made.guarded = guarded;
  return made;
}

// SASS as blocks and the lines of their instructions.
struct Code {
  std::vector<sass::Block> blocks;
  std::vector<std::uint32_t> line_of;
  std::vector<sass::Access> accesses;
};

std::vector<Proof> proven(const Code& code, const std::string& text = kBehindABranch) {
  const auto module = std::get<ptx::Module>(ptx::parse(text));
  sass::Cubin cubin;
  cubin.has_lines = true;
  auto& kernel = cubin.kernels.emplace_back();
  kernel.name = "k";
  kernel.blocks = code.blocks;
  kernel.line_of = code.line_of;
  kernel.accesses = code.accesses;
  kernel.ptx_lines = {6, 7, 8, 9, 10};
  const auto matches = sass::Matcher(cubin).match(module.functions[0]);
  const auto found = std::count_if(matches.begin(), matches.end(), [](const sass::Match& match) {
    return match.status == sass::Match::Status::found;
  });
  REQUIRE(found == 2);
  return proofs(module.functions[0], cubin, matches, {});
}

using sass::Operation::load, sass::Operation::store;

// Branch at address 0, both accesses behind it, the end at 48.
const std::vector<sass::Block> kBranching = {{0, 16, {1, 2}}, {16, 48, {2}}, {48, 64, {3}}};

} // namespace

TEST_CASE("an access behind the same branch as in the PTX is proven") {
  const auto all = proven({kBranching, {7, 8, 9, 10}, {access(load, 16), access(store, 32)}});
  CHECK(all[kLoad] == Proof::exact);
  CHECK(all[kStore] == Proof::exact);
}

TEST_CASE("a branch and the jump behind it are one decision") {
  const auto all =
      proven({kBranching, {7, 8, 9, 10}, {access(load, 16), access(store, 32)}}, kBehindAJump);
  CHECK(all[kLoad + 1] == Proof::exact);
  CHECK(all[kStore + 1] == Proof::exact);
}

TEST_CASE("a branch that became a guard is proven") {
  const auto all =
      proven({{{0, 64, {1}}}, {6, 8, 9, 10}, {access(load, 16, true), access(store, 32, true)}});
  CHECK(all[kLoad] == Proof::exact);
  CHECK(all[kStore] == Proof::exact);
}

TEST_CASE("a load that got a guard of its own is not proven") {
  const auto with_guard_of = [&](std::uint32_t line, std::uint32_t other) {
    auto one = access(load, 16, true), two = access(store, 32, true);
    one.guard_line = line, two.guard_line = other;
    return proven({{{0, 64, {1}}}, {6, 8, 9, 10}, {one, two}});
  };
  CHECK(with_guard_of(6, 6)[kLoad] == Proof::exact); // the branch's
  CHECK(with_guard_of(8, 6)[kLoad] == Proof::none);
  CHECK(with_guard_of(8, 9)[kStore] == Proof::exact); // whatever guards it, it is what the PTX has
}

TEST_CASE("a load that moved in front of its branch is not proven") {
  const std::vector<sass::Block> blocks = {{0, 32, {1, 2}}, {32, 48, {2}}, {48, 64, {3}}};
  const auto all = proven({blocks, {8, 7, 9, 10}, {access(load, 0), access(store, 32)}});
  CHECK(all[kLoad] == Proof::ahead);
  CHECK(all[kStore] == Proof::exact);
}

TEST_CASE("an access behind more branches than in the PTX is not proven") {
  const std::vector<sass::Block> blocks = {
      {0, 16, {1, 3}}, {16, 32, {2, 3}}, {32, 64, {3}}, {64, 80, {4}}};
  const auto all = proven({blocks, {7, 10, 8, 9, 10}, {access(load, 32), access(store, 48)}});
  CHECK(all[kLoad] == Proof::none);  // lanes may do without it
  CHECK(all[kStore] == Proof::none); // and may be parted
}

TEST_CASE("copies on both sides of a branch are not proven") {
  const std::vector<sass::Block> blocks = {
      {0, 16, {1, 4}}, {16, 32, {2, 3}}, {32, 48, {4}}, {48, 64, {4}}, {64, 80, {5}}};
  const auto all =
      proven({blocks, {7, 10, 9, 9, 10}, {access(load, 16), access(store, 32), access(store, 48)}});
  CHECK(all[kLoad] == Proof::exact);
  CHECK(all[kStore] == Proof::none);
}

TEST_CASE("copies behind the decisions of the PTX, all of them, are proven") {
  const auto all =
      proven({kBranching, {7, 8, 9, 10}, {access(load, 16), access(load, 20), access(store, 32)}});
  CHECK(all[kLoad] == Proof::exact);
}

TEST_CASE("without paths nothing is proven but for whole warps") {
  const auto all = proven({{}, {7, 8, 9, 10}, {access(load, 16), access(store, 32)}});
  CHECK(all[kLoad] == Proof::whole_warps);
  CHECK(all[kStore] == Proof::whole_warps);
}

} // namespace course::emulator
