#include "device/model/counted.hpp"

#include <doctest/doctest.h>

#include <string>

namespace course::model {
namespace {

struct Some {
  std::uint64_t requests = 0, remote_lines = 0;
};
struct Others {
  std::uint64_t remote_lines = 0, bytes = 0, unknown = 0;
};

} // namespace

TEST_CASE("of two records the numbers are added up that both have") {
  Some to{1, 2};
  add_counts(to, Others{30, 40, 50});
  CHECK(to.requests == 1);
  CHECK(to.remote_lines == 32);
}

TEST_CASE("each number of a record has its names, in the order of the list") {
  std::string said;
  for_each_count(Others{3, 4, 5}, [&](const KnownCount& known, std::uint64_t number) {
    said.append(known.member).append("|").append(known.word).append("=");
    said.append(std::to_string(number)).append(" ");
  });
  CHECK(said == "remote_lines|lines=3 bytes|bytes=4 ");
}

TEST_CASE("two records are compared number by number") {
  std::string said;
  for_each_count(Some{1, 2}, Some{1, 3},
                 [&](const KnownCount& known, std::uint64_t one, std::uint64_t other) {
                   if (one != other) said.append(known.word);
                 });
  CHECK(said == "lines");
}

} // namespace course::model
