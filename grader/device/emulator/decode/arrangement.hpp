// How ptxas arranged the accesses of a kernel in ways that change which lanes share a request.
//
// - It unrolls a loop that runs while rounds are left: four rounds at a time while four are, then
//   two, then one. The lanes of a warp that leave the loop in different rounds then access memory
//   in other company than round by round. And what a round loads for the second time is loaded once
//   in those that go together.
// - It takes the first rounds of a loop out of it, where a load is one with what was loaded before.
// - It moves a load to the far side of a branch, when it is needed there alone. Lanes that go the
//   other way, or end, do not load.
//
// Found by comparing the paths of the PTX with those of the SASS, whose instructions say which line
// of the PTX they come from. Where that leaves a doubt, the PTX's own arrangement stands.
#pragma once

#include "device/code/sass/access_widths.hpp"

#include <cstdint>
#include <vector>

namespace course::emulator {

struct Unrolled {
  struct Chunk {
    std::uint32_t rounds = 0; // that go together
    bool repeats = false;     // while so many rounds are left
  };
  struct Use { // a load or store in the loop
    std::uint32_t instruction = 0;
    std::vector<std::uint32_t> executed; // the first so many rounds of each chunk
    std::uint32_t merged = 0;            // of the first rounds: another access does their work
  };
  std::uint32_t header = 0;  // PTX instruction that each round begins with
  std::uint32_t exit = 0;    // PTX instruction that all lanes go to from the loop
  std::vector<Chunk> chunks; // none: round by round
  std::vector<Use> uses;
};

struct Sunk {
  std::uint32_t instruction = 0, to = 0; // a PTX load, and that before which the GPU does it
};

struct Arrangement {
  std::vector<Unrolled> loops;
  std::vector<Sunk> sunk;
  // In loops of which the SASS has copies, in none of which lanes are in other company than in the
  // PTX: rounds that each have an exit of their own, and a first round in front of the loop.
  std::vector<std::uint32_t> as_written;
};

// `matches` as sass::Matcher gives them, one for each instruction. Of a function that is an entry;
// nothing is known of others, which have several callers.
Arrangement arrangement(const ptx::Function&, const sass::Cubin&, const std::vector<sass::Match>&);

} // namespace course::emulator
