// A student staged for tests: every state that an exercise can be in, and hostile words.
#pragma once

#include "report/graded.hpp"
#include "report/hand_made_verdicts.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"

namespace course::report::hand_made {

// What a student may write to be taken for markup, a formula, a command or a colour.
inline const std::string kHostile = "=1+1,\"x\"\n::error::<script>&]]>\033[2J%0A'";

inline GradedExercise graded(const std::string& name, const std::string& id) {
  const auto verdict = verdicts().at(name);
  auto exercise = graded_exercise(nlohmann::json::parse(json_text(json(verdict))));
  exercise.id = id;
  exercise.title = "a title & more";
  exercise.path = "my work/" + id + ".cu";
  exercise.wide = terminal(verdict, "", {80, true, false});
  exercise.narrow = terminal(verdict, "", {kNarrow, true, false});
  exercise.seconds = 1.5;
  exercise.score = exercise.points;
  exercise.max_score = exercise.max_points;
  return exercise;
}

inline GradedExercise ungraded(State state, const std::string& id) {
  GradedExercise exercise;
  exercise.id = id;
  exercise.state = state;
  exercise.reason = "because of " + kHostile;
  exercise.max_points = 60;
  exercise.max_score = state == State::not_graded ? 0 : 60;
  return exercise;
}

inline GradedStudent student() {
  GradedStudent student;
  student.id = "anna";
  student.name = "Anna " + kHostile;
  student.problems = {"a problem: " + kHostile};
  student.exercises = {graded("conflicts", "05_transpose/2_pad"),
                       graded("passed", "05_transpose/3_rows"),
                       graded("did_not_compile", "05_transpose/4_any_shape"),
                       ungraded(State::missing, "06_constant_memory/1_stencil"),
                       ungraded(State::refused, "06_constant_memory/2_uniform"),
                       ungraded(State::not_graded, "06_constant_memory/3_read_only")};
  student.score = 94.5;
  student.max_score = 300;
  student.late = "05_transpose 1 day late, 10% off";
  return student;
}

} // namespace course::report::hand_made
