#include "report/classroom50.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

Json test(const std::string& name, bool passed, int score, int most, const std::string& words) {
  return {{"test-name", name},
          {"passed", passed},
          {"score", score},
          {"max-score", most},
          {"message", printable(words)}};
}

// Whole numbers of parts, which add up to the whole number of the sum.
class Whole {
public:
  int of(double part) {
    exact_ += part;
    const auto before = given_;
    given_ = static_cast<int>(std::lround(exact_));
    return given_ - before;
  }

private:
  double exact_ = 0;
  int given_ = 0;
};

struct Sums {
  Whole score, most;
};

void add_tests(Json& tests, const GradedExercise& exercise, Sums& sums) {
  if (!exercise.counts()) return;
  // Where points are not those of the checks (a decision, lateness, a policy or a total of the
  // class), they are one test.
  int points = 0;
  for (const auto& check : exercise.checks) points += check.points;
  const int most = sums.most.of(exercise.max_score);
  const int score = std::clamp(sums.score.of(exercise.score), 0, most);
  if (exercise.checks.empty() || points != exercise.points || !exercise.counts_as_it_is()) {
    const auto why = exercise.late.empty() ? reason(exercise) : exercise.late;
    tests.push_back(test(exercise.id, exercise.passed() && score == most, score, most, why));
    return;
  }
  for (const auto& check : exercise.checks) {
    if (check.max_points == 0) continue;
    const bool passed = check.status == judge::Status::passed && check.points == check.max_points;
    tests.push_back(test(exercise.id + " " + check.name, passed, check.points, check.max_points,
                         check.message.empty() ? check.observed : check.message));
  }
}

int sum(const Json& tests, const char* field) {
  return std::accumulate(tests.begin(), tests.end(), 0, [&](int so_far, const Json& test) {
    return so_far + test.at(field).get<int>();
  });
}

} // namespace

Classroom50 classroom50_of(const std::function<std::string(const char*)>& environment) {
  Classroom50 about;
  about.classroom = environment("CLASSROOM");
  about.assignment = environment("ASSIGNMENT");
  about.owner = environment("OWNER");
  if (const auto type = environment("ASSIGNMENT_TYPE"); !type.empty()) about.type = type;
  about.submission = environment("SUBMISSION_TAG");
  about.commit = environment("COMMIT_URL");
  about.release = environment("RELEASE_URL");
  about.review = environment("REVIEW_URL");
  char time[32];
  const auto now = std::time(nullptr);
  std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  about.datetime = time;
  return about;
}

nlohmann::ordered_json classroom50(const GradedStudent& student, const Classroom50& about) {
  Json tests = Json::array();
  Sums sums;
  for (const auto& exercise : student.exercises) add_tests(tests, exercise, sums);
  const int score = sum(tests, "score"), most = sum(tests, "max-score");
  return {{"schema", "classroom50/result/v1"},
          {"classroom", about.classroom},
          {"assignment", about.assignment},
          {"assignment_type", about.type},
          {"owner", about.owner.empty() ? student.id : about.owner},
          {"submission", about.submission},
          {"commit", about.commit},
          {"release", about.release},
          {"review", about.review.empty() ? about.commit : about.review},
          {"datetime", about.datetime},
          {"score", score},
          {"max-score", most},
          {"tests", tests}};
}

} // namespace course::report
