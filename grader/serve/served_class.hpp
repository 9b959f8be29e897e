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

#include "classroom/late_days.hpp"
#include "lab/exercise.hpp"
#include "serve/class_folder.hpp"
#include "serve/desk.hpp"
#include "serve/ledger.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::serve {

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
    // Called when the instructor's files were read again: nothing: they hold from now on; what is
    // wrong with them: what held before still does.
    std::function<void(const std::optional<ClassFault>&)> read_again = {};
  };
  ServedClass(std::filesystem::path folder, Means);

  // Makes the folders. Only for who holds the class's lock. Throws
  // std::filesystem::filesystem_error.
  void prepare();

  // Reads the instructor's files again where one was written since; true: something else holds now,
  // or is wrong. To be called now and then: what two calls find in one state is no half-written
  // file. The pointers that find() gave are worth nothing afterwards.
  bool look();
  // How often something else held or was wrong, since the start.
  std::uint64_t version() const { return version_; }

  const std::vector<Participant>& participants() const { return read_.participants; }
  const Participant* find(const std::string& id) const;
  // Whom a server in front means, by a name in lower case.
  std::optional<std::string> named(const std::string& name) const;
  std::filesystem::path home_of(const Participant&) const;
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

  // Takes somebody out of the folder for good: files, what the ledger has, the rows of the tables
  // and what class.toml says of them. Only for who holds the class's lock, before it serves.
  void forget(const Participant&);
  // By what somebody can be found in the folder.
  std::set<std::string> words_for(const Participant&) const;

  // What a page is told of the class: its name, who this is, deadlines, what was handed in, and the
  // free late days that it takes.
  nlohmann::json state_for(const Participant&);
  // What an instructor is told: each student's standing, each exercise's, and what is wrong with a
  // file that was written since.
  nlohmann::json overview();

private:
  std::filesystem::path folder_;
  Means means_;
  std::string stamp_, found_; // of the files as they were read, and as they were at the last look
  ClassFolder read_;
  std::optional<ClassFault> fault_; // of files written since
  std::uint64_t version_ = 0;
  Ledger ledger_;
  std::uint64_t seed_ = 0;

  Ledger::Attempt attempt_of(const Desk&, const Desk::Grading&, const nlohmann::json& facts) const;
  std::map<std::string, classroom::LateLab> late_labs_of(const Participant&);
  nlohmann::json labs_for(const Participant&,
                          const std::map<std::string, classroom::LateLab>&) const;
  nlohmann::json exercises_of(const Ledger::Rows&) const;
  nlohmann::json exercises_of(const Participant&, const Ledger::Rows&);
};

} // namespace course::serve
