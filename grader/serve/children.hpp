// Programs that are waited for beside everything else: their words are read as they come, and what
// follows is called at their end.
#pragma once

#include "system/descriptor.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <poll.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace course::serve {

class Children {
public:
  using Clock = std::chrono::steady_clock;
  using Id = std::uint64_t;
  struct Ended {
    int code = -1;    // as a shell has it: 128 and the signal's number where a signal ended it
    std::string text; // standard output and messages, at most kMostWords
    bool stopped = false, too_long = false;
  };
  using Then = std::function<void(Ended)>;

  static constexpr std::size_t kMostWords = 1 << 20;

  Children() = default;
  Children(const Children&) = delete; // they end with it
  ~Children();

  // 0 where it could not be started. `environment`: "NAME=value", all of it. It is told to end when
  // this thread ends.
  Id start(std::vector<std::string> words, const std::string& program,
           std::vector<std::string> environment, std::chrono::seconds limit, Then);
  // Told to end; killed where it does not.
  void stop(Id);

  std::size_t count() const { return all_.size(); }
  void add_descriptors(std::vector<pollfd>&) const;
  void work(); // reads, waits for those that are at their end, calls what follows

private:
  struct Child {
    Id id = 0;
    pid_t process = -1;
    system::Descriptor words;
    Ended so_far;
    Then then;
    Clock::time_point most, kill_at{Clock::time_point::max()};
  };
  std::list<Child> all_;
  Id last_ = 0;

  static void read(Child&);
  static void tell_to_end(Child&);
};

} // namespace course::serve
