#include "cli/chosen.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::cli {
namespace {

std::string complaint(const std::string& word) {
  const auto result = choose({word});
  const auto* text = std::get_if<std::string>(&result);
  return text ? *text : "";
}

} // namespace

TEST_CASE("words become exercises, in the order typed") {
  const auto result = choose({"3_rows", "05_transpose/1_tile"});
  const auto& chosen = std::get<std::vector<Chosen>>(result);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].exercise->name() == "3_rows");
  CHECK(chosen[1].exercise->name() == "1_tile");
  CHECK(chosen[0].file.empty());
}

TEST_CASE("the path of a file that exists is the file to grade") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("chosen_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto file = folder / "2_pad.cu";
  std::ofstream(file) << "x";
  const auto result = choose({file.string()});
  std::filesystem::remove_all(folder);
  const auto& chosen = std::get<std::vector<Chosen>>(result);
  CHECK(chosen[0].exercise->name() == "2_pad");
  CHECK(chosen[0].file == file);
}

TEST_CASE("a word that means nothing is answered with what is near, without control bytes") {
  CHECK(complaint("2_bad").find("05_transpose/2_pad") != std::string::npos);
  CHECK(complaint("05_transpose").find("05_transpose/4_any_shape") != std::string::npos);
  CHECK(complaint("\033[2J").find('\033') == std::string::npos);
}

TEST_CASE("one wrong word among right ones is a complaint") {
  CHECK(std::holds_alternative<std::string>(choose({"2_pad", "nothing"})));
}

TEST_CASE("everything is every exercise") {
  CHECK(std::get<std::vector<Chosen>>(everything()).size() >= 4);
}

} // namespace course::cli
