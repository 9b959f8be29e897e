// What a student handed in: which file is which exercise.
//
// A file is found by its name and its folder's (05_transpose/2_pad.cu), else by its name alone, as
// learning platforms rename it ("05_transpose_2_pad.cu", "2_pad (1).cu", "2_PAD.cu"), else by its
// first line, which the skeleton gives ("// 05_transpose/2_pad: …"). Nothing is guessed beyond
// that: where two different files could be meant, neither is, and the reason names both, unless
// an instructor has said which counts.
#pragma once

#include "classroom/archive.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace course::classroom {

struct HandedIn {
  const lab::Exercise* exercise = nullptr;
  std::string path;      // in the submission
  std::string item;      // Place::Part::item that it is in; empty: the place has no parts
  std::string content;   // empty when refused
  std::string refused;   // why it is not graded, a sentence; else empty
  std::int64_t time = 0; // seconds since 1970, by `clock`; 0: not known
  std::string clock;     // "date of the file", "date in the archive", "Git commit"
};

struct Submission {
  std::vector<HandedIn> files;       // in the exercises' order, at most one an exercise
  std::vector<std::string> problems; // with the submission as a whole, a sentence each
  std::vector<std::string> ignored;  // "mine.cu is no exercise, by its name or first line"
};

// Where it is: a folder, or an archive; or some of what lies in a folder, as platforms put the
// files of all students side by side.
struct Place {
  std::filesystem::path path;
  struct Part {
    std::string item; // below `path`: a file, an archive or a folder
    std::string name; // what the student called it; empty: what is in it comes without its name
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts; // none: all of it
  bool operator==(const Place&) const = default;
};

// How an instructor wants a submission to be read.
struct Reading {
  std::string lab = {}; // that its folder is of: nothing else in it counts; empty: all labs
  // Of two different files for one exercise, which counts, by the exercise's id: its path, or its
  // name alone. Else neither does, or the newest: of what Canvas numbered ("2_pad-1.cu") the
  // highest, then by the time.
  std::map<std::string, std::string> chosen = {};
  bool newest = false;
};

// Links are not followed. An archive in a folder is looked into, one in an archive is not. Never
// throws for what is in it.
Submission read_submission(const Place&, const std::vector<lab::Exercise>&, const Reading& = {});

// The same for files that were read.
Submission recognise(const Sources&, const std::vector<lab::Exercise>&, const Reading& = {});

} // namespace course::classroom
