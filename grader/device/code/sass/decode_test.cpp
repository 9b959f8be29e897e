#include "device/code/sass/decode.hpp"

#include <doctest/doctest.h>

namespace course::sass {
namespace {

Access decoded(std::uint64_t low, std::uint64_t high) {
  const auto access = decode({low, high});
  REQUIRE(access);
  return *access;
}

} // namespace

TEST_CASE("loads and stores of shared memory have their width in bits 73 to 75") {
  const Access load = decoded(0x0000000006077984, 0x000e240000000800); // LDS
  CHECK(load.operation == Operation::load);
  CHECK(load.memory == Memory::shared);
  CHECK(load.width == 4);
  CHECK_FALSE(load.guarded);
  CHECK(decoded(0x00000004ff047984, 0x000e280008000c00).width == 16);   // LDS.128
  CHECK(decoded(0x00000006ff0c7984, 0x000e220008000a00).width == 8);    // LDS.64
  CHECK(decoded(0x0000000607077984, 0x000fe80008000000).width == 1);    // LDS.U8
  const Access store = decoded(0x0000000405007388, 0x000fe20000000800); // STS
  CHECK(store.operation == Operation::store);
  CHECK(store.width == 4);
  CHECK(decoded(0x0000000405007988, 0x000fe80008000406).width == 2);  // STS.U16, uniform base
  CHECK(decoded(0x0000000400007388, 0x000fe20000000c00).width == 16); // STS.128
}

TEST_CASE("a guard is told, and what never executes is left out") {
  const Access guarded = decoded(0x0000000005008388, 0x004fe20000000800); // @!P0 STS
  CHECK(guarded.guarded);
  CHECK(guard({0x0000000005008388, 0}) == 0);
  CHECK(guard({0x0000000500009988, 0}) == 1);
  CHECK_FALSE(guard({0x0000000405007388, 0}));
  CHECK_FALSE(decode({0x00000000fffff984, 0x000fe20000000800})); // @!PT LDS RZ, [RZ]
}

TEST_CASE("atomics of shared memory") {
  const auto atomic = [](std::uint64_t low, std::uint64_t high) {
    const Access access = decoded(low, high);
    CHECK(access.operation == Operation::atomic);
    CHECK(access.memory == Memory::shared);
    return access;
  };
  CHECK(atomic(0x000000050405798c, 0x000e280008000004).atomic == Atomic::add);
  CHECK(atomic(0x00001404ffff098c, 0x0001e2000880020a).atomic == Atomic::min);
  CHECK(atomic(0x00001806ffff098c, 0x0003e6000900000a).atomic == Atomic::max);
  CHECK(atomic(0x0000240effff798c, 0x000fe8000980000a).atomic == Atomic::inc);
  CHECK(atomic(0x00002807ffff798c, 0x0001e8000a00000a).atomic == Atomic::dec);
  CHECK(atomic(0x00002c0bffff098c, 0x0003e8000a80000a).atomic == Atomic::bit_and);
  CHECK(atomic(0x0000300cffff098c, 0x0003e2000b00000a).atomic == Atomic::bit_or);
  CHECK(atomic(0x0000340dffff098c, 0x0003e2000b80000a).atomic == Atomic::bit_xor);
  CHECK(atomic(0x0000200fffff798c, 0x000fe2000c00000a).atomic == Atomic::exchange);
  CHECK(atomic(0x0000000009ff7f8c, 0x0001e8000d80003f).atomic == Atomic::popc_inc);
  CHECK(atomic(0x00001c1013ff738d, 0x000fe20000000011).atomic == Atomic::cas);
  CHECK(atomic(0x000004040605738d, 0x000e240001800005).atomic == Atomic::cast_spin);
  CHECK(atomic(0x000004040605738d, 0x000e240001800005).width == 4);
  CHECK(atomic(0x0000000c130e738d, 0x000e24000180040e).width == 8);
  CHECK(atomic(0x00001808ff04798c, 0x000fe8000c000404).width == 8);
  CHECK(atomic(0x00001808ff04798c, 0x000fe8000e000404).atomic == Atomic::other);
}

TEST_CASE("matrix loads and stores have one, two or four matrices") {
  const Access load = decoded(0x000010000904783b, 0x000e280000004100); // LDSM.MT88.2
  CHECK(load.operation == Operation::matrix_load);
  CHECK(load.matrices == 2);
  CHECK(load.width == 16);
  const Access store = decoded(0x0000000409007844, 0x002fe40000000200); // STSM.M88.4
  CHECK(store.operation == Operation::matrix_store);
  CHECK(store.matrices == 4);
}

TEST_CASE("asynchronous copies, and the other memories") {
  const Access copy = decoded(0x0000000002097fae, 0x000fe8000b901c46); // LDGSTS.E.BYPASS.128
  CHECK(copy.operation == Operation::copy);
  CHECK(copy.width == 16);
  CHECK_FALSE(copy.any_count);
  CHECK_FALSE(copy.fills);
  CHECK_FALSE(copy.may_fill);
  CHECK(decoded(0x0000000006098fae, 0x0003e8000f901c46)
            .fills); // its twin, of lanes that read nothing
  CHECK_FALSE(decoded(0x0000000006090fae, 0x0003e2000b901c46).fills);
  CHECK_FALSE(decoded(0x0000000006098fae, 0x0003e8000f901c46).may_fill);
  CHECK(decoded(0x0000000002057fae, 0x000fe8000c101c46).may_fill);        // choice of 0 and 16
  CHECK_FALSE(decoded(0x0000000002057fae, 0x000fe8000c101c46).any_count); // choice of 0 and 16
  CHECK_FALSE(decoded(0x0000000002057fae, 0x000fe8000f921846).any_count); // 0 of 4 bytes
  CHECK(decoded(0x0000000002077fae, 0x000fe80008141c46).any_count);       // a register
  CHECK(decoded(0x0000000402057fae, 0x000fe8000b961a46).any_count);       // 4 of 8 bytes
  CHECK(decoded(0x0000000402007981, 0x004ea2000c1e1900).memory == Memory::global);       // LDG
  CHECK(decoded(0x0000000902007986, 0x001fe2000c101904).memory == Memory::global);       // STG
  CHECK(decoded(0x0000000406047980, 0x000ea2000c101900).memory == Memory::generic);      // LD
  CHECK(decoded(0x0000000300007387, 0x0001e40000100800).memory == Memory::local);        // STL
  CHECK(decoded(0x00000a00ff017b82, 0x000e220000000800).memory == Memory::constant);     // LDC
  CHECK(decoded(0x000000f02007198e, 0x000fe8000c10e186).operation == Operation::atomic); // RED
}

TEST_CASE("other instructions are not accesses") {
  CHECK_FALSE(decode({0x0000000000027919, 0x000e6e0000002100})); // S2R
  CHECK_FALSE(decode({0, 0}));
}

TEST_CASE("a comparison and a logical operation name the predicates that they set") {
  CHECK(set_predicates({0x000000c0500780c, 0x000fc60003f24270}) == 0b10); // ISETP
  CHECK(set_predicates({0x000000500007c0c, 0x001fe2000bf02070}) == 0b1);
  CHECK(set_predicates({0x000000000000720b, 0x008fc80003f24000}) == 0b10); // FSETP
  CHECK(set_predicates({0x000000000000781c, 0x000fe4000170f070}) == 0b1);  // PLOP3
  CHECK(set_predicates({0x000000000000781c, 0x000fe4000110f070}) == 0b11);
  CHECK(set_predicates({0x0000000000027919, 0x000e6e0000002100}) == 0); // S2R
}

TEST_CASE("an instruction that hands registers on is told from others") {
  CHECK(sets_registers({0x000000e8000079c8, 0x000e240008000600}));       // USETMAXREG
  CHECK(sets_registers({0x00000028000079c8, 0x000e0000080e0500}));       // the same, back
  CHECK_FALSE(sets_registers({0x0000000006077984, 0x000e240000000800})); // LDS
}

} // namespace course::sass
