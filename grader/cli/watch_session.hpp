// What `course watch` does between its first screen and its last.
#pragma once

#include "cli/grading_process.hpp"
#include "cli/student.hpp"
#include "lab/tools.hpp"
#include "progress/saved_files.hpp"
#include "progress/terminal_page.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace course::cli {

class WatchSession {
public:
  // The terminal is raw (raw_terminal.hpp). `first` is one of lab::exercises().
  WatchSession(Student, const lab::Exercise& first);

  int run(); // until a key or a signal ends it; an exit code

  // The last verdict, to stay on the screen that the session leaves; empty before the first.
  std::string last_words() const;

private:
  using Clock = std::chrono::steady_clock;
  enum class View { report, hint, list, explanation };

  void turn_to(const lab::Exercise&);
  void grade();
  void ask(); // for the report, drawn for the screen as it is
  void take_report();
  void look_for_saves();
  bool press(const std::string& key); // false: quit
  void give_hint();
  void go_on();
  void scroll(long lines);
  void show(View);
  void read_log(); // again, since the grading process has written to it
  void paint();    // when it would look different

  progress::Page page() const;
  std::string body() const;
  std::string status() const;
  std::string title() const;
  report::Terminal terminal() const;
  GradingProcess::Graded graded() const; // in the grading process

  Student student_;
  const lab::Exercise* exercise_;
  lab::Workplace place_;
  progress::SavedFiles files_;

  std::unique_ptr<GradingProcess> grading_;
  bool waiting_ = false; // for grading_'s report
  Clock::time_point started_{};
  double seconds_ = 0; // that the last grading took
  std::optional<GradingProcess::Report> report_;
  std::string saved_;      // "saved at 14:05:13": the last save, in words
  std::string trouble_;    // where grading came to nothing
  bool unchanged_ = false; // that save was of the same text

  View view_ = View::report;
  std::size_t hint_ = 0, from_ = 0;
  progress::Size size_, drawn_for_;
  std::string painted_;
};

} // namespace course::cli
