#include "device/code/ptx/snippet.hpp"

#include <bit>

namespace course::ptx {
namespace {

// The name of a register operand in kernel_text.
std::string name_of(const Operand& operand) {
  return kernel_of("ret;").register_names.at(as<Register>(operand).index);
}

using Strings = std::vector<std::string>;

} // namespace

TEST_CASE("an instruction has an opcode, modifiers, operands and a line") {
  const Function kernel = kernel_of("\n add.rn.ftz.f32 %f1, %f2, %f3;");
  REQUIRE(kernel.body.size() == 1);
  const Instruction& add = kernel.body[0];
  CHECK(add.opcode == "add");
  CHECK(add.modifiers == Strings{"rn", "ftz", "f32"});
  REQUIRE(add.operands.size() == 3);
  CHECK(name_of(add.operands[0]) == "%f1");
  CHECK(name_of(add.operands[2]) == "%f3");
  CHECK_FALSE(add.guard);
  CHECK(add.ptx_line == 10);
}

TEST_CASE("modifiers may be apart from their opcode and have colons") {
  CHECK(instruction_of("ld .shared::cta .L1::evict_first.f32 %f1, [%r1];").modifiers ==
        Strings{"shared::cta", "L1::evict_first", "f32"});
}

TEST_CASE("guards may be negated") {
  const Instruction plain = instruction_of("@%p3 ret;");
  REQUIRE(plain.guard);
  CHECK(plain.guard->predicate.index == 3);
  CHECK_FALSE(plain.guard->negated);
  CHECK(instruction_of("@!%p3 ret;").guard->negated);
  CHECK(refused_instruction("@%r1 ret;") == "a guard must be a predicate");
  CHECK(refused_instruction("@%p9 ret;") == "'%p9' is not a register");
}

TEST_CASE("integers of every form are immediates") {
  const auto bits = [](const std::string& text) {
    return as<Immediate>(instruction_of("mov.b64 %rd1, " + text + ";").operands.at(1)).bits;
  };
  CHECK(bits("12") == 12);
  CHECK(bits("-1") == ~std::uint64_t{0});
  CHECK(bits("0xFFU") == 255);
  CHECK(bits("-0x10") == static_cast<std::uint64_t>(-16));
  CHECK(bits("010") == 8);
  CHECK(bits("4 * (2 + 1) - 1") == 11);
  CHECK(bits("-2 + 3 << 1") == 2);

  CHECK(bits("100 / 7 % 5") == 4);
  CHECK(bits("WARP_SZ - 1") == 31);
}

TEST_CASE("floats are immediates by their bits, with a sign") {
  const auto immediate = [](const std::string& text) {
    return as<Immediate>(instruction_of("mov.f32 %f1, " + text + ";").operands.at(1));
  };
  CHECK(immediate("0f3F800000").kind == Immediate::Kind::f32);
  CHECK(immediate("-0f3F800000").bits == 0xbf800000);
  CHECK(immediate("0d3FF0000000000000").kind == Immediate::Kind::f64);
  CHECK(std::bit_cast<double>(immediate("-0.25").bits) == -0.25);
  CHECK(refused_instruction("mov.f32 %f1, 0f123;") == "expected a number, found '0f123'");
}

TEST_CASE("special registers are known by name") {
  CHECK(as<Special>(instruction_of("mov.u32 %r1, %tid.x;").operands[1]).name == "tid.x");
  CHECK(as<Special>(instruction_of("mov.u32 %r1, %lanemask_lt;").operands[1]).name ==
        "lanemask_lt");
  CHECK(as<Special>(instruction_of("mov.u32 %r1, %envreg31;").operands[1]).name == "envreg31");
  CHECK(as<Special>(instruction_of("mov.u64 %rd1, %pm3_64;").operands[1]).name == "pm3_64");
  CHECK(refused_instruction("mov.u32 %r1, %tid.w;") == "'%tid.w' is not declared");
  CHECK(refused_instruction("mov.u32 %r1, %laneid.x;") == "'%laneid.x' is not declared");
  CHECK(refused_instruction("mov.u32 %r1, %envreg;") == "'%envreg' is not declared");
}

TEST_CASE("symbols are addresses, with an offset") {
  const auto symbol = as<Symbol>(instruction_of("mov.u32 %r1, dynamic+16;").operands[1]);
  CHECK(symbol.name == "dynamic");
  CHECK(symbol.offset == 16);
  CHECK(as<Symbol>(instruction_of("mov.u64 %rd1, kernel;").operands[1]).name == "kernel");
  CHECK(refused_instruction("mov.u32 %r1, nothing;") == "'nothing' is not declared");
}

TEST_CASE("addresses have a base and an offset") {
  const auto memory = [](const std::string& text) {
    return as<Memory>(instruction_of("ld.shared.u32 %r1, [" + text + "];").operands.at(1));
  };
  CHECK(std::get<Register>(memory("%r2").base).index == 10);
  CHECK(memory("%r2").offset == 0);
  CHECK(memory("%r2+8").offset == 8);
  CHECK(memory("%r2+-8").offset == -8);
  CHECK(memory("%r2-8").offset == -8);
  CHECK(memory("%r2 + 4 * 3 - 2").offset == 10);
  CHECK(std::get<Symbol>(memory("dynamic+4").base).name == "dynamic");
  CHECK(std::get<Symbol>(memory("dynamic+4").base).offset == 0);
  CHECK(memory("dynamic+4").offset == 4);
  CHECK(std::holds_alternative<std::monostate>(memory("64").base));
  CHECK(memory("64").offset == 64);
  CHECK(refused_instruction("ld.shared.u32 %r1, [%tid.x];") ==
        "an address is a register, a variable, or a number");
  CHECK(refused_instruction("ld.shared.u32 %r1, [%r2;") ==
        "expected ']' after an address, found ';'");
}

TEST_CASE("tensor copies have coordinates") {
  const Instruction copy = instruction_of(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%r1], [%rd1, {%r2, 5}], [%r3], %rd2;");
  CHECK(copy.opcode == "cp");
  CHECK(copy.modifiers.back() == "mbarrier::complete_tx::bytes");
  REQUIRE(copy.operands.size() == 4);
  const auto& map = as<Memory>(copy.operands[1]);
  REQUIRE(map.coordinates.size() == 2);
  CHECK(name_of(map.coordinates[0]) == "%r2");
  CHECK(as<Immediate>(map.coordinates[1]).bits == 5);
}

TEST_CASE("vectors hold registers, numbers and sinks") {
  const auto load = instruction_of("ld.shared.v4.f32 {%f1, _, %f3, %f4}, [%r1];");
  const auto& vector = as<Vector>(load.operands.at(0));
  REQUIRE(vector.elements.size() == 4);
  CHECK(name_of(vector.elements[0]) == "%f1");
  CHECK(std::holds_alternative<Sink>(vector.elements[1].value));
  CHECK(
      as<Vector>(instruction_of("st.shared.v2.u32 [%r1], {%r2, 7};").operands[1]).elements.size() ==
      2);
  CHECK(refused_instruction("ld.shared.v2.u32 {{%r1, %r2}}, [%r3];") ==
        "expected a register or a number in a vector, found '{'");
}

TEST_CASE("pairs have two results, either of which may be thrown away") {
  const auto both = as<PredicatePair>(
      instruction_of("shfl.sync.down.b32 %r1|%p2, %r2, 1, 31, -1;").operands.at(0));
  CHECK(both.first->index == 9);
  CHECK(both.second->index == 2);
  const auto second = as<PredicatePair>(instruction_of("setp.lt.s32 _|%p2, %r1, 3;").operands[0]);
  CHECK_FALSE(second.first);
  CHECK(second.second->index == 2);
  const auto first = as<PredicatePair>(instruction_of("setp.lt.s32 %p2|_, %r1, 3;").operands[0]);
  CHECK(first.first->index == 2);
  CHECK_FALSE(first.second);
  CHECK(refused_instruction("setp.lt.s32 %p1|dynamic, %r1, 3;") == "a pair is of registers");
}

TEST_CASE("operands may be negated") {
  const Instruction setp = instruction_of("setp.lt.and.s32 %p1, %r1, %r2, !%p3;");
  CHECK(setp.operands.at(3).negated);
  CHECK(as<Register>(setp.operands[3]).index == 3);
  CHECK_FALSE(setp.operands[1].negated);
  const Instruction sum = instruction_of("add.s32 %r1, %r2, -%r3;");
  CHECK(sum.operands.at(2).negated);
  CHECK(name_of(sum.operands[2]) == "%r3");
}

TEST_CASE("branches know places before and behind them") {
  const Function kernel = kernel_of("again:\n@%p1 bra end;\nbra.uni again;\nend:");
  CHECK(as<Label>(kernel.body.at(0).operands[0]).name == "end");
  CHECK(as<Label>(kernel.body.at(1).operands[0]).name == "again");
  CHECK(kernel.labels.at("again") == 0);
  CHECK(kernel.labels.at("end") == 2);
  CHECK(refused_instruction("bra nowhere;") == "there is no label 'nowhere'");
  CHECK(refused_instruction("a: a: ret;") == "the label 'a' is set twice");
}

TEST_CASE("jump tables name their places") {
  const Function kernel =
      kernel_of("places: .branchtargets one, two;\nbrx.idx.uni %r1, places;\none: two: ret;");
  CHECK(as<Label>(kernel.body.at(0).operands.at(1)).name == "places");
  CHECK(kernel.branch_targets.at("places") == Strings{"one", "two"});
  CHECK(refused_instruction("places: .branchtargets one; brx.idx %r1, places;") ==
        "there is no label 'one'");
  CHECK(refused_instruction("one: brx.idx %r1, one;") == "'one' is not a label for 'brx'");
  CHECK(refused_instruction("t: .branchtargets t; bra t;") == "'t' is not a label for 'bra'");
}

TEST_CASE("each scope has its own names, and all of them are different in the end") {
  const std::string asm_block = "{ .reg .pred p; .reg .b32 t; again: mov.b32 t, 1; @p bra again; }";
  const Function kernel = kernel_of(asm_block + asm_block);
  REQUIRE(kernel.body.size() == 4);
  CHECK(as<Register>(kernel.body[0].operands[0]).index !=
        as<Register>(kernel.body[2].operands[0]).index);
  CHECK(kernel.body[1].guard->predicate.index != kernel.body[3].guard->predicate.index);
  CHECK(as<Label>(kernel.body[1].operands[0]).name == "again");
  CHECK(as<Label>(kernel.body[3].operands[0]).name == "again@2");
  CHECK(kernel.labels.at("again") == 0);
  CHECK(kernel.labels.at("again@2") == 2);
}

TEST_CASE("an inner name hides an outer one until its scope ends") {
  const Function kernel =
      kernel_of(".shared .u32 x; mov.u32 %r1, x; { .local .u32 x; mov.u32 %r2, x; } mov.u32 %r3, x;"
                "{ .local .u32 counter; mov.u32 %r4, counter; }");
  CHECK(as<Symbol>(kernel.body.at(0).operands[1]).name == "x");
  CHECK(as<Symbol>(kernel.body.at(1).operands[1]).name == "x@2");
  CHECK(as<Symbol>(kernel.body.at(2).operands[1]).name == "x");
  CHECK(as<Symbol>(kernel.body.at(3).operands[1]).name == "counter@2");
  REQUIRE(kernel.variables.size() == 3);
  CHECK(kernel.variables[1].name == "x@2");
  CHECK(kernel.variables[1].space == Space::local);
  CHECK(refused_instruction("{ .reg .b32 t; } mov.b32 t, 1;") == "'t' is not declared");
}

TEST_CASE("a branch leaves its scope for the nearest label") {
  const Function kernel = kernel_of("{ bra done; { done: ret; } } done: ret;");
  CHECK(as<Label>(kernel.body.at(0).operands[0]).name == "done@2");
  CHECK(refused_instruction("bra inside; { inside: ret; }") == "there is no label 'inside'");
}

TEST_CASE("register ranges are told apart by prefix and number") {
  const Function kernel =
      parsed(kHeader + ".entry k() { .reg .b32 %r<12>; .reg .b32 %r1<3>; .reg .b32 %r01;"
                       " mov.b32 %r11, %r12; mov.b32 %r1, %r01; }")
          .functions.at(0);
  CHECK(as<Register>(kernel.body.at(0).operands[0]).index == 11);
  CHECK(as<Register>(kernel.body.at(0).operands[1]).index == 14);
  CHECK(as<Register>(kernel.body.at(1).operands[0]).index == 1);
  CHECK(as<Register>(kernel.body.at(1).operands[1]).index == 15);
  CHECK(refused_instruction("mov.b32 %r8, 1;") == "'%r8' is not declared");
  CHECK(refused_instruction("mov.b32 %r01, 1;") == "'%r01' is not declared");
  CHECK(refused_instruction("mov.b32 %r99999999999999999999, 1;") ==
        "'%r99999999999999999999' is not declared");
}

TEST_CASE("calls have results, callee and arguments, whatever the text leaves out") {
  const std::string declared =
      kHeader + ".extern .func (.param .b32 r) f(.param .b32 a); .func g();\n";
  const auto call = [&](const std::string& body) {
    return parsed(declared + ".entry k() { .reg .b64 %rd; " + body + " }")
        .function("k")
        ->body.at(0);
  };
  const Instruction full =
      call("{ .param .b32 p; .param .b32 q; call.uni (q),\n f,\n (\n p\n )\n; }");
  REQUIRE(full.operands.size() == 3);
  CHECK(as<Symbol>(as<Vector>(full.operands[0]).elements.at(0)).name == "q");
  CHECK(as<Symbol>(full.operands[1]).name == "f");
  CHECK(as<Symbol>(as<Vector>(full.operands[2]).elements.at(0)).name == "p");
  CHECK(full.modifiers == Strings{"uni"});
  CHECK(full.ptx_line == 5);

  const Instruction bare = call("call g;");
  REQUIRE(bare.operands.size() == 3);
  CHECK(as<Vector>(bare.operands[0]).elements.empty());
  CHECK(as<Symbol>(bare.operands[1]).name == "g");
  CHECK(as<Vector>(bare.operands[2]).elements.empty());

  CHECK(refused(declared + ".entry k() { call h; }").message == "'h' is not declared");
  CHECK(refused(declared + ".entry k() { call %tid.x; }").message ==
        "a call needs a function or a register");
}

TEST_CASE("indirect calls have a prototype or targets") {
  const Module module = module_of(
      ".func f(.param .b32 a); .entry k() { .reg .b64 %rd;\n"
      "p: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16], .param .b32 _) .noreturn;\n"
      "t: .calltargets f;\n"
      "{ .param .b32 p0; .param .b32 r0; call (r0), %rd, (p0), p; call %rd, t; } }");
  const Function& kernel = *module.function("k");
  REQUIRE(kernel.body.size() == 2);
  CHECK(as<Label>(kernel.body[0].operands.at(3)).name == "p");
  CHECK(as<Register>(kernel.body[0].operands[1]).index == 0);
  CHECK(as<Label>(kernel.body[1].operands.at(3)).name == "t");
  const Function& prototype = kernel.prototypes.at("p");
  CHECK(prototype.no_return);
  CHECK(prototype.results.at(0).size == 4);
  REQUIRE(prototype.parameters.size() == 2);
  CHECK(prototype.parameters[0].size == 16);
  CHECK(kernel.call_targets.at("t") == Strings{"f"});
  CHECK(refused_instruction("t: .calltargets nothing;") == "'nothing' is not declared");
  CHECK(refused_instruction("p: .callprototype _ (.param .b32 _); bra p;") ==
        "'p' is not a label for 'bra'");
}

TEST_CASE("a function may call itself") {
  const Module module = module_of(".func f() { call f; ret; }");
  CHECK(as<Symbol>(module.function("f")->body.at(0).operands[1]).name == "f");
}

TEST_CASE("what follows the operands must end the instruction") {
  CHECK(refused_instruction("add.s32 %r1, %r2 %r3;") ==
        "expected ';' after 'add' and its operands, found '%r3'");
  CHECK(refused_instruction("ret") == "expected an operand, found '}'");
  CHECK(refused_instruction("add.s32 %r1, ;") == "expected an operand, found ';'");
  CHECK(refused_instruction(".texref t;") == "'.texref' is not supported in a function");
}

TEST_CASE("forms that no shared-memory course needs parse all the same") {
  for (const std::string text :
       {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd2, %p1, 1, "
        "-1, 0, 1;",
        "createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0;",
        "ld.global.L1::no_allocate.L2::cache_hint.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1], %rd2;",
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2, 0x989680;",
        "lop3.b32 %r1, %r2, %r3, %r4, 0xE2;", "elect.sync %r1|%p1, -1;",
        "setmaxnreg.inc.sync.aligned.u32 240;",
        "tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r1, %r2}];",
        "bar.red.popc.u32 %r1, 0, %r2, !%p1;", "fence.proxy.async.shared::cta;",
        "mov.pred %p1, -1;",
        "red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, "
        "[%r3];"}) {
    CAPTURE(text);
    CHECK(kernel_of(text).body.size() == 1);
  }
}

} // namespace course::ptx
