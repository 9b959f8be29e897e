// One shape of an exercise, made of the exercise's data and the shape's variables.
#pragma once

#include "lab/data_table.hpp"
#include "lab/exercise.hpp"
#include "lab/formula.hpp"
#include "lab/signature.hpp"

#include <filesystem>

namespace course::lab {

// What `reference` says where the right answer is computed by a file: see by_file.hpp.
inline constexpr const char* kReferenceInFile = "file";

// What `answers` says, or `reference` where it is a list of formulas; each -1 where what they speak
// of was measured, and its table is not there.
struct Answers {
  bool are_known = true, are_measured = false;
  Floats values;
};

// What every case of an exercise is made of.
struct Source {
  Table table;
  Signature signature;
  std::vector<std::string> by_solution; // see asked_of_solution
  Answers answers;                      // where `reference` is a list of formulas
};

// What the solution is asked for: the answer without a reference, and the limits of checks without.
std::vector<std::string> asked_of_solution(const Table&);

// Of the formulas that `reference` is a list of, which may speak of numbers that were measured; no
// values where it is the name of a kind. `data` is the folder of measured tables.
Answers answers_of(const Table&, const std::filesystem::path& data);

// A list of definitions, in order.
void define(const Node&, Scope&);

// Gives each key of a table its value.
void set_variables(const Node&, Scope&);

// `scope` has the shape's variables. Throws CourseError.
Case make_case(const Source&, Scope& scope);

} // namespace course::lab
