// Where a language server has its work done: files are graded and programs run elsewhere, one at a
// time, while it listens.
#pragma once

#include <string>

namespace course::cli {

struct Task {
  enum class What { grade, run } what{};
  std::string path;
  bool remembered = false; // of a grading: it is one of the student's own (his history has it)
};

class Workshop {
public:
  enum class Kind {
    exercise, // a student's file of an exercise
    program,  // CUDA with a main()
    other,
  };

  virtual ~Workshop() = default;

  virtual Kind kind_of(const std::string& path) = 0;
  // Starts it; LanguageServer::finished() is told when it has come to its end.
  virtual void begin(const Task&) = 0;
  // Ends what was begun last, if it is still at work, and nobody is told.
  virtual void end() = 0;
  // The next hint for an exercise, which counts as read; or why there is none.
  virtual std::string next_hint(const std::string& path) = 0;
};

} // namespace course::cli
