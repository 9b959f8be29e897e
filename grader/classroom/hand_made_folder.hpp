// Folders, exercises and verdicts staged for tests.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/grade_submission.hpp"
#include "judge/verdict.hpp"
#include "lab/exercise.hpp"
#include "system/published_file.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace course::classroom::hand_made {

namespace fs = std::filesystem;

// An empty folder, removed with what is in it.
struct Folder {
  fs::path path;
  Folder() {
    static std::atomic<int> number{0};
    path = fs::temp_directory_path() /
           ("classroom_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    fs::create_directories(path);
  }
  Folder(const Folder&) = delete; // two would remove one folder
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path write(const std::string& name, const std::string& text) const {
    system::publish(path / name, text);
    return path / name;
  }
};

// A student without a roster, whose submission has this id too.
inline Member member(const std::string& name) {
  Member member;
  member.id = member.person.name = member.submissions[""] = name;
  return member;
}

inline lab::Exercise exercise(const std::string& id) {
  lab::Exercise exercise;
  exercise.id = id;
  exercise.title = "a title";
  exercise.checks = {{"output", 10, "", ""}, {"conflicts", 5, "output", ""}, {"time", 40, "", ""}};
  return exercise;
}

// Two labs have a 1_tile.
inline const std::vector<lab::Exercise>& exercises() {
  static const std::vector<lab::Exercise> all{
      exercise("05_transpose/1_tile"), exercise("05_transpose/2_pad"),
      exercise("08_tiled_product/1_tile"), exercise("08_tiled_product/2_ratio")};
  return all;
}

// A verdict that the source asks for: "good" passes, anything else fails.
inline judge::Verdict verdict(const std::string& id, const std::string& source) {
  const bool good = source.find("good") != source.npos;
  judge::Verdict verdict;
  verdict.exercise = id;
  verdict.file = "x.cu";
  verdict.ending = judge::Ending::passed;
  judge::Check output;
  output.name = "output";
  output.status = good ? judge::Status::passed : judge::Status::failed;
  output.facts = judge::facts::OutputRight{};
  if (!good) output.facts = judge::facts::Ended{judge::endings::Empty{"x.cu", id}};
  output.max_points = 10;
  verdict.checks = {output};
  judge::settle(verdict);
  return verdict;
}

} // namespace course::classroom::hand_made
