// What `course lsp` answers: the Language Server Protocol 3.17, from message to messages.
//
// A file is graded, or a program run, when it is saved; what that found stays beside its lines
// while they are edited, and a newer save ends the work on an older one. Nothing is read or written
// here: files, processes and the connection are the workshop's and the sender's.
//
// As under `course watch`, a save that changed nothing is not graded again, and each grading of a
// student's own file is remembered, but for the one when it is opened: nobody asked for that.
#pragma once

#include "cli/lsp/editor_messages.hpp"
#include "cli/lsp/moved_lines.hpp"
#include "cli/lsp/workshop.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::cli {

class LanguageServer {
public:
  // When programs are run, which do whatever their authors want: opening a file is no reason yet.
  enum class RunWhen { opened, saved, asked };
  struct Settings {
    RunWhen run = RunWhen::saved;
    std::string version; // of the grader
  };
  using Send = std::function<void(const Json& message)>;

  LanguageServer(Settings settings, Workshop& workshop, Send send)
      : settings_(std::move(settings)), workshop_(workshop), send_(std::move(send)) {}

  // A message of the editor's, whatever bytes it is.
  void receive(const std::string& message);

  // The task that was begun last is done. `printed`: what it printed, for the editor's log.
  void finished(const report::EditorView&, const std::string& printed = "");

  bool over() const { return over_; } // told to exit
  int exit_code() const { return shut_down_ ? 0 : 1; }

private:
  struct Document {
    std::string path;
    Workshop::Kind kind{};
    bool stands = false;          // its grading is of its text, and remembered
    std::set<std::string> others; // URIs of other files that it has marks in
    std::vector<Edit> since;      // the work for it began
  };
  struct Waiting {
    std::string uri;
    Task task;
  };

  void answer(const Json& message);
  std::optional<Json> result_of(const std::string& method, const Json& params); // of a request
  void take(const std::string& method, const Json& params);                     // a notification
  void respond(const Json& id, const Json& result);
  void refuse(const Json& id, int code, const std::string& what);
  void notify(const std::string& method, const Json& params);
  void request(const std::string& method, const Json& params);

  Json initialize(const Json& params);
  Json actions(const Json& params) const;
  Json execute(const Json& params);

  void open(const Json& params);
  void change(const Json& params);
  void save(const Json& params);
  void close(const Json& params);

  void want(const std::string& uri, Task::What what, bool remembered);
  void drop(const std::string& uri); // what waits or is at work for it
  void go_on();
  void begin_progress(const Waiting& work);
  void end_progress(const std::string& summary);
  void show(const std::string& uri, Document& document, const report::EditorView& view);
  void publish(const std::string& uri, const report::EditorFile& file);
  const report::EditorFile& known_of(const Json& params) const;
  Document* document(const std::string& uri);

  Settings settings_;
  Workshop& workshop_;
  Send send_;
  EditorSkills skills_;
  bool initialized_ = false, shut_down_ = false, over_ = false;
  std::map<std::string, Document> documents_;       // by URI
  std::map<std::string, report::EditorFile> known_; // by path
  std::deque<Waiting> waiting_;
  std::optional<Waiting> at_work_;
  int requests_ = 0;     // that were sent
  std::string progress_; // the token of the one that is shown
};

} // namespace course::cli
