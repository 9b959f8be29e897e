// The course's own proof: skeletons fail, solutions pass, wrong variants fail for their reason.
#pragma once

#include "lab/grade.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace course::lab {

// One thing that has to hold, and whether it does.
struct Proof {
  std::string file;     // from the project's root: "solutions/05_transpose/2_pad.cu"
  std::string expected; // "fails conflicts"
  std::string found;    // "fails output, memory"
  bool holds = false;
  bool graded = false; // by a grading of the file, which says why
};

// Where an exercise's files are, from the project's root.
std::filesystem::path skeleton_of(const Exercise&); // labs/05_transpose/2_pad.cu
std::filesystem::path solution_of(const Exercise&); // solutions/05_transpose/2_pad.cu
std::vector<std::filesystem::path> wrong_variants_of(const Exercise&,
                                                     const std::filesystem::path& root);
std::vector<std::filesystem::path> honest_ways_of(const Exercise&,
                                                  const std::filesystem::path& root);

// What a verdict came to, in a word or two: "passes", "fails output, memory", "crashed".
std::string outcome(const judge::Verdict&);

// Each proves a part of what an exercise claims, and hands each proof to `each` as it is made. True
// when all hold.
//
// The skeleton fails as it says, the solution passes, with room, and they differ as they may.
bool check_pair(const Exercise&, const std::filesystem::path& root, std::uint64_t seed,
                const Tools&, const std::function<void(const Proof&)>& each);
// There are `least` wrong variants, and each fails the checks that it names, and no others.
bool check_wrong(const Exercise&, const std::filesystem::path& root, std::uint64_t seed,
                 const Tools&, const std::function<void(const Proof&)>& each,
                 std::size_t least = 3);
// Each honest way says on its first line which it is, and passes. There need not be any.
bool check_honest(const Exercise&, const std::filesystem::path& root, std::uint64_t seed,
                  const Tools&, const std::function<void(const Proof&)>& each);
// All three.
bool check(const Exercise&, const std::filesystem::path& root, std::uint64_t seed, const Tools&,
           const std::function<void(const Proof&)>& each, std::size_t least_wrong = 3);

// Files of a lab that nobody would look at, each as a proof that does not hold: without their data,
// or variants of no exercise.
std::vector<Proof> strays(const std::vector<Exercise>&, const std::string& lab,
                          const std::filesystem::path& root);

// Proves of the shapes that `seeds` more seeds draw that the solution passes, and leaves room.
bool check_seeds(const Exercise&, const std::filesystem::path& root, std::uint64_t seed,
                 std::uint64_t seeds, const Tools&, const std::function<void(const Proof&)>& each);

} // namespace course::lab
