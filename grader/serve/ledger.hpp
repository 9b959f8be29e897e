// What a class's server remembers: links and sessions, attempts, verdicts by what was graded, and
// what was handed in.
//
// One SQLite file in WAL mode, each call a transaction that is on the disk when it returns: what
// was answered is there after kill -9 and after a power failure. SQLite: in Debian and Ubuntu, kept
// since 2000, tested for exactly this, and read with a command that is everywhere. Of sessions it
// has digests alone, so that the file lets nobody in; of links it has the keys, since an instructor
// prints them again, and so it is its owner's alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::serve {

// The file cannot be read or written; `full`: there is no room.
struct LedgerError : std::runtime_error {
  LedgerError(const std::string& what, bool is_full) : std::runtime_error(what), full(is_full) {}
  bool full = false;
};

class Ledger {
public:
  // Makes it where it is missing. Throws LedgerError, as everything here does.
  explicit Ledger(const std::filesystem::path& file);
  Ledger(const Ledger&) = delete; // one file
  ~Ledger();

  // The key of somebody's link, made where there is none: letters and digits.
  std::string link_of(const std::string& person);
  // Another one; the old one, and what was opened with it, opens nothing any more.
  std::string new_link(const std::string& person);
  std::optional<std::string> person_of_link(const std::string& key);
  // A session's secret, for a cookie. Times are seconds since 1970. Sessions that have ended are
  // forgotten.
  std::string begin_session(const std::string& person, std::int64_t now, std::int64_t until);
  std::optional<std::string> person_of_session(const std::string& secret, std::int64_t now);

  // The seed of all gradings here, drawn once: then a text has one verdict.
  std::uint64_t seed();

  struct Known {
    std::string facts; // what a page is told, JSON
    std::string event; // the line of the student's log; empty: it is not for others
  };
  std::optional<Known> known(const std::string& key);

  struct Attempt {
    std::string person, exercise;
    std::int64_t at = 0;
    int points = 0, max_points = 0;
    bool passed = false;
    std::string failed; // the first check that did, or how it ended; empty: it passed
  };
  // `key`: of what was graded; empty where nobody else's is the same.
  void keep(const Attempt&, const std::string& key, const Known&);
  // The facts of the last attempt at each exercise.
  std::map<std::string, std::string> last_of(const std::string& person);

  struct HandedIn {
    std::int64_t at = 0;
    std::string version; // of the text
    int times = 0;
  };
  void hand_in(const std::string& person, const std::string& exercise, std::int64_t at,
               const std::string& version);
  // By exercise.
  const std::map<std::string, HandedIn>& handed_in(const std::string& person);

  // All attempts of one person at one exercise, in a row.
  struct Row {
    int attempts = 0, until_solved = 0; // until_solved: 0 where it is not
    Attempt latest;
  };
  // By person and exercise. What was read once is not read again: it costs as much as there is new,
  // and memory for each person's exercises. What others take out of the file is not seen.
  using Rows = std::map<std::string, std::map<std::string, Row>>;
  const Rows& rows();

  // Takes a person out, with the verdicts that nobody else has, so that no byte of theirs is left
  // in the file: what is deleted is overwritten, the rest is written anew, and the log is emptied.
  // The one who calls has the class's lock.
  void forget(const std::string& person);

private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

} // namespace course::serve
