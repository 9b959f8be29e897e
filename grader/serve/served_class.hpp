// A class that is served from a folder of plain files.
//
//   class.toml          what holds, as `course class --settings` has it; may be missing
//   roster.csv          who is in the class, as `course class --roster` has it
//   instructors.csv     the same for those who may see everybody; may be missing
//   students/ID/        labs/NN_name/K_step.cu as far as they were opened, and .course
//   instructors/ID/     the same
//   handed_in/ID/       the newest of each file handed in: what `course class handed_in` grades
//   handed_in_all/ID/   each file handed in, by its time
//   serve/              of this server alone: the ledger, its lock, what is being graded
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/settings.hpp"
#include "lab/exercise.hpp"
#include "serve/desk.hpp"
#include "serve/ledger.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::serve {

// What of a class's folder cannot be used.
struct ClassFault {
  enum class Why {
    no_roster,     // `where` is missing
    nobody,        // `where` names nobody
    no_plain_name, // `who` has no id, login or address that a folder can be called by
    twice,         // `who`, of `where`, is in the roster as well
    unknown,       // `who`, named at `where`, is nobody of the class, or more than one
    unreadable,    // `where` is a sentence of who reads such files, with file and line
  } why = Why::unreadable;
  std::string where, who = {};
};
struct ClassError : std::runtime_error {
  explicit ClassError(ClassFault of) : std::runtime_error(of.where), fault(std::move(of)) {}
  ClassFault fault;
};

struct Participant {
  std::string id; // of nobody else, students and instructors alike; plain: a folder has it
  classroom::Person person;
  bool instructs = false;
};

class ServedClass {
public:
  // `skeleton`: the text that an exercise begins as; nothing where it is not to be had. `grader`:
  // a digest of all that a verdict depends on beside text, exercise and seed; empty: verdicts are
  // not the same again, as with a GPU that times. `now`: seconds since 1970. Throws ClassError,
  // LedgerError and std::filesystem::filesystem_error.
  struct Means {
    const std::vector<lab::Exercise>* exercises = nullptr;
    std::function<std::optional<std::string>(const lab::Exercise&)> skeleton;
    std::string grader;
    std::function<std::int64_t()> now;
  };
  ServedClass(std::filesystem::path folder, Means);

  // Makes the folders. Only for who holds the class's lock. Throws
  // std::filesystem::filesystem_error.
  void prepare();

  const std::vector<Participant>& participants() const { return participants_; }
  const Participant* find(const std::string& id) const;
  // Names that a server in front may say, in lower case, of all who have only one of that name.
  std::map<std::string, std::string> by_name() const;
  std::filesystem::path scratch() const { return folder_ / "serve" / "scratch"; }
  Ledger& ledger() { return ledger_; }
  std::int64_t now() const { return means_.now(); }

  // A desk with what came of earlier gradings. Throws LedgerError.
  std::unique_ptr<Desk> desk(const Participant&);
  // The file of an exercise, as it begins, where there is none yet.
  void begin(Desk&, const lab::Exercise&);

  // What a verdict on this text will be known by; empty where it is not the same again.
  std::string key_of(const lab::Exercise&, const std::string& text, const std::string& language);
  // The facts of a verdict that is known, once it is in this student's log and the ledger.
  std::optional<nlohmann::json> known(const Desk&, const Desk::Grading&);
  // Whether it was kept.
  bool keep(const Desk&, const Desk::Grading&, const nlohmann::json& facts);

  // A copy, on the disk when this returns; of a text that was handed in last as well, that one,
  // with its time. Why there is none: the text's own reason. Nothing: there are
  // StudentFiles::kMostKept of the exercise.
  std::optional<std::variant<Ledger::HandedIn, NoText>> hand_in(Desk&, const std::string& exercise);

  // What a page is told of the class: its name, who this is, deadlines, what was handed in.
  nlohmann::json state_for(const Participant&);
  // What an instructor is told: each student's standing, each exercise's.
  nlohmann::json overview();

private:
  std::filesystem::path folder_;
  Means means_;
  classroom::Settings settings_;
  std::vector<Participant> participants_;
  Ledger ledger_;
  std::uint64_t seed_ = 0;

  void read_people(const char* file, bool instruct);
  void find_exceptions();
  std::filesystem::path home_of(const Participant&) const;
  Ledger::Attempt attempt_of(const Desk&, const Desk::Grading&, const nlohmann::json& facts) const;
  nlohmann::json labs_for(const Participant&) const;
  nlohmann::json exercises_of(const std::vector<Ledger::Row>&) const;
};

} // namespace course::serve
