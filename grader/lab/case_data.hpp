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
};

// Gives each key of a table its value.
void set_variables(const Node&, Scope&);

// `scope` has the shape's variables. Throws CourseError.
Case make_case(const Source&, Scope& scope);

} // namespace course::lab
