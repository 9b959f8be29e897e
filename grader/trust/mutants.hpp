// Many changed files, graded one after another, by a seed: mutant N of seed S is always the same
// file.
#pragma once

#include "trust/trial.hpp"
#include "trust/workers.hpp"

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
  Crew crew;
};

// What came of one.
struct Graded {
  std::uint64_t number = 0;
  std::string parent;  // the file that was changed, from the project's root
  std::string verdict; // "failed output, memory"
  double seconds = 0;
  std::vector<std::string> broken; // promises, and how
  std::string source;              // where any was broken
};

struct Tally {
  std::uint64_t mutants = 0;
  std::uint64_t next = 0; // the first number that was not graded
  std::uint64_t broken = 0;
  std::map<std::string, std::uint64_t> verdicts; // endings: "failed", "did_not_compile"
  double seconds = 0, longest = 0;               // of all, and of one
};

// A file that is changed, and the exercise that it belongs to.
struct Parent {
  std::string exercise;
  std::filesystem::path file; // from the project's root
  std::string text;
};

// Solutions, skeletons and wrong variants of the course, and the honest files of the attack suite.
std::vector<Parent> parents(const std::filesystem::path& root);

struct Mutant {
  Parent parent;
  std::string text;
};
Mutant mutant(const std::vector<Parent>&, std::uint64_t seed, std::uint64_t number);

// Compilations are not kept: no two mutants are alike. `each` is called as they are ready, in any
// order. Call it before any thread is started.
Tally run(const Campaign&, const Desk&, const std::function<void(const Graded&)>& each);

} // namespace course::trust
