// The workshop of `course lsp`: exercises are graded, and programs run, in processes of their own.
#pragma once

#include "cli/grading_process.hpp"
#include "cli/lsp/workshop.hpp"
#include "report/editor/editor.hpp"
#include "system/descriptor.hpp"
#include "system/temporary_folder.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace course::cli {

// `course run` on a source file, in a process of its own, that is ended with its owner.
class RunProcess {
public:
  // `words`: options for course run. What it amounted to is written to `view`.
  RunProcess(std::string source, std::filesystem::path view, std::vector<std::string> words);
  RunProcess(RunProcess&&) = delete; // one process, one owner
  RunProcess& operator=(RunProcess&&) = delete;
  ~RunProcess();

  int descriptor() const { return output_.get(); } // readable when there is something to read
  bool over();                                     // after reading what is there

  const std::string& printed() const { return printed_; } // by it and by the program
  report::EditorView view();                              // once it is over

private:
  std::string source_, printed_;
  std::filesystem::path view_;
  system::Descriptor output_;
  pid_t process_ = -1;
};

class EditorWork : public Workshop {
public:
  // `run_words`: options for course run.
  explicit EditorWork(std::vector<std::string> run_words) : run_words_(std::move(run_words)) {}

  Kind kind_of(const std::string& path) override;
  void begin(const Task&) override;
  void end() override;
  std::string next_hint(const std::string& path) override;

  // Of what is at work, to wait for; -1 where nothing is.
  int descriptor() const;

  struct Done {
    report::EditorView view;
    std::string printed;
  };
  // Call it when the descriptor is readable. Nothing while the work goes on.
  std::optional<Done> look();

private:
  std::vector<std::string> run_words_;
  system::TemporaryFolder views_{"course_editor_"}; // what course run leaves for this process
  std::unique_ptr<GradingProcess> grading_;
  std::unique_ptr<RunProcess> run_;
};

} // namespace course::cli
