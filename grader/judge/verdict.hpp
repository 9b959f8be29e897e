// The verdict on one exercise, and how points are earned.
//
// A check earns all its points or none. It earns them when it passed and the check it is paired
// with passed too: a kernel that writes nothing has no conflicts, and gets nothing for it. A check
// that the device cannot make (time without a GPU) is left out of `max_points`: it is neither a
// pass nor a loss. A verdict that ends not_measurable earns nothing: the file brought it about.
#pragma once

#include "device/device.hpp"
#include "judge/check.hpp"
#include "judge/compare.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::judge {

// The first wrong element of the execution that the check of the output shows.
struct WrongOutput {
  std::string buffer; // "out"
  Shape shape;
  std::uint64_t seed = 0;
  Comparison comparison;
};

// What was used to come to the verdict.
struct Means {
  // What is said beside the device: why it is no GPU, or what the emulated one did beside a GPU.
  enum class Note {
    none,
    no_gpu,
    old_gpu,    // one that CUDA 13 does not compile for
    not_on_gpu, // which cannot execute it: a note of the verdict says why
    memory_emulated,
    counts_by_gpu,
    all_emulated,
    other_rules, // likewise: the rules by which that GPU serves accesses are not known here
  };

  std::string device; // "emulated H200"
  Note note = Note::none;
  std::string toolkit; // "13.0.88"
  std::string sandbox; // rung: "bubblewrap"
  std::string grader;  // version of the grader
};

// What a grading of an exercise came to.
struct Earned {
  int points = 0, max_points = 0;
};

struct Verdict {
  std::string exercise; // "05_transpose/2_pad"
  std::string file;     // name of the graded file, without folders
  Ending ending = Ending::set_up;
  std::uint64_t seed = 0;
  std::uint64_t shapes = 0, seeds = 0; // of the exercise
  int points = 0, max_points = 0;
  // Of the best of its gradings before this one, where one passed: a solved exercise stays solved.
  std::optional<Earned> solved_before;
  std::vector<Check> checks;
  std::optional<WrongOutput> wrong;
  std::vector<device::LineCounts> lines;      // over all shapes, of one seed
  std::vector<device::LaunchCounts> launches; // of the execution with the most elements
  std::vector<device::Finding> findings;
  Means means;

  std::optional<EndedBy> ended; // where it did not come to be judged
  // Bytes in these may come from the student or the compiler: a report cleans them.
  std::string compiler;         // nvcc's own words
  std::vector<Note> notes;      // beside the point, but worth a line each
  std::vector<Check> mentioned; // that failed, and are not graded in this exercise
  std::string printed;          // what host code and kernels printed
  std::string explanation;      // of the exercise, when passed
  // Why its lesson saves no time: when passed, or where a time argues against it.
  std::string does_not_pay;
};

// Earned and possible points from the checks' own, and the ending from their statuses: passed when
// every possible check passed. Leaves an ending alone that is neither passed nor failed.
void settle(Verdict&);

// Whether its check of time tells a time less than the solution's: the file's own, or of others
// that fail as it does.
bool tells_less_time(const Verdict&);

const Check* find(const std::vector<Check>&, const std::string& name); // nullptr when missing
const Check* find(const std::vector<Check>&, CheckKind);               // the same
const Check* first_failed(const std::vector<Check>&);                  // nullptr when none

// What has to pass before a check that passed earns its points: of the checks it is paired with,
// from one to the next, the first that failed, or else the last. nullptr: nothing, as where the
// verdict earns nothing at all.
const Check* awaited(const Verdict&, const Check&);

} // namespace course::judge
