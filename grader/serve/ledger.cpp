#include "serve/ledger.hpp"

#include "build/digest.hpp"
#include "serve/secret.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace course::serve {
namespace {

// A version that a later one of this program can go on from.
constexpr const char* kTables = R"(
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = 5000;
CREATE TABLE IF NOT EXISTS links (person TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS sessions (digest TEXT PRIMARY KEY, person TEXT NOT NULL,
                                     until INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS seeds (one INTEGER PRIMARY KEY CHECK (one = 1), seed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS verdicts (id INTEGER PRIMARY KEY, key TEXT UNIQUE, facts TEXT NOT NULL,
                                     event TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, person TEXT NOT NULL,
                                     exercise TEXT NOT NULL, at INTEGER NOT NULL,
                                     points INTEGER NOT NULL, max_points INTEGER NOT NULL,
                                     passed INTEGER NOT NULL, failed TEXT NOT NULL,
                                     verdict INTEGER NOT NULL REFERENCES verdicts (id));
CREATE INDEX IF NOT EXISTS attempts_of ON attempts (person, exercise, id);
CREATE TABLE IF NOT EXISTS hand_ins (id INTEGER PRIMARY KEY, person TEXT NOT NULL,
                                     exercise TEXT NOT NULL, at INTEGER NOT NULL,
                                     version TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS hand_ins_of ON hand_ins (person, exercise, id);
)";

// The secret itself is long and drawn, so one round of a digest is enough.
std::string digest_of(const std::string& secret) {
  return build::sha256("course session " + secret);
}

} // namespace

struct Ledger::Inside {
  sqlite3* base = nullptr;
  // What was read, up to a row's number: rows are added and never changed.
  Rows rows;
  std::map<std::string, std::map<std::string, HandedIn>> handed_in;
  std::int64_t attempts_read = 0, hand_ins_read = 0;

  ~Inside() { sqlite3_close(base); }

  [[noreturn]] void fail() const {
    const int code = sqlite3_errcode(base);
    throw LedgerError(sqlite3_errmsg(base), code == SQLITE_FULL);
  }
  void execute(const char* words) const {
    if (sqlite3_exec(base, words, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  // A statement with its values in the place of its question marks. `each` is called for each row.
  template <typename... Values, typename Each>
  void ask(const char* words, Each&& each, const Values&... values) const {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(base, words, -1, &made, nullptr) != SQLITE_OK) fail();
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(made, sqlite3_finalize);
    int place = 0;
    (bind(made, ++place, values), ...);
    for (;;) {
      const int code = sqlite3_step(made);
      if (code == SQLITE_DONE) return;
      if (code != SQLITE_ROW) fail();
      each(made);
    }
  }
  template <typename... Values>
  void tell(const char* words, const Values&... values) const {
    ask(
        words, [](sqlite3_stmt*) {}, values...);
  }

  static void bind(sqlite3_stmt* to, int place, const std::string& value) {
    sqlite3_bind_text(to, place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  static void bind(sqlite3_stmt* to, int place, std::int64_t value) {
    sqlite3_bind_int64(to, place, value);
  }

  static std::string text(sqlite3_stmt* from, int place) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(from, place));
    return bytes ? std::string(bytes, sqlite3_column_bytes(from, place)) : std::string();
  }
  static std::int64_t number(sqlite3_stmt* from, int place) {
    return sqlite3_column_int64(from, place);
  }

  std::optional<std::string> one_text(const char* words, const auto&... values) const {
    std::optional<std::string> found;
    ask(
        words, [&](sqlite3_stmt* row) { found = text(row, 0); }, values...);
    return found;
  }
};

namespace {

// All of it, or nothing.
class Transaction {
public:
  template <typename Inside>
  explicit Transaction(const Inside& inside) : base_(inside.base) {
    inside.execute("BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete; // one commits
  ~Transaction() {
    if (base_) sqlite3_exec(base_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  template <typename Inside>
  void commit(const Inside& inside) {
    inside.execute("COMMIT");
    base_ = nullptr;
  }

private:
  sqlite3* base_;
};

} // namespace

Ledger::Ledger(const std::filesystem::path& file) : inside_(std::make_unique<Inside>()) {
  const auto mask = umask(077);
  const int opened = sqlite3_open_v2(file.c_str(), &inside_->base,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  const bool made = opened == SQLITE_OK &&
                    sqlite3_exec(inside_->base, kTables, nullptr, nullptr, nullptr) == SQLITE_OK;
  umask(mask);
  if (!made) inside_->fail();
}

Ledger::~Ledger() = default;

std::string Ledger::link_of(const std::string& person) {
  inside_->tell("INSERT OR IGNORE INTO links VALUES (?, ?)", person, new_secret());
  return inside_->one_text("SELECT key FROM links WHERE person = ?", person).value();
}

std::string Ledger::new_link(const std::string& person) {
  Transaction all(*inside_);
  inside_->tell("DELETE FROM links WHERE person = ?", person);
  inside_->tell("DELETE FROM sessions WHERE person = ?", person);
  auto key = link_of(person);
  all.commit(*inside_);
  return key;
}

std::optional<std::string> Ledger::person_of_link(const std::string& key) {
  // All are looked at, so that how long it takes says nothing of how near a guess is.
  std::optional<std::string> found;
  inside_->ask("SELECT person, key FROM links", [&](sqlite3_stmt* row) {
    if (build::sha256(Inside::text(row, 1)) == build::sha256(key)) found = Inside::text(row, 0);
  });
  return found;
}

std::string Ledger::begin_session(const std::string& person, std::int64_t now, std::int64_t until) {
  auto secret = new_secret();
  inside_->tell("DELETE FROM sessions WHERE until <= ?", now);
  inside_->tell("INSERT INTO sessions VALUES (?, ?, ?)", digest_of(secret), person, until);
  return secret;
}

std::optional<std::string> Ledger::person_of_session(const std::string& secret, std::int64_t now) {
  if (!is_secret(secret)) return std::nullopt;
  return inside_->one_text("SELECT person FROM sessions WHERE digest = ? AND until > ?",
                           digest_of(secret), now);
}

std::uint64_t Ledger::seed() {
  // Small enough to be typed again.
  const auto drawn = static_cast<std::int64_t>(std::stoull(new_secret().substr(0, 7), nullptr, 16));
  inside_->tell("INSERT OR IGNORE INTO seeds VALUES (1, ?)", drawn);
  std::uint64_t seed = 0;
  inside_->ask("SELECT seed FROM seeds", [&](sqlite3_stmt* row) {
    seed = static_cast<std::uint64_t>(Inside::number(row, 0));
  });
  return seed;
}

std::optional<Ledger::Known> Ledger::known(const std::string& key) {
  std::optional<Known> found;
  inside_->ask(
      "SELECT facts, event FROM verdicts WHERE key = ?",
      [&](sqlite3_stmt* row) {
        found = {Inside::text(row, 0), Inside::text(row, 1)};
      },
      key);
  return found;
}

void Ledger::keep(const Attempt& attempt, const std::string& key, const Known& known) {
  Transaction all(*inside_);
  std::optional<std::int64_t> verdict;
  const auto take = [&](sqlite3_stmt* row) { verdict = Inside::number(row, 0); };
  if (!key.empty()) inside_->ask("SELECT id FROM verdicts WHERE key = ?", take, key);
  if (!verdict) {
    inside_->tell("INSERT INTO verdicts (key, facts, event) VALUES (nullif(?, ''), ?, ?)", key,
                  known.facts, known.event);
    verdict = sqlite3_last_insert_rowid(inside_->base);
  }
  inside_->tell("INSERT INTO attempts (person, exercise, at, points, max_points, passed, failed, "
                "verdict) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                attempt.person, attempt.exercise, attempt.at, std::int64_t{attempt.points},
                std::int64_t{attempt.max_points}, std::int64_t{attempt.passed}, attempt.failed,
                *verdict);
  all.commit(*inside_);
}

std::map<std::string, std::string> Ledger::last_of(const std::string& person) {
  std::map<std::string, std::string> found;
  inside_->ask(
      "SELECT a.exercise, v.facts FROM attempts a JOIN verdicts v ON v.id = a.verdict WHERE a.id "
      "IN (SELECT max(id) FROM attempts WHERE person = ? GROUP BY exercise)",
      [&](sqlite3_stmt* row) { found[Inside::text(row, 0)] = Inside::text(row, 1); }, person);
  return found;
}

void Ledger::hand_in(const std::string& person, const std::string& exercise, std::int64_t at,
                     const std::string& version) {
  inside_->tell("INSERT INTO hand_ins (person, exercise, at, version) VALUES (?, ?, ?, ?)", person,
                exercise, at, version);
}

const std::map<std::string, Ledger::HandedIn>& Ledger::handed_in(const std::string& person) {
  inside_->ask(
      "SELECT id, person, exercise, at, version FROM hand_ins WHERE id > ? ORDER BY id",
      [&](sqlite3_stmt* row) {
        inside_->hand_ins_read = Inside::number(row, 0);
        auto& one = inside_->handed_in[Inside::text(row, 1)][Inside::text(row, 2)];
        one = {Inside::number(row, 3), Inside::text(row, 4), one.times + 1};
      },
      inside_->hand_ins_read);
  return inside_->handed_in[person];
}

void Ledger::forget(const std::string& person) {
  inside_->execute("PRAGMA secure_delete = ON");
  Transaction all(*inside_);
  for (const char* words :
       {"DELETE FROM links WHERE person = ?", "DELETE FROM sessions WHERE person = ?",
        "DELETE FROM attempts WHERE person = ?", "DELETE FROM hand_ins WHERE person = ?"})
    inside_->tell(words, person);
  inside_->tell("DELETE FROM verdicts WHERE id NOT IN (SELECT verdict FROM attempts)");
  all.commit(*inside_);
  inside_->rows.erase(person);
  inside_->handed_in.erase(person);
  inside_->execute("VACUUM");
  inside_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

const Ledger::Rows& Ledger::rows() {
  inside_->ask(
      "SELECT id, person, exercise, at, points, max_points, passed, failed FROM attempts "
      "WHERE id > ? ORDER BY id",
      [&](sqlite3_stmt* row) {
        inside_->attempts_read = Inside::number(row, 0);
        const auto person = Inside::text(row, 1), exercise = Inside::text(row, 2);
        auto& one = inside_->rows[person][exercise];
        ++one.attempts;
        one.latest = {person,
                      exercise,
                      Inside::number(row, 3),
                      static_cast<int>(Inside::number(row, 4)),
                      static_cast<int>(Inside::number(row, 5)),
                      Inside::number(row, 6) != 0,
                      Inside::text(row, 7)};
        if (one.latest.passed && one.until_solved == 0) one.until_solved = one.attempts;
      },
      inside_->attempts_read);
  return inside_->rows;
}

} // namespace course::serve
