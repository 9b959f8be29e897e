// How the inputs of one timed run differ from those of every other.
//
// A kernel can leave an answer where the next run finds it: in shared memory, in registers, in
// memory of its threads. So no two runs have the same inputs: in each, one word of every kStratum
// is another word of the same buffer, and which ones only the run's seed tells. To know that its
// inputs changed, and how, a kernel has to read them all, which is the work that is timed. Words
// are moved, not made up, so that what held for the elements of an input holds for them still.
//
// This is the grader's side; timed_kernels.cpp does the same on the device.
#pragma once

#include <cstdint>
#include <vector>

namespace course::gpu {

inline constexpr std::uint64_t kStratum = 1024; // words of 4 bytes, one of which changes

// The seed for one buffer, by its index, of a run's.
std::uint64_t seed_of_buffer(std::uint64_t seed, std::uint32_t buffer);
// The seed for one pair of runs, of all: no two alike.
std::uint64_t seed_of_pair(std::uint64_t seed, std::uint64_t pair);

// How many words of a buffer may change: one a stratum. A last word of less than 4 bytes never
// does.
constexpr std::uint64_t strata(std::uint64_t words) {
  return (words + kStratum - 1) / kStratum;
}

// Where a stratum's word goes, and where it comes from; `to` may lie past the end: then none does.
struct Move {
  std::uint64_t to = 0, from = 0; // words
};
Move moved_word(std::uint64_t buffer_seed, std::uint64_t stratum, std::uint64_t words);

// The elements of a buffer as they are in the run with that seed. A word holds `a_word` elements.
template <class T>
std::vector<T> varied(const std::vector<T>& elements, std::uint64_t a_word,
                      std::uint64_t buffer_seed) {
  auto result = elements;
  const std::uint64_t words = elements.size() / a_word;
  for (std::uint64_t i = 0; i < strata(words); ++i) {
    const auto [to, from] = moved_word(buffer_seed, i, words);
    if (to >= words) continue;
    for (std::uint64_t e = 0; e < a_word; ++e)
      result[to * a_word + e] = elements[from * a_word + e];
  }
  return result;
}

} // namespace course::gpu
