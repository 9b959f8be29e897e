#include "system/stream.hpp"

#include <doctest/doctest.h>

using namespace course::system;

TEST_CASE("what is written to a pipe is read from it, up to a limit") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  CHECK(write_all(pipe->write.get(), "twelve bytes"));
  pipe->write.reset();
  CHECK(read_all(pipe->read.get(), 12) == "twelve bytes");

  pipe = make_pipe();
  REQUIRE(pipe);
  CHECK(write_all(pipe->write.get(), "twelve bytes"));
  pipe->write.reset();
  CHECK(read_all(pipe->read.get(), 11) == std::nullopt);
}

TEST_CASE("what cannot be written or read is said") {
  CHECK_FALSE(write_all(-1, "x"));
  CHECK(read_all(-1, 10) == std::nullopt);
}
