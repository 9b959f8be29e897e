// One person's work at the page: files, the one grading or run of a program that is under way, and
// what came of earlier ones.
#pragma once

#include "serve/rate.hpp"
#include "serve/student_files.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace course::serve {

// In the place of an exercise, which has a slash: the page where any program is run.
inline constexpr const char* kPlayground = "playground";

struct Desk {
  Desk(std::string whose, std::filesystem::path folder, std::filesystem::path log)
      : id(std::move(whose)), work(folder), progress_file(std::move(log)),
        files(std::move(folder)) {}

  std::string id;                      // Visitor::id
  std::filesystem::path work;          // has labs/ with this person's files
  std::filesystem::path progress_file; // what is remembered of the work
  StudentFiles files;
  Rate rate;

  struct Grading {
    std::string exercise, language;
    std::chrono::steady_clock::time_point since = {};
    std::string text = {}, version = {}; // what is graded or run, as it was when it was asked for
    std::string key = {};                // by which its verdict is known, in a class
    std::uint64_t child = 0;             // 0: it waits for its turn
    std::vector<std::string> with = {};  // further words for the command
  };
  std::optional<Grading> grading;
  unsigned telling = 0; // commands under way, whose words somebody waits for

  struct Result {
    std::uint64_t revision = 0; // of the desk, when it came
    nlohmann::json facts;
  };
  std::map<std::string, Result> results; // the last one of each exercise, and of the playground

  std::uint64_t revision = 1; // more with everything that a page has to know

  // What a page that knows so much has not seen yet; nothing when it knows all. `place` of a
  // grading that waits: from 1.
  std::optional<nlohmann::json>
  news(std::uint64_t known, const std::map<std::string, std::string>& versions, std::size_t place);
  nlohmann::json news_now(std::uint64_t known, const std::map<std::string, std::string>& versions,
                          std::size_t place);
};

nlohmann::json json_of(const std::variant<Text, NoText>&);

} // namespace course::serve
