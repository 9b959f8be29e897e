// The course's own proof: skeletons fail, solutions pass, wrong variants fail for their reason.
#pragma once

#include "lab/grade.hpp"
#include "lab/marks.hpp"
#include "lab/pays.hpp"
#include "lab/variants.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace course::lab {

// What a verdict came to: the checks that fail are in the report's order.
struct Outcome {
  judge::Ending ending{};
  std::vector<std::string> failed;

  bool passes() const { return ending == judge::Ending::passed; }
  bool fails(const std::vector<std::string>& checks) const { return !passes() && failed == checks; }
};
Outcome outcome_of(const judge::Verdict&);

// A number, and the limit that it is too near, or too far from.
struct Near {
  std::string what; // as in judge::Measure
  std::uint64_t value = 0, limit = 0;
};

// One thing that has to hold, and whether it does.
struct Proof {
  struct WellFormed {
    std::vector<Complaint> wrong;
  };
  struct OnlyWorkDiffers { // from its skeleton
    std::vector<Complaint> wrong;
  };
  struct FailsFirst {
    std::string check;
    Outcome found;
  };
  struct Passes {
    Outcome found;
  };
  struct LeavesRoom { // a tenth under each limit
    std::vector<Near> close;
  };
  struct RightCost { // of what a kernel may take at all
    std::vector<Near> strange;
  };
  struct PaysOrSays { // on an H200: pays.hpp
    Pays found;
    bool says = false; // that it does not
  };
  struct EnoughWrong { // variants
    std::size_t least = 0, found = 0;
  };
  struct Applies {               // to its solution
    std::filesystem::path edits; // the name of their file
    EditFault fault;
  };
  struct Fails {                     // those and no others
    std::vector<std::string> checks; // none: its first line names none
    Outcome found;
  };
  struct SaysItsWay {};
  struct Belongs { // to an exercise
    enum class As { skeleton, solution, variant, edits, reference } as{};
  };
  struct PassesSeeds { // with room
    struct Broken {
      Outcome found;
      std::vector<Near> close; // where it passes
      judge::Shape shape;
    };
    std::uint64_t shapes = 0, seeds = 0;
    std::vector<Broken> broken;
  };
  using Claim =
      std::variant<WellFormed, OnlyWorkDiffers, FailsFirst, Passes, LeavesRoom, RightCost,
                   PaysOrSays, EnoughWrong, Applies, Fails, SaysItsWay, Belongs, PassesSeeds>;

  std::string file; // from the project's root: "solutions/05_transpose/2_pad.cu"
  Claim claim;      // and what was found; report/proof_words.hpp says both
  bool holds = false;
  bool graded = false; // by a grading of the file, which says why
};

// Where an exercise's files are, from the project's root.
std::filesystem::path skeleton_of(const Exercise&); // labs/05_transpose/2_pad.cu
std::filesystem::path solution_of(const Exercise&); // solutions/05_transpose/2_pad.cu
std::vector<std::filesystem::path> honest_ways_of(const Exercise&,
                                                  const std::filesystem::path& root);

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
