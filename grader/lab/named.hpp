// For tests: exercises and their cases by name, or by id where a name is not one exercise's alone.
#pragma once

#include "lab/exercise.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace course::lab {

inline Exercise named(const std::vector<Exercise>& exercises, const std::string& name) {
  for (const auto& one : exercises) {
    if (one.name() == name || one.id == name) return one;
  }
  FAIL("no exercise " << name);
  return {};
}

inline const Case& with(const Exercise& exercise, const std::string& shape) {
  for (const auto& one : exercise.cases) {
    if (one.shape == shape) return one;
  }
  FAIL("no shape " << shape);
  return exercise.cases[0];
}

} // namespace course::lab
