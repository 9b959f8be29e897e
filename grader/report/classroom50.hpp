// result.json for Classroom 50 (`classroom50/result/v1`), which GitHub's retired Classroom was
// succeeded by.
//
// Scores there are whole numbers, and an object has no fields beside those of the schema; a test
// may have more. Each check that is worth points is a test.
#pragma once

#include "report/graded.hpp"

namespace course::report {

// What the service says about the submission, in its environment.
struct Classroom50 {
  std::string classroom, assignment;   // $CLASSROOM, $ASSIGNMENT
  std::string type = "individual";     // $ASSIGNMENT_TYPE: or "group"
  std::string owner;                   // the student's account
  std::string submission;              // $SUBMISSION_TAG: "submit/…"
  std::string commit, release, review; // $COMMIT_URL, $RELEASE_URL, $REVIEW_URL
  std::string datetime;                // "2026-11-20T22:59:00Z"
};

// By a look into that environment, now.
Classroom50 classroom50_of(const std::function<std::string(const char*)>& environment);

nlohmann::ordered_json classroom50(const GradedStudent&, const Classroom50&);

} // namespace course::report
