// Kinds of inputs, by the names that an exercise's data call them: `values = "addends"`.
#pragma once

#include "lab/exercise.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace course::lab {

// The other numbers of an input's data, by name: `spike = 64`.
using Settings = std::map<std::string, double>;
using Values = Floats (*)(std::uint64_t count, Flavour, std::uint64_t seed, const Settings&);
struct KindOfValues {
  Values make;
  std::vector<std::string> settings; // that it has to have
};

// name             | its elements                                                      | settings
// numbers          | floats() of inputs.hpp                                            |
// numbers_to_move  | the same, with both infinities and a NaN where there is room      |
// numbers_of_one_sign | floats() all above zero, or all below it                       |
// addends          | addends() of inputs.hpp                                           |
// whole_addends    | whole numbers whose sum is below 2^24                             |
// int_addends      | the same for each group of so many, but not for parts of one    | each
// running_addends  | whole numbers whose running sums in a group are below 2^24         | each
// factors          | factors() of inputs.hpp                                           | spike
// rows_of_factors  | in rows, one of which ends with an infinity        | spike, rows, columns
// led_factors      | factors(); whole ones have rows with one beginning  | spike, columns, first
// whole_numbers    | of both signs                                                     | up_to
// numbers_to_compare | few different ones, halves too, or all near the least float     | up_to
// exponents        | near to each other, and exp of them is infinite, or 0             |
// codes            | whole numbers from 0, of which one is frequent                    | below
// bins             | whole numbers from 0, one of them with a share of `same`   | below, same
// keys             | around 0, the least and the largest too, or in order     | below, same
const std::map<std::string, KindOfValues>& kinds_of_values();

} // namespace course::lab
