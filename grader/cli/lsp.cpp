// `course lsp`: grades and counts beside the lines of an editor.
#include "cli/among.hpp"
#include "cli/commands.hpp"
#include "cli/editor_work.hpp"
#include "cli/exit_codes.hpp"
#include "cli/lsp/framing.hpp"
#include "cli/lsp/language_server.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "language/translate.hpp"
#include "system/stream.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <memory>
#include <poll.h>
#include <unistd.h>

namespace course::cli {
namespace {

constexpr const char* kAboutLsp = language::marked(
    R"(An editor starts it, and talks with it over standard input and output in the Language Server
Protocol 3.17; editors/README.md says how Neovim, Helix, Emacs and Visual Studio Code are told.

A file of an exercise is graded when it is opened and when it is saved, as by course watch; those
of saves are in your history. Any other .cu file with a main() is run when it is saved, as by
course run.

What an editor starts:
  course lsp                           as above
  course lsp --run asked               runs no program by itself: that is a code action
  course lsp -I include --limit 60s    for programs
)");

struct LspOptions {
  LanguageServer::RunWhen run = LanguageServer::RunWhen::saved;
  std::string limit = "20s";
  std::vector<std::string> include, define;
};

std::vector<std::string> run_words(const LspOptions& options) {
  std::vector<std::string> words{"--limit", options.limit};
  for (const auto& folder : options.include) words.insert(words.end(), {"-I", folder});
  for (const auto& macro : options.define) words.insert(words.end(), {"-D", macro});
  return words;
}

// The connection to the editor.
class Connection {
public:
  explicit Connection(const LspOptions& options)
      : work_(run_words(options)), server_({options.run, COURSE_VERSION}, work_,
                                           [this](const Json& message) { send(message); }) {}

  int serve() {
    while (!server_.over() && !gone_) {
      std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {work_.descriptor(), POLLIN, 0}}};
      if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) break;
      if (waits[0].revents != 0) {
        listen(); // which may have begun other work
      } else if (waits[1].revents != 0) {
        look();
      }
    }
    work_.end();
    return reader_.lost() ? +kUsage : server_.exit_code();
  }

private:
  void send(const Json& message) {
    const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    gone_ = gone_ || !system::write_all(STDOUT_FILENO, framed(text));
  }

  void listen() {
    std::array<char, 65536> bytes;
    const auto got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) return;
    gone_ = gone_ || got <= 0;
    if (got > 0) reader_.add({bytes.data(), static_cast<std::size_t>(got)});
    while (const auto message = reader_.next()) server_.receive(*message);
    if (!reader_.lost()) return;
    say_wrong("course lsp", tr("what came is no message of the Language Server Protocol; an editor "
                               "starts this command, see editors/README.md"));
    gone_ = true;
  }

  void look() {
    if (const auto done = work_.look()) server_.finished(done->view, done->printed);
  }

  EditorWork work_;
  MessageReader reader_;
  bool gone_ = false; // the editor
  LanguageServer server_;
};

int lsp(const LspOptions& options) {
  return supervised([&] { return Connection(options).serve(); });
}

} // namespace

void add_lsp(CLI::App& app, int& exit_code) {
  auto* command =
      add_command(app, "lsp", "A language server: counts beside the lines of an editor");
  const auto options = std::make_shared<LspOptions>();
  command->footer(kAboutLsp);
  command
      ->add_option("--run", options->run,
                   "When programs are run, which do whatever they do: opened, saved, asked")
      ->transform(among<LanguageServer::RunWhen>({{"opened", LanguageServer::RunWhen::opened},
                                                  {"saved", LanguageServer::RunWhen::saved},
                                                  {"asked", LanguageServer::RunWhen::asked}}))
      ->type_name("WHEN");
  command->add_option("--limit", options->limit, "For a program's run, as of course run")
      ->capture_default_str()
      ->type_name("TIME");
  command->add_option("-I", options->include, "Where nvcc looks for headers of programs")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command->add_option("-D", options->define, "A macro for nvcc")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--stdio")->description(
      language::marked("What it does anyway: some editors say so"));
  command->callback([options, &exit_code] { exit_code = lsp(*options); });
}

} // namespace course::cli
