#include "device/model/access_name.hpp"

#include <doctest/doctest.h>

namespace course::model {

TEST_CASE("a name says access and width") {
  CHECK(kind_of("shared_load_4") == Kind{Access::shared_load, 4});
  CHECK(kind_of("global_store_16") == Kind{Access::global_store, 16});
  CHECK(kind_of("ldmatrix_x4") == Kind{Access::ldmatrix, 16});
}

TEST_CASE("atomics are told apart by how they are executed") {
  CHECK(kind_of("red_shared_add_u32_constant_1")->access == Access::shared_atomic_increment);
  CHECK(kind_of("atom_shared_add_u32_constant_1")->access == Access::shared_atomic);
  CHECK(kind_of("atom_shared_max_s32")->access == Access::shared_atomic);
  CHECK(kind_of("red_shared_add_f32") == Kind{Access::shared_atomic_loop, 4});
  CHECK(kind_of("atom_shared_add_u64") == Kind{Access::shared_atomic_loop, 8});
}

TEST_CASE("unknown names and widths are refused") {
  for (const char* name : {"", "shared_load", "shared_load_", "shared_load_3", "shared_load_32",
                           "shared_load_4 ", "Shared_load_4", "ldmatrix_x3", "atom_shared_mul_u32"})
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

TEST_CASE("every kind has a name that leads back to it") {
  for (const std::string& name : access_names()) {
    const Kind kind = *kind_of(name);
    CHECK(kind_of(name_of(kind)) == kind);
  }
  CHECK(name_of({Access::shared_load, 4}) == "shared_load_4");
  CHECK(name_of({Access::shared_atomic, 4}) == "shared_atomic_add_4");
  CHECK(name_of({Access::shared_load, 3}) == "");
}

TEST_CASE("an access belongs to one memory") {
  CHECK(memory_of(Access::shared_atomic_loop) == Memory::shared);
  CHECK(memory_of(Access::cp_async) == Memory::shared);
  CHECK(memory_of(Access::global_load) == Memory::global);
  CHECK(memory_of(Access::constant_load) == Memory::constant);
}

} // namespace course::model
