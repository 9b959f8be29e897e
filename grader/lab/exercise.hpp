// What an exercise is: a launcher to call, shapes to call it with, the right answer, and limits.
//
// An exercise is data: exercise_file.hpp reads it, and grade.hpp grades any of them in the same
// way.
#pragma once

#include "judge/check.hpp"
#include "judge/execution.hpp"
#include "lab/marks.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::lab {

using Floats = std::vector<float>;

// What inputs look like. Each is a test of its own: the last two are numbers that rounding, or a
// sum of a part, cannot get right by luck.
enum class Flavour {
  random, // of both signs, of all sizes from 2^-8 to 2^8, no two alike
  exact,  // 1, 2, 3, … shuffled
  spikes, // random, one in 61 of them a million times larger
  timed,  // random, for runs that are timed: any element may stand in another's place
};
inline constexpr std::array kFlavours{Flavour::random, Flavour::exact, Flavour::spikes};

// How an operand's elements lie in device memory. Their values are given and compared as floats:
// an integer below 2^24 is a float of its own, and some larger ones have floats that stand for them
// (placement.cpp); those of bf16 are rounded to it before anything is made of them.
enum class Type { f32, i32, i16, bf16 };
std::uint64_t bytes_of(Type);

// Device memory that the launcher gets a pointer to.
struct Operand {
  std::string name; // the parameter's, for messages
  std::uint64_t elements = 0;
  bool output = false; // poisoned before the launch, compared after it; one a case
  Type type = Type::f32;
};

// An argument of the launcher, in order.
struct Pointer {
  std::size_t operand = 0; // index into Case::operands
};
using Argument = std::variant<Pointer, std::int32_t, float>;

// One shape that the launcher is called with.
struct Case {
  judge::Shape shape;
  std::vector<Operand> operands;
  std::vector<Argument> arguments;
  judge::Extent extent; // of the output
  judge::Tolerance tolerance;
  judge::Bounds bounds;
  std::uint64_t answers = 0; // elements at the output's end that answer questions: not compared
  bool drawn = false;        // from the seed: see cases_of()
  bool followed = false;     // whether the way of its data is followed: see cases_of()
  std::uint64_t instruction_budget = 0; // warp-instructions; far beyond any honest solution
  // KiB of shared memory that host code is told a multiprocessor has; 0: what the GPU has.
  std::uint32_t shared_kib = 0;

  // Values of each operand in order, empty for the output; and what the output then has to be,
  // which is empty where the solution is asked, or a file (by_file.hpp).
  std::function<std::vector<Floats>(Flavour, std::uint64_t seed)> inputs;
  std::function<Floats(const std::vector<Floats>&)> reference;

  // What the course's solution is asked for, since the exercise does not say it: "output", where
  // there is no reference, and limits by the names of their checks. See by_solution.hpp.
  std::vector<std::string> by_solution;

  // Numbers that own checks look at: Execution::numbers. May be empty.
  using Numbers = std::map<std::string, std::uint64_t>;
  std::function<Numbers(const device::Observation&, const Floats& output)> numbers;
};

// A check that the exercise makes. Names are those of judge: "output", "conflicts", or a number of
// Bounds::others.
struct Graded {
  std::string check;
  int points = 0;
  std::string pair;   // see judge::Check
  std::string reason; // why the limit is what it is, in a sentence

  // The exercise's own check, where judge has none of that name. May be empty.
  std::function<judge::Check(judge::Executions)> own = {};
};

// How fast the launcher has to be on a GPU, at a size at which that can be told: one launch takes
// 20 us or more.
struct TimeLimit {
  enum class Peer {
    solution, // the course's own
    copy,     // of the first input to the output, which is as large
  };
  Peer peer = Peer::solution;
  double ratio = 1.2;          // of times, the student's to the peer's: at most
  std::function<Case()> shape; // its bounds are not looked at
  // For an exercise whose lesson saves no time there: why, and where it does. Empty: it pays, as
  // pays.hpp has it.
  std::string does_not_pay;
};

// What a GPU has to have, beyond what each has that CUDA 13 compiles for, to execute the solution.
struct GpuNeeds {
  int capability = 75;            // compute capability: 80 for 8.0
  bool alone = false;             // and no later GPU has it: "9.0a"
  std::uint64_t shared_bytes = 0; // of a block; 0: at most 64 KiB, which each has

  bool met_by(int its_capability, std::uint64_t its_shared_bytes) const {
    const bool old = alone ? its_capability != capability : its_capability < capability;
    return !old && shared_bytes <= its_shared_bytes;
  }
};

class Draw;  // drawn.hpp
class Table; // data_table.hpp

struct Exercise {
  std::string id;          // "05_transpose/2_pad"
  std::string title;       // as in the first line of its file
  std::string signature;   // as a student writes it
  std::string function;    // the same, as c++filt prints it
  std::vector<Case> cases; // with names: every grading has them
  // More, whose shapes, and constants, come from the seed: see cases_of().
  std::function<std::vector<Case>(Draw&)> drawn;
  bool launches = true;       // false: there is no kernel, and nothing needs to be launched
  bool called_again = true;   // its function, in one process: called_again.hpp
  std::vector<Graded> checks; // in the report's order
  std::string way_check;      // which of them fails where data took another way; may be empty
  GpuNeeds gpu;
  std::optional<TimeLimit> time;      // what the check "time" is made of
  std::vector<std::string> mentioned; // checks that are shown when they fail, and not graded
  std::vector<std::string> hints;     // of rising openness: three, or two in a copy for students
  std::string explanation;            // shown after passing
  std::map<std::string, std::string> questions; // of checks, for when they fail: see judge::Check
  std::vector<std::string> given; // numbers whose limit the task gives: no room is left on them
  std::filesystem::path root;     // of its course: "" where it is of no file
  std::filesystem::path solution; // the course's own
  std::filesystem::path reference_file; // which computes the right answers; may be empty
  std::shared_ptr<const Table> data;    // what it was read from; nullptr: of no file
  // What it is made of, and a verdict depends on: its data, and the solution where that is asked.
  std::vector<std::filesystem::path> files;
  std::string skeleton_fails;   // the first check that the skeleton fails
  bool one_writer = false;      // no word may have several writers, not even of the same value
  bool strict_acquires = false; // what a reader lacks is its subject: device::Job
  bool calls_succeed = false;   // no CUDA call may be refused, be the error cleared or not
  // Lines that its files may have at most.
  std::size_t skeleton_lines = kLinesOfSkeleton, solution_lines = kLinesOfSolution;

  // The folder whose solutions/ has its answers: the course's, or where a package keeps them.
  std::filesystem::path answers() const {
    return solution.parent_path().parent_path().parent_path();
  }
  std::string lab() const { return id.substr(0, id.find('/')); }
  std::string name() const { return id.substr(id.find('/') + 1); }
};

} // namespace course::lab
