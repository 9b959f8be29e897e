// Verdicts by key: what was graded once is not graded again, for whoever hands it in.
//
//   RESULTS/verdicts/ab/KEY.json
//
// A verdict stays in place for ever. Who changes a file, the exercise, the grader, the device or
// the sandbox has another key.
#pragma once

#include "classroom/winnowing.hpp"
#include "judge/verdict.hpp"
#include "report/graded.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace course::classroom {

// Everything that a verdict depends on, beside the file and the exercise as its data is.
struct Circumstances {
  std::string grader; // digest of its programs
  std::string device, toolkit, sandbox;
  std::uint64_t seed = 0;
  std::string language; // of its report
};
// `version`: of the exercise (lab::version_of).
std::string verdict_key(const std::string& exercise, const std::string& version,
                        std::string_view source, const Circumstances&);

struct StoredVerdict {
  report::GradedExercise graded; // `path` is the exercise's own name
  Fingerprints fingerprints;     // of the source
};

class VerdictStore {
public:
  explicit VerdictStore(std::filesystem::path results) : folder_(std::move(results)) {
    folder_ /= "verdicts";
  }

  bool has(const std::string& key) const;
  // Nothing when there is none, or it is damaged.
  std::optional<StoredVerdict> find(const std::string& key) const;
  // Renders the reports as well. Throws std::filesystem::filesystem_error.
  void put(const std::string& key, const judge::Verdict&, std::string_view source,
           double seconds) const;

private:
  std::filesystem::path path_of(const std::string& key) const;

  std::filesystem::path folder_;
};

} // namespace course::classroom
