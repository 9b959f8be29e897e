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
