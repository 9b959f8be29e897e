// One shape of an exercise, made of the exercise's data and the shape's variables.
#pragma once

#include "lab/data_table.hpp"
#include "lab/exercise.hpp"
#include "lab/formula.hpp"
#include "lab/signature.hpp"

namespace course::lab {

// What every case of an exercise is made of.
struct Source {
  Table table;
  Signature signature;
  std::vector<std::string> by_solution; // see asked_of_solution
};

// What the solution is asked for: the answer without a reference, and the limits of checks without.
std::vector<std::string> asked_of_solution(const Table&);

// A list of definitions, in order.
void define(const Node&, Scope&);

// Gives each key of a table its value.
void set_variables(const Node&, Scope&);

// `scope` has the shape's variables. Throws CourseError.
Case make_case(const Source&, Scope& scope);

} // namespace course::lab
