#include "lab/course_texts.hpp"

#include "build/digest.hpp"
#include "lab/labs.hpp"
#include "system/published_file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

const Exercise& translated_exercise() {
  return *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
}

std::string translated(const std::string& part, const std::string& text, const std::string& of) {
  return "[2_pad]\n" + part + " = \"" + text + "\"\n[2_pad.of]\n" + part + " = \"" + of + "\"\n";
}

CourseTexts texts_of(const std::string& toml) {
  const system::TemporaryFolder folder("course_texts");
  std::filesystem::create_directories(folder.path() / "labs");
  system::publish(folder.path() / "labs/05_transpose.toml", toml);
  return texts_in(folder.path(), {translated_exercise()});
}

} // namespace

TEST_CASE(
    "a text of an exercise is said in another language while its English is what was translated") {
  const auto digest = build::sha256(translated_exercise().title).substr(0, 7);
  CHECK(texts_of(translated("title", "填充", digest)).at(translated_exercise().title) == "填充");
  CHECK(texts_of(translated("title", "填充", "0000000")).empty());
  const auto& title = translated_exercise().title;
  CHECK(texts_of(translated("title", "=", digest)).at(title) == title);
  CHECK(texts_of(translated("hint_1", "填充", digest)).empty());
  const auto& time = translated_exercise().checks.back();
  const auto of_time = build::sha256(time.reason).substr(0, 7);
  CHECK(texts_of(translated("reason_time", "相近", of_time)).at(time.reason) == "相近");
  CHECK(texts_of(translated("reason_time", "相近", digest)).empty());
}

TEST_CASE("all that the course's exercises say to a student is said in Chinese, reasons too") {
  const auto& all = exercises(COURSE_SOURCE_DIR);
  const auto chinese = folder_of(std::filesystem::path(COURSE_SOURCE_DIR) / "chapters", "zh_CN");
  REQUIRE(chinese.filename() == "zh");
  const auto texts = texts_in(chinese, all);
  std::vector<std::string> said;
  for (const auto& exercise : all) {
    said.insert(said.end(), {exercise.title, exercise.explanation});
    said.insert(said.end(), exercise.hints.begin(), exercise.hints.end());
    for (const auto& [check, question] : exercise.questions) said.push_back(question);
    for (const auto& graded : exercise.checks) said.push_back(graded.reason);
  }
  CHECK(said.size() > 700);
  for (const auto& english : said)
    CHECK_MESSAGE(texts.count(english),
                  "press.mjs stale zh lists it, or has no such part: ", english);
  CHECK(folder_of(std::filesystem::path(COURSE_SOURCE_DIR) / "chapters", "xx").empty());
}

TEST_CASE("a digest is what sha256sum says") {
  CHECK(build::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace course::lab
