// What a shape is called, by a form: "{rows} x {cols}", "{n:element}", "{n:body/bodies}", "{n,}".
#pragma once

#include "lab/formula.hpp"

#include <string>

namespace course::lab {

// {x}: the number; {x,}: with commas between thousands; {x:noun} and {x:noun/nouns}: counted. In
// each x is a formula. Throws FormulaError.
std::string label_of(const std::string& form, Scope&);

// Whether a form is two numbers by an x, and no more: rows and columns.
bool is_of_matrix(const std::string& form);

} // namespace course::lab
