// One grading in a process of its own, so that it can be given up for a newer one, and so that what
// it prints, leaves or crashes of never reaches the screen that waits for it.
#pragma once

#include "judge/verdict.hpp"
#include "progress/terminal_page.hpp"
#include "report/text.hpp"
#include "system/descriptor.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace course::cli {

class GradingProcess {
public:
  // A verdict, and its report for a screen.
  struct Report {
    judge::Ending ending{};
    int points = 0, max_points = 0;
    std::string body;
  };
  // Draws the report of a verdict on so many rows.
  using Draw = std::function<std::string(const report::Terminal&, std::size_t rows)>;
  struct Graded {
    judge::Verdict verdict;
    Draw draw;
  };

  // Calls `grade` in a new process (supervised.hpp). Start it from a process of one thread.
  explicit GradingProcess(const std::function<Graded()>& grade);
  GradingProcess(GradingProcess&&) = delete; // one process, one owner
  GradingProcess& operator=(GradingProcess&&) = delete;
  ~GradingProcess(); // ends it, and all that it started

  // Asks for the report, again after the screen has changed. It comes when grading is done.
  void ask(const report::Terminal&, std::size_t rows);

  int descriptor() const { return channel_.get(); } // readable when a report is there
  // Waits for the report; nothing when the process ended without one.
  std::optional<Report> report();

private:
  system::Descriptor channel_;
  pid_t process_ = -1;
};

} // namespace course::cli
