// Many changed files, graded one after another, by a seed: mutant N of seed S is always the same
// file.
#pragma once

#include "trust/trial.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace course::trust {

struct Campaign {
  std::uint64_t seed = 1;
  std::uint64_t from = 0, count = 0; // numbers of the mutants
  std::filesystem::path keep;        // folder for those that broke a promise; may be empty
};

struct Broken {
  std::uint64_t number = 0;
  std::string parent;  // the file that was changed, from the project's root
  std::string promise; // which, and how
};

struct Tally {
  std::uint64_t mutants = 0;
  std::map<std::string, std::uint64_t> verdicts; // endings: "failed", "did_not_compile"
  std::vector<Broken> broken;
};

// A file that is changed, and the exercise that it belongs to.
struct Parent {
  std::string exercise;
  std::filesystem::path file;
};

// Solutions, skeletons and wrong variants of the course, by name.
std::vector<Parent> parents(const std::filesystem::path& root);

struct Mutant {
  Parent parent;
  std::string text;
};
Mutant mutant(const std::vector<Parent>&, std::uint64_t seed, std::uint64_t number);

// Compilations are not kept: no two mutants are alike. Throws what hand_in throws.
Tally run(const Campaign&, const Desk&, const std::function<void(const Tally&)>& progress);

} // namespace course::trust
