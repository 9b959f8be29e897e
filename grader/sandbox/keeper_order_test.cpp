#include "keeper_order.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace course::sandbox {

TEST_CASE("an order survives its way over a command line") {
  Order order;
  order.argv = {"/bin/program", "", "a b", "--", "cpu=9"};
  order.environment = {"A=1", "B=x=y", "C="};
  order.directory = "/folder with spaces";
  order.scratch = true;
  order.cpu = std::chrono::seconds(7);
  order.memory = 1ull << 40;
  order.file_size = 123;
  order.processes = 5;
  order.user = 0x4000'0001;
  order.reads_all_modes = true;
  order.landlock = true;
  order.filter = true;
  order.readable = {"/a=b", "/c"};
  order.writable = {"/d"};
  order.system = {"/usr/bin", "/usr/lib"};
  order.channel = true;

  const Order read = from_arguments(to_arguments(order));
  CHECK(to_arguments(read) == to_arguments(order));
  CHECK(read.argv == order.argv);
  CHECK(read.environment == order.environment);
  CHECK(read.directory == order.directory);
  CHECK(read.scratch);
  CHECK(read.cpu == order.cpu);
  CHECK(read.memory == order.memory);
  CHECK(read.user == order.user);
  CHECK(read.readable == order.readable);
  CHECK(read.system == order.system);
  CHECK_FALSE(read.shares_user);
}

TEST_CASE("a word that is not an order's is refused") {
  CHECK_THROWS_AS(from_arguments({"cpu=1", "speed=2", "--", "/p"}), std::invalid_argument);
  CHECK_THROWS_AS(from_arguments({"filters", "--", "/p"}), std::invalid_argument);
  CHECK_THROWS_AS(from_arguments({"cpu=many", "--", "/p"}), std::invalid_argument);
}

TEST_CASE("an order without a program is refused") {
  CHECK_THROWS_AS(from_arguments({"cpu=1"}), std::invalid_argument);
  CHECK_THROWS_AS(from_arguments({"cpu=1", "--"}), std::invalid_argument);
}

} // namespace course::sandbox
