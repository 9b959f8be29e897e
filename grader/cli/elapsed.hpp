// A line on a terminal that says what is being waited for, once that takes more than a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace course::cli {

// While it lives, "grading 02_padding/1_square, 3 s" on standard error, in one place, and gone
// after it. Nothing where standard error is not a terminal.
class Elapsed {
public:
  explicit Elapsed(std::string what);
  Elapsed(const Elapsed&) = delete; // one line, one owner
  Elapsed& operator=(const Elapsed&) = delete;
  ~Elapsed();

private:
  void run();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

} // namespace course::cli
