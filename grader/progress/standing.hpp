// Where a student stands, made from what is remembered. Pure.
#pragma once

#include "lab/exercise.hpp"
#include "progress/event.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace course::progress {

struct Standing {
  const lab::Exercise* exercise = nullptr;
  bool solved = false;     // it passed once; what came after does not count
  std::size_t runs = 0;    // gradings
  unsigned hints = 0;      // of the three, how many were read before it was solved
  unsigned hints_read = 0; // and in all
  int points = 0;          // of the best run
  int max_points = 0;      // what that run could earn; before any, what earns points without a GPU
  std::string last_event;  // time; empty when there is none
  bool edited = false;     // its file is not as it began; who reads files says so

  bool begun() const { return runs > 0 || edited; }
};

// What a verdict is told of it: nothing where the exercise was not solved.
std::optional<judge::Earned> solved_before(const std::vector<Event>&, const lab::Exercise&);

// One for each exercise, in their order. Events of exercises that are not there do not count.
std::vector<Standing> standings(const std::vector<lab::Exercise>&, const std::vector<Event>&);

// What to do now: the exercise of the last event if it is not solved; else the first that was
// edited and never graded; else the first after it that is not solved, from the course's end on to
// its beginning. nullptr when all are solved.
const Standing* current(const std::vector<Standing>&);

// The first that is not solved after this exercise, itself excepted. nullptr when there is none.
const Standing* after(const std::vector<Standing>&, const std::string& exercise);

// The exercise of the last event, solved or not; the first where there is none.
const Standing* latest(const std::vector<Standing>&);

// The last run of an exercise; nullptr when it was never graded.
const Event* last_run(const std::vector<Event>&, const std::string& exercise);

} // namespace course::progress
