// The log: a plain file in the student's project, a line for each event.
//
// It only grows, so that two logs are merged by putting their lines together in any order. It may
// be deleted at any time. Processes that use it at once take turns (flock), and lose nothing; where
// a file system has no locks, a line is still written in one piece.
#pragma once

#include "progress/event.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::progress {

struct Remembered {
  std::vector<Event> events; // in order of time, each once
  std::string complaint; // what is wrong with the file, where it was put, in sentences; or empty
};

class Log {
public:
  explicit Log(std::filesystem::path file) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }

  // Damaged lines are taken out: the file as it was is kept beside it, under a new name. A missing
  // file is an empty one. Never throws for what is in the file.
  Remembered read() const;

  // Creates file and folder when missing. What went wrong, in a sentence, or nothing.
  std::string append(const Event&) const;

private:
  std::filesystem::path file_;
};

} // namespace course::progress
