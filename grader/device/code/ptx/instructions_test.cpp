#include "device/code/ptx/instructions.hpp"

#include "device/code/ptx/registers.hpp"
#include "device/code/ptx/snippet.hpp"

#include <set>

namespace course::ptx {
namespace {

Opcode opcode_of(const std::string& text) {
  return instruction_of(text).row->opcode;
}

} // namespace

TEST_CASE("an instruction carries the row of the longest name that it begins with") {
  CHECK(opcode_of("add.s32 %r1, %r2, %r3;") == Opcode::add);
  CHECK(opcode_of("bar.sync 0;") == Opcode::bar);
  CHECK(opcode_of("bar.red.popc.u32 %r1, 0, %p1;") == Opcode::bar_red);
  CHECK(opcode_of("cp.async.ca.shared.global [%r1], [%rd1], 4;") == Opcode::cp_async_ca);
  CHECK(opcode_of("cp.async.bulk.commit_group;") == Opcode::cp_async_bulk_commit_group);
  CHECK(opcode_of("cp .async.wait_group 0;") == Opcode::cp_async_wait_group);
  CHECK(opcode_of("st.shared.u32 [%r1], %r2;") == Opcode::st);
  CHECK(opcode_of("fence.acq_rel.gpu;") == Opcode::fence);
  CHECK(opcode_of("fence.proxy.async;") == Opcode::fence_proxy);
}

TEST_CASE("an instruction that begins with no name of the table has no row") {
  for (const char* text : {"frobnicate.b32 %r1;", "wmma;", "wmma.guess %r1;", "cp.async;",
                           "cp.async.mine [%r1];", "cp.async.c [%r1];", "adds.s32 %r1, %r2, %r3;"})
    CHECK_MESSAGE(!instruction_of(text).row->is_known(), text);
}

TEST_CASE("rows stand in the order of their opcodes, those of one opcode together") {
  std::set<std::string_view> names, first_words;
  std::string_view before;
  std::size_t number = 0;
  for (const Row& row : instructions()) {
    CHECK(static_cast<std::size_t>(row.opcode) == ++number);
    CHECK(row.is_known());
    CHECK_MESSAGE(names.insert(row.name).second, row.name);
    const auto word = row.name.substr(0, row.name.find('.'));
    if (word != before) CHECK_MESSAGE(first_words.insert(word).second, word);
    before = word;
  }
}

TEST_CASE("a row does not contradict itself") {
  for (const Row& row : instructions()) {
    CAPTURE(row.name);
    CHECK(row.kind != Class::unknown);
    const bool moves = row.kind == Class::load || row.kind == Class::store ||
                       row.kind == Class::atomic || row.kind == Class::copy ||
                       row.kind == Class::matrix_load || row.kind == Class::matrix_store;
    if (moves) CHECK(row.memory != In::none);
    if (row.kind == Class::compute || row.ends_block()) CHECK(row.memory == In::none);
    if (row.ends_block()) CHECK(row.results == Results::none);
    if (row.kind == Class::compute) CHECK(row.results == Results::first);
    if (row.results != Results::none) CHECK(row.flow != Flow::none);
  }
}

TEST_CASE("results and sources are as the row says") {
  const auto counts = [](const std::string& text) {
    const Instruction one = instruction_of(text);
    return std::pair{results(one).size(), sources(one).size()};
  };
  CHECK(counts("add.s32 %r1, %r2, %r3;") == std::pair{1ul, 2ul});
  CHECK(counts("st.shared.u32 [%r1], %r2;") == std::pair{0ul, 2ul});
  CHECK(counts("bar.sync %r1;") == std::pair{0ul, 1ul});
  CHECK(counts("bar.red.popc.u32 %r1, %r2, %p1;") == std::pair{1ul, 2ul});
  CHECK(counts("wgmma.mma_async.sync {%f1, %f2}, %rd1, %rd2, %p1;") == std::pair{2ul, 5ul});
  CHECK(counts("wmma.load.a.sync {%r1, %r2}, [%rd1], %r3;") == std::pair{2ul, 2ul});
  CHECK(counts("wmma.store.d.sync [%rd1], {%r1, %r2}, %r3;") == std::pair{0ul, 4ul});
}

} // namespace course::ptx
