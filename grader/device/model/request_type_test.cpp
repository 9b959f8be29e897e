#include "device/model/request_type.hpp"

#include <doctest/doctest.h>

namespace course::model {

TEST_CASE("a name says access and width") {
  CHECK(kind_of("shared_load_4") == RequestType{RequestKind::shared_load, 4});
  CHECK(kind_of("global_store_16") == RequestType{RequestKind::global_store, 16});
  CHECK(kind_of("ldmatrix_x4") == RequestType{RequestKind::ldmatrix, 16});
  CHECK(kind_of("cp_async_cg_16") == RequestType{RequestKind::cp_async, 16, true});
  CHECK(kind_of("texture_2d") == RequestType{RequestKind::texture_2d, 0});
  CHECK(kind_of("wgmma_n64") == RequestType{RequestKind::wgmma, 64});
}

TEST_CASE("atomics are told apart by how they are executed") {
  CHECK(kind_of("red_shared_add_u32_constant_1")->access == RequestKind::shared_atomic_increment);
  CHECK(kind_of("atom_shared_add_u32_constant_1")->access == RequestKind::shared_atomic);
  CHECK(kind_of("atom_shared_max_s32")->access == RequestKind::shared_atomic);
  CHECK(kind_of("atom_shared_exch_b64")->access == RequestKind::shared_atomic);
  CHECK(kind_of("atom_shared_cas_b64")->access == RequestKind::shared_atomic_cas);
  for (const char* loop : {"red_shared_add_f32", "atom_shared_add_f16x2", "atom_shared_add_u64",
                           "red_shared_add_u64_constant_1", "red_shared_xor_b64"})
    CHECK_MESSAGE(kind_of(loop)->access == RequestKind::shared_atomic_loop, loop);
  CHECK(kind_of("red_shared_add_f32")->width == 4);
  CHECK(kind_of("atom_shared_add_u64")->width == 8);
  CHECK(kind_of("red_global_add_f32")->access == RequestKind::global_atomic);
}

TEST_CASE("unknown names and widths are refused") {
  for (const char* name : {"",
                           "shared_load",
                           "shared_load_",
                           "shared_load_3",
                           "shared_load_32",
                           "shared_load_-4",
                           "shared_load_4 ",
                           "shared_load_4x",
                           "Shared_load_4",
                           "ldmatrix_x3",
                           "ldmatrix_x16",
                           "ldmatrix_x2000000001",
                           "texture_4d",
                           "texture_2d_4",
                           "wgmma_n",
                           "atom_shared_mul_u32",
                           "atom_shared__u32",
                           "atom_shared_add",
                           "red_shared_add_u33",
                           "atom_local_add_u32",
                           "red_",
                           "barrier"})
    CHECK_MESSAGE(!kind_of(name), name);
}

TEST_CASE("a copy's name says how it goes, and which lanes read") {
  CHECK(copy_of("cp_async_ca_8")->width == 8);
  CHECK(!copy_of("cp_async_ca_8")->around_l1);
  CHECK(copy_of("cp_async_cg_16")->around_l1);
  CHECK(copy_of("cp_async_cg_16")->reading == kAllLanes);
  CHECK(!copy_of("cp_async_cg_16")->any_count);
  CHECK(copy_of("cp_async_cg_16_of_0")->reading == 0);
  CHECK(!copy_of("cp_async_cg_16_of_0")->any_count);
  CHECK(copy_of("cp_async_ca_4_of_k0")->reading == 0);
  CHECK(copy_of("cp_async_ca_4_of_k0")->any_count);
  CHECK(copy_of("cp_async_ca_4_of_2")->any_count);
  CHECK(copy_of("cp_async_cg_16_of_odd16")->reading == 0xaaaaaaaa);
  CHECK(!copy_of("cp_async_cg_16_of_odd16")->any_count);
  for (int lane = 0; lane < kLanes; ++lane)
    CHECK((copy_of("cp_async_ca_16_of_any16")->reading >> lane & 1) == (lane % 3 != 0));
  for (const char* name : {"", "shared_load_4", "cp_async_cg_8", "cp_async_cg_16_of_",
                           "cp_async_cg_16_of_odd8", "cp_async_ca_4_of_8", "shared_load_4_of_0"})
    CHECK_MESSAGE(!copy_of(name), name);
}

TEST_CASE("every access has a name, which is read as what it was") {
  for (int access = 0; access <= static_cast<int>(RequestKind::wgmma); ++access) {
    CAPTURE(access);
    int named = 0;
    for (const int width : {0, 1, 2, 4, 8, 16})
      for (const bool around : {false, true}) {
        const auto name = name_of({static_cast<RequestKind>(access), width, around});
        const auto read = kind_of(name);
        if (read) CHECK(name_of(*read) == name);
        if (read) CHECK(static_cast<int>(read->access) == access);
        named += read.has_value();
      }
    CHECK(named > 0);
  }
  for (const std::string name :
       {"shared_atomic_4", "cp_async_ca_16", "stmatrix_x2", "dshared_red_async_4", "global_atomic",
        "red_shared_add_u32_constant_1", "atom_global_cas_b64", "red_generic_add_bf16x2",
        "atom_shared_exch_b32", "texture_1d_layered", "bulk_dshared_store"})
    CHECK(name_of(kind_of(name).value()) == name);
  CHECK(name_of(kind_of("shared_atomic_add_4").value()) == "shared_atomic_4");
  CHECK(name_of({RequestKind::shared_load, 0}) == "shared_load");
  CHECK(name_of({static_cast<RequestKind>(200), 4}) == ""); // a GPU worker may answer anything
}

TEST_CASE("an access is of one memory and one direction") {
  CHECK(use_of(RequestKind::shared_atomic_loop) == Use{Memory::shared, Direction::atomic});
  CHECK(use_of(RequestKind::cp_async) == Use{Memory::shared, Direction::store});
  CHECK(use_of(RequestKind::bulk_global_load) == Use{Memory::global, Direction::load});
  CHECK(use_of(RequestKind::constant_load) == Use{Memory::constant, Direction::load});
  CHECK(use_of(RequestKind::dshared_store_async) == Use{Memory::remote, Direction::store});
  CHECK(use_of(RequestKind::bulk_dshared_store) == Use{Memory::remote, Direction::store});
  CHECK(use_of(RequestKind::local_load).memory == Memory::other);
}

TEST_CASE("a use has a name, and names are in the order of uses") {
  CHECK(name_of(Use{Memory::shared, Direction::atomic}) == "shared atomic");
  CHECK(use_named("global store") == Use{Memory::global, Direction::store});
  CHECK_FALSE(use_named("global  store"));
  CHECK_FALSE(use_named("none"));
  CHECK(Use{Memory::global, Direction::store} < Use{Memory::shared, Direction::atomic});
  CHECK(Use{Memory::shared, Direction::atomic} < Use{Memory::shared, Direction::load});
}

} // namespace course::model
