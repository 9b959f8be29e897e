// Fingerprints of a source file that do not change with names, numbers, spaces and comments.
//
// Winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", SIGMOD 2003), as MOSS does: hashes of all runs of kRun tokens, of which the
// least of every kWindow neighbours is kept. Two files that share kRun + kWindow - 1 tokens in a
// row share a fingerprint. Why not a packaged tool: sim_c and its like compare whole folders at
// once and keep nothing, so each run costs the square of the class; fingerprints are kept with a
// verdict.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace course::classroom {

inline constexpr std::size_t kRun = 12;   // tokens: about a statement
inline constexpr std::size_t kWindow = 6; // runs

// Tokens of C++: "n" any name but a keyword, "0" any number, "s" a string, else itself.
std::vector<std::string> tokens(std::string_view source);

struct Fingerprints {
  std::uint64_t whole = 0;           // of all tokens: equal for equal texts after normalising
  std::vector<std::uint64_t> prints; // sorted, each once
};
Fingerprints fingerprints(std::string_view source);

// The lines of a source, from 0, whose tokens are in a run of one of these prints.
std::set<std::size_t> lines_of_prints(std::string_view source,
                                      const std::set<std::uint64_t>& prints);

} // namespace course::classroom
