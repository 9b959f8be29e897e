#include "device/code/sass/sample.hpp"

#include <algorithm>

namespace course::sass {
namespace {

using Status = Match::Status;

// What became of the instructions of one opcode in a function of accesses.cu, in order. The opcode
// may go on with modifiers: "ld.shared".
std::vector<Match> matches(const std::string& function_name, const std::string& opcode,
                           const Cubin& cubin) {
  static const ptx::Module module = sample_module("accesses");
  const ptx::Function* function = module.function(function_name);
  REQUIRE(function);
  const auto all = Matcher(cubin).match(*function);
  REQUIRE(all.size() == function->body.size());
  std::vector<Match> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string text = function->body[i].opcode;
    for (const std::string& modifier : function->body[i].modifiers) text += "." + modifier;
    if (text.starts_with(opcode)) result.push_back(all[i]);
  }
  REQUIRE(!result.empty());
  return result;
}

const Cubin& cubin() {
  static const Cubin read_once = sample_read("accesses");
  return read_once;
}

std::vector<Match> matches(const std::string& function, const std::string& opcode) {
  return matches(function, opcode, cubin());
}

} // namespace

TEST_CASE("a function that is copied behind two kernels is found once") {
  const auto store = matches("_Z7swappedPKfi", "st.shared");
  REQUIRE(store.size() == 1);
  CHECK(store[0].status == Status::found);
  CHECK(store[0].access.width == 16);
  CHECK(matches("_Z7swappedPKfi", "ld.shared").at(0).access.width == 16);
}

TEST_CASE("parameters and arithmetic are not accesses") {
  CHECK(matches("_Z7swappedPKfi", "ld.param").at(0).status == Status::not_an_access);
  CHECK(matches("_Z7swappedPKfi", "add").at(0).status == Status::not_an_access);
}

TEST_CASE("merged stores are at the last of them, merged loads at the first") {
  const auto stores = matches("_Z7partialP6float4", "st.shared");
  REQUIRE(stores.size() == 3);
  CHECK(stores[0].status == Status::merged_away);
  CHECK(stores[1].status == Status::found);
  CHECK(stores[1].access.width == 8);
  CHECK(stores[2].access.width == 4);
  const auto loads = matches("_Z7partialP6float4", "ld.shared");
  REQUIRE(loads.size() == 2);
  CHECK(loads[0].status == Status::found);
  CHECK(loads[0].access.width == 16);
  CHECK(loads[0].begins == std::vector<std::int32_t>{0});
  CHECK(loads[1].status == Status::merged_away);
}

TEST_CASE("a vector load of which one component is used is narrow, and begins there") {
  const auto loads = matches("_Z8narrowedPf", "ld.shared");
  REQUIRE(loads.size() == 2);
  CHECK(loads[0].status == Status::found);
  CHECK(loads[0].access.width == 4);
  CHECK(loads[0].begins == std::vector<std::int32_t>{12});
  CHECK(loads[1].access.width == 4);
  CHECK(loads[1].begins == std::vector<std::int32_t>{4});
}

TEST_CASE("loads that were merged into a vector and split again have the line of the first") {
  const ptx::Module module = sample_module("arranged");
  const auto split =
      std::find_if(module.functions.begin(), module.functions.end(),
                   [](const auto& each) { return each.name.find("split") != each.name.npos; });
  REQUIRE(split != module.functions.end());
  const auto all = Matcher(sample_read("arranged")).match(*split);
  std::vector<Match> loads;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (split->body[i].opcode == "ld" && split->body[i].modifiers[0] == "shared")
      loads.push_back(all[i]);
  REQUIRE(loads.size() == 3);
  const auto first = std::find_if(loads.begin(), loads.end(),
                                  [](const Match& match) { return match.begins.size() == 2; });
  REQUIRE(first != loads.end());
  CHECK(first->status == Status::found);
  CHECK(first->access.width == 4);
  CHECK(first->begins == std::vector<std::int32_t>{0, 8});
  CHECK(std::count_if(loads.begin(), loads.end(),
                      [](const Match& match) { return match.status == Status::merged_away; }) == 1);
}

TEST_CASE("a vector load of which two components apart are used is split") {
  const auto loads = matches("_Z5splitP6float4i", "ld.shared");
  REQUIRE(loads.size() == 2);
  CHECK(loads[0].status == Status::found);
  CHECK(loads[0].access.width == 4);
  CHECK(loads[0].begins == std::vector<std::int32_t>{0, 8});
  CHECK(loads[1].status == Status::found);
  CHECK(loads[1].access.width == 8);
  CHECK(loads[1].begins == std::vector<std::int32_t>{8});
}

TEST_CASE("a loop whose rounds were merged is ambiguous") {
  CHECK(matches("_Z8unrolledPf", "ld.shared").at(0).status == Status::ambiguous);
  CHECK(matches("_Z8unrolledPf", "st.shared").at(0).status == Status::found);
}

TEST_CASE("asynchronous copies and matrices are found") {
  CHECK(matches("_Z6copiesP6float4", "cp.async.cg").at(0).access.width == 16);
  CHECK(matches("_Z6copiesP6float4", "cp.async.ca").at(0).access.width == 4);
  CHECK(matches("_Z6copiesP6float4", "cp.async.commit").at(0).status == Status::not_an_access);
  CHECK(matches("_Z8matricesPi", "ldmatrix").at(0).access.matrices == 4);
  const auto stores = matches("_Z8matricesPi", "stmatrix");
  CHECK(stores.at(0).access.matrices == 2);
  CHECK(stores.at(1).access.matrices == 1);
}

TEST_CASE("generic addresses are matched with what ptxas makes of them") {
  const auto load = matches("_Z10any_memoryPii", "ld.u32");
  CHECK(load.at(0).status == Status::found);
  CHECK(load.at(0).access.memory == Memory::generic);
  const auto add = matches("_Z10any_memoryPii", "atom.add.f32");
  CHECK(add.at(0).status == Status::found);
  CHECK(add.at(0).access.memory == Memory::shared);
  CHECK(add.at(0).access.atomic == Atomic::cast_spin);
}

TEST_CASE("atomics of one address are one lane's work, those behind a guard are not") {
  const auto elected = matches("_Z7electedPii", "atom");
  REQUIRE(elected.size() == 3);
  for (const Match& match : elected) {
    CHECK(match.status == Status::found);
    CHECK(match.access.guarded);
    CHECK(match.access.warp_aggregated);
  }
  CHECK(elected[2].access.atomic == Atomic::max);
  const auto guarded = matches("_Z7guardedPii", "atom");
  CHECK(guarded.at(0).status == Status::found);
  CHECK_FALSE(guarded.at(0).access.warp_aggregated);
  const auto store = matches("_Z7guardedPii", "st.shared");
  REQUIRE(store.size() == 2);
  CHECK(store[1].access.guarded);
  CHECK_FALSE(store[1].access.warp_aggregated);
}

TEST_CASE("each atomic is told apart") {
  const auto all = matches("_Z10operationsPj", "atom.shared");
  REQUIRE(all.size() == 11);
  const std::vector<Atomic> expected = {Atomic::min,       Atomic::max,      Atomic::inc,
                                        Atomic::dec,       Atomic::bit_and,  Atomic::bit_or,
                                        Atomic::bit_xor,   Atomic::exchange, Atomic::exchange,
                                        Atomic::cast_spin, Atomic::cas};
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK(all[i].status == Status::found);
    CHECK(all[i].access.atomic == expected[i]);
    CHECK(all[i].access.width == (i < 8 ? 4 : 8));
  }
}

TEST_CASE("without lines nothing is known") {
  Cubin without = cubin();
  for (Kernel& kernel : without.kernels) {
    kernel.ptx_lines.clear();
    for (Access& access : kernel.accesses) access.ptx_line = 0;
  }
  for (const Match& match : matches("_Z7guardedPii", "st.shared", without)) {
    CHECK(match.status == Status::unknown);
  }
  CHECK(matches("_Z7guardedPii", "ld.global", Cubin{}).at(0).status == Status::unknown);
}

TEST_CASE("what is not in the SASS, and nothing says why, is missing and not merged away") {
  Cubin without = cubin();
  for (Kernel& kernel : without.kernels)
    std::erase_if(kernel.accesses, [](const Access& access) {
      return access.operation == Operation::store && access.memory == Memory::shared;
    });
  for (const Match& match : matches("_Z7guardedPii", "st.shared", without))
    CHECK(match.status == Status::missing);
}

TEST_CASE("lines that fall on other kinds of instructions are none that can be believed") {
  Cubin moved = cubin();
  for (Kernel& kernel : moved.kernels) {
    for (Access& access : kernel.accesses) access.ptx_line += 1;
    for (std::uint32_t& line : kernel.ptx_lines) line += 1;
  }
  for (const Match& match : matches("_Z7guardedPii", "st.shared", moved))
    CHECK(match.status == Status::unknown);
  for (const Match& match : matches("_Z7guardedPii", "ld.global", moved))
    CHECK(match.status == Status::unknown);
}

TEST_CASE("copies that differ are ambiguous") {
  Cubin differing = cubin();
  for (Kernel& kernel : differing.kernels) {
    if (kernel.name != "_Z6callerPf") continue;
    for (Access& access : kernel.accesses) {
      if (access.operation == Operation::store && access.memory == Memory::shared) access.width = 8;
    }
  }
  CHECK(matches("_Z7swappedPKfi", "st.shared", differing).at(0).status == Status::ambiguous);
  CHECK(matches("_Z7swappedPKfi", "ld.shared", differing).at(0).status == Status::found);
}

namespace {

// Matches of a kernel with these instructions in lines from 8, and this SASS.
std::vector<Match> made(const std::string& body, std::vector<Access> accesses,
                        const Addresses& shared = {}) {
  const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                           ".shared .b8 s[64];\n.shared .b32 a;\n.shared .b32 b;\n"
                           ".entry k() { .reg .b32 %r<9>; .reg .pred %p<2>;\n" +
                           body + "ret; }\n";
  const auto module = std::get<ptx::Module>(ptx::parse(text));
  Cubin cubin;
  cubin.kernels.push_back({"k", std::move(accesses), {8, 9, 10, 11}, {}, {}});
  return Matcher(cubin).match(module.functions[0], shared);
}
Access at(std::uint32_t line, Operation operation, int width, std::int32_t offset = 0) {
  Access access{.operation = operation, .memory = Memory::shared};
  if (operation == Operation::shuffle) access.memory = Memory::none;
  access.width = static_cast<std::uint8_t>(width);
  access.offset = offset;
  access.ptx_line = line;
  return access;
}

} // namespace

TEST_CASE("what nobody needs is not executed where it is not in the SASS") {
  const std::string kUse = "st.shared.u32 [s], %r1;\n";
  const auto store = at(10, Operation::store, 4);
  auto all = made("ld.shared.u32 %r1, [s+4];\nld.shared.u32 %r2, [s+8];\n" + kUse,
                  {at(8, Operation::load, 4), store});
  CHECK(all[0].status == Status::found);
  CHECK(all[1].status == Status::merged_away);
  CHECK(all[2].status == Status::found);
  all = made("ld.shared.u32 %r1, [s+4];\nld.shared.u32 %r2, [s+8];\n" + kUse, {store});
  CHECK(all[0].status == Status::missing);
  all = made("shfl.sync.bfly.b32 %r1, %r3, 1, 31, -1;\nshfl.sync.bfly.b32 %r2, %r3, 1, 31, -1;\n" +
                 kUse,
             {at(8, Operation::shuffle, 0), store});
  CHECK(all[0].status == Status::found);
  CHECK(all[1].status == Status::merged_away);
  all = made("ld.volatile.shared.u32 %r1, [s+4];\nld.volatile.shared.u32 %r2, [s+8];\n" + kUse,
             {at(8, Operation::load, 4), store});
  CHECK(all[1].status == Status::missing);
}

TEST_CASE("variables with names of their own are neighbours, where it is known where they are") {
  const std::string body = "ld.shared.u32 %r1, [a];\nld.shared.u32 %r2, [b];\n"
                           "st.shared.u32 [s], %r1;\nst.shared.u32 [s+8], %r2;\n";
  const Access first = at(10, Operation::store, 4), second = at(11, Operation::store, 4);
  const Addresses places = {{"a", 64}, {"b", 68}, {"s", 0}};
  auto all = made(body, {at(8, Operation::load, 8), first, second}, places);
  CHECK(all[0].status == Status::found);
  CHECK(all[0].access.width == 8);
  CHECK(all[1].status == Status::merged_away);
  // Merged, and split again.
  all = made(body, {at(8, Operation::load, 4, 64), at(8, Operation::load, 4, 68), first, second},
             places);
  CHECK(all[0].begins == std::vector<std::int32_t>{0, 4});
  CHECK(all[1].status == Status::merged_away);
  // Far apart, or who knows where.
  all = made(body, {at(8, Operation::load, 8), first, second}, {{"a", 64}, {"b", 128}});
  CHECK(all[0].status == Status::ambiguous);
  CHECK(all[1].status == Status::missing);
  all = made(body, {at(8, Operation::load, 8), first, second});
  CHECK(all[1].status == Status::missing);
}

TEST_CASE("a wide store needs all of its bytes from stores that were merged") {
  const std::string body = "st.shared.u32 [s], %r1;\nst.shared.u32 [s+4], %r1;\n"
                           "st.shared.u32 [s+8], %r1;\n";
  auto all = made(body, {at(9, Operation::store, 8), at(10, Operation::store, 4)});
  CHECK(all[0].status == Status::merged_away);
  CHECK(all[1].status == Status::found);
  all = made(body, {at(10, Operation::store, 16)});
  CHECK(all[0].status == Status::missing);
  CHECK(all[2].status == Status::ambiguous);
}

TEST_CASE("loads of one place are one where the SASS has one, and nothing changes memory between") {
  const std::string kUse = "st.shared.v2.u32 [s+16], {%r1, %r2};\n";
  const auto second = [&](const std::string& between, const std::string& before = "",
                          const std::string& load = "ld.shared.u32") {
    const auto all =
        made(before + " ld.shared.u32 %r1, [s];\n" + between + ' ' + load + " %r2, [s];\n" + kUse,
             {at(8, Operation::load, 4), at(10, Operation::store, 8)});
    return all[all.size() - 3].status; // before the store and ret
  };
  const std::string kSkip = "setp.eq.s32 %p1, %r3, 0; @%p1 bra L;";
  CHECK(second("") == Status::merged_away);
  CHECK(second("L:") == Status::merged_away);
  CHECK(second(kSkip + " add.s32 %r3, %r3, 1; L:") == Status::merged_away);
  CHECK(second("bar.sync 0;") == Status::merged_away); // in one block the next one still decides
  CHECK(second("L: bar.sync 0;") == Status::missing);
  CHECK(second("L: st.shared.u32 [s+8], %r3;") == Status::missing);
  CHECK(second("L:", kSkip) == Status::missing); // who jumps to L has not loaded
  CHECK(second("L:", "@%p1") == Status::missing);
  CHECK(second("L:", "", "ld.volatile.shared.u32") == Status::missing);
  // Round a loop, past a store.
  CHECK(second("bra M; N: st.shared.u32 [s+8], %r3; M: @%p1 bra N;") == Status::missing);
}

TEST_CASE("a wide load serves later rounds of an unrolled loop whose rounds have branches") {
  const std::string body = "ld.shared.u32 %r1, [s]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;\n"
                           "add.s32 %r1, %r1, 1; L: ld.shared.u32 %r2, [s+4];\n"
                           "st.shared.u32 [s+16], %r1;\nst.shared.u32 [s+24], %r2;\n";
  const auto all = made(
      body, {at(8, Operation::load, 8), at(10, Operation::store, 4), at(11, Operation::store, 4)});
  CHECK(all[0].status == Status::found);
  CHECK(all[0].access.width == 8);
  CHECK(all[4].status == Status::merged_away);
}

TEST_CASE("two accesses in one line are told apart by their width") {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.shared .b8 s[64];\n.entry k() {\n"
      ".reg .b32 %r<4>;\n"
      "ld.shared.u32 %r0, [s]; ld.shared.v2.u32 {%r1, %r2}, [s+8];\n}";
  const auto module = std::get<ptx::Module>(ptx::parse(text));
  const auto at_line_7 = [](int width) {
    Access access{.operation = Operation::load, .memory = Memory::shared};
    access.width = static_cast<std::uint8_t>(width);
    access.ptx_line = 7;
    return access;
  };
  Cubin made;
  made.kernels.push_back({"k", {at_line_7(4), at_line_7(8)}, {7}, {}, {}});
  auto both = Matcher(made).match(module.functions[0]);
  CHECK(both.at(0).access.width == 4);
  CHECK(both.at(1).access.width == 8);
  CHECK(both.at(1).status == Status::found);
  made.kernels[0].accesses = {at_line_7(16)};
  both = Matcher(made).match(module.functions[0]);
  CHECK(both.at(0).status == Status::ambiguous);
  CHECK(both.at(1).status == Status::ambiguous);
}

} // namespace course::sass
