// What a student handed in: which file is which exercise.
//
// A file is found by its name and its folder's (05_transpose/2_pad.cu), else by its name alone, as
// learning platforms rename it ("05_transpose_2_pad.cu", "2_pad (1).cu", "2_PAD.cu"), else by its
// first line, which the skeleton gives ("// 05_transpose/2_pad: …"). Nothing is guessed beyond
// that: where two different files could be meant, neither is, and the reason names both.
#pragma once

#include "classroom/zip.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct HandedIn {
  const lab::Exercise* exercise = nullptr;
  std::string path;    // in the submission
  std::string content; // empty when refused
  std::string refused; // why it is not graded, a sentence; else empty
};

struct Submission {
  std::vector<HandedIn> files;       // in the exercises' order, at most one an exercise
  std::vector<std::string> problems; // with the submission as a whole, a sentence each
  std::int64_t newest = 0;           // seconds since 1970, of the files; 0: not known
};

// A folder or a zip file. Links are not followed. Never throws for what is in it.
Submission read_submission(const std::filesystem::path&, const std::vector<lab::Exercise>&);

// The same for files that were read.
Submission recognise(const Sources&, const std::vector<lab::Exercise>&);

} // namespace course::classroom
