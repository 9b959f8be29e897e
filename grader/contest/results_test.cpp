#include "contest/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace course::contest {
namespace {

const char* const kText = "row\ttranspose\t64 x 64\tcuBLAS geam\tlibrary\t2e-05\t32768\t0\n"
                          "row\ttranspose\t64 x 64\tcudaMemcpy\tceiling\t1e-05\t32768\t0\n"
                          "row\ttranspose\t64 x 64\tfast\tsolution\t1.25e-05\t32768\t0\n"
                          "row\tproduct\t64^3\tcuBLAS sgemm\tlibrary\t1e-05\t49152\t524288\n"
                          "wrong\tproduct\t64^3\ttile\n";

std::vector<Result> parsed(const std::string& text) {
  const auto result = parse(text);
  REQUIRE(std::holds_alternative<std::vector<Result>>(result));
  return std::get<std::vector<Result>>(result);
}

} // namespace

TEST_CASE("each contestant is compared with its own contest's library and copy") {
  const auto all = parsed(kText);
  REQUIRE(all.size() == 5);
  CHECK(ratios(all[2], all).of_library == doctest::Approx(1.6));
  CHECK(ratios(all[2], all).of_ceiling == doctest::Approx(0.8));
  CHECK(ratios(all[0], all).of_library == 0);
  CHECK(ratios(all[3], all).of_ceiling == 0);
}

TEST_CASE("the table has a head for each contest, and says who was wrong") {
  const auto text = table(parsed(kText));
  CHECK(text.find("transpose, 64 x 64") != std::string::npos);
  CHECK(text.find("12.5 us") != std::string::npos);
  CHECK(text.find("1.600") != std::string::npos);
  CHECK(text.find("WRONG") != std::string::npos);
  CHECK(text.find("0.1 TFLOP/s") != std::string::npos);
}

TEST_CASE("a program that gets the same numbers finds them by name") {
  const auto rows = json(parsed(kText));
  CHECK(rows.size() == 5);
  CHECK(rows[2]["name"] == "fast");
  CHECK(rows[2]["of_copy"] == doctest::Approx(0.8));
  CHECK(rows[4]["wrong"] == true);
}

TEST_CASE("a line that is no result is an error, and shown") {
  for (const std::string line : {"cudaMalloc: out of memory", "row\ta\tb\tc\tsolution\t0\t1\t1",
                                 "row\ta\tb\tc\tsolution\tx\t1\t1", "row\ta", ""}) {
    const auto result = parse(line + "\n");
    REQUIRE(std::holds_alternative<std::string>(result));
    CHECK(std::get<std::string>(result).find(line) != std::string::npos);
  }
}

} // namespace course::contest
