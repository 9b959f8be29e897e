// The exercises that a person chose on the command line.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::cli {

struct Chosen {
  const lab::Exercise* exercise = nullptr;
  std::filesystem::path file; // where a path to an existing file was typed; else empty
};

// Words as in lab::find. A message, with what is near, when one of them means no exercise.
std::variant<std::vector<Chosen>, std::string> choose(const std::vector<std::string>& words);
std::variant<std::vector<Chosen>, std::string> everything();

} // namespace course::cli
