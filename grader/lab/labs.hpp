// Every exercise of the course, and how one is found by what a person types.
#pragma once

#include "lab/exercise.hpp"

#include <string>
#include <vector>

namespace course::lab {

// One function a lab, each in the file of its name.
std::vector<Exercise> banks();                 // 01_banks.cpp
std::vector<Exercise> paddings();              // 02_padding.cpp
std::vector<Exercise> dynamic_shared_memory(); // 03_dynamic_smem.cpp
std::vector<Exercise> reductions();            // 04_reduction.cpp
std::vector<Exercise> transposes();            // 05_transpose.cpp
std::vector<Exercise> constant_memory();       // 06_constant_memory.cpp
std::vector<Exercise> shuffles();              // 07_shuffles.cpp
std::vector<Exercise> tiled_products();        // 08_tiled_product.cpp

// All of them, in the order of the course. Built once.
const std::vector<Exercise>& exercises();

// What a person typed: an id ("05_transpose/2_pad"), a name ("2_pad"), the path of its file, or the
// start of an id or a name, where that means one exercise only.
struct Found {
  const Exercise* exercise = nullptr; // nullptr: none, or more than one
  std::vector<const Exercise*> near;  // then: what may have been meant, best first
};
Found find(const std::vector<Exercise>&, const std::string& typed);

} // namespace course::lab
