#include "runtime/call_places.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

TEST_CASE("the first place that is the program's own is where a call stands") {
  CHECK(first_own_place("/usr/local/cuda/include/cuda_runtime.h:779\n/home/me/src/main.cu:24\n") ==
        "main.cu:24");
  CHECK(first_own_place("/home/me/main.cu:24 (discriminator 3)\n/home/me/other.cu:7\n") ==
        "main.cu:24");
  CHECK(first_own_place("??:0\n??:?\n") == "");
  CHECK(first_own_place("/home/me/main.cu:?\n/home/me/other.cu:7\n") == "other.cu:7");
  CHECK(first_own_place("/tmp/tmpxft_1_0-6_main.cudafe1.cpp:24\n/home/me/other.cu:7\n") ==
        "other.cu:7");
  CHECK(first_own_place("") == "");
  CHECK(first_own_place("nonsense\n:\n") == "");
}

TEST_CASE("without a program, and in one that is none, calls have no places") {
  CHECK(CallPlaces().of({0x1000}) == "");
  CallPlaces none("/nowhere/program");
  CHECK(none.of({}) == "");
  CHECK(none.of({0x1000}) == "");
}

} // namespace course::runtime
