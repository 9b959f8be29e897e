// `course mcp`: runs programs and counts for an assistant.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/mcp/mcp_server.hpp"
#include "cli/mcp/message_lines.hpp"
#include "cli/mcp_work.hpp"
#include "cli/project.hpp"
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

namespace fs = std::filesystem;

constexpr const char* kAboutMcp = language::marked(
    R"(An assistant starts it, and talks with it over standard input and output in the Model Context
Protocol, revision 2025-06-18 or one of the two before. Its tools: run (a CUDA program: what is wrong
with it, and its counts by line), trace (lanes and banks of a request), banks (what an access costs).

Programs are compiled and run in the sandbox. Files are read below the working folder alone, and of a
course none but the sources of its labs.

What an assistant starts; INSTALL.md has the lines for its settings:
  course mcp                       files are those below the working folder
  course mcp --folder ~/kernels    those below this one
)");

// The connection to the assistant.
class McpConnection {
public:
  McpConnection(const mcp::WorkingFolder& folder, bool for_students)
      : work_(folder, !for_students),
        server_({COURSE_VERSION, !for_students, folder.path().string()}, work_,
                [this](const mcp::Json& message) { send(message); }) {}

  int serve() {
    while (!gone_) {
      std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {work_.descriptor(), POLLIN, 0}}};
      const int patience = work_.at_work() ? static_cast<int>(McpWork::kLook.count()) : -1;
      if (poll(waits.data(), waits.size(), patience) < 0 && errno != EINTR) break;
      if (waits[0].revents != 0) listen();
      if (const auto answer = work_.look()) server_.finished(*answer);
    }
    work_.end();
    return kPassed;
  }

private:
  void send(const mcp::Json& message) {
    const auto text = message.dump(-1, ' ', false, mcp::Json::error_handler_t::replace);
    gone_ = gone_ || !system::write_all(STDOUT_FILENO, text + "\n");
  }

  void listen() {
    std::array<char, 65536> bytes;
    const auto got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) return;
    gone_ = gone_ || got <= 0;
    if (got > 0) lines_.add({bytes.data(), static_cast<std::size_t>(got)});
    while (const auto line = lines_.next()) {
      if (line->too_long)
        server_.too_long(mcp::MessageLines::kMost);
      else
        server_.receive(line->text);
    }
  }

  McpWork work_;
  mcp::MessageLines lines_;
  bool gone_ = false; // the assistant
  mcp::Server server_;
};

int serve_mcp(const std::string& given) {
  std::error_code error;
  const auto folder = given.empty() ? fs::current_path(error) : fs::path(given);
  if (!fs::is_directory(folder, error))
    return complain("course mcp", kUsage, tr("there is no folder {}", folder.string()));
  const auto root = find_root(std::string());
  hide_courses(root);
  const bool for_students = root && !has_solutions(*root);
  const mcp::WorkingFolder working(folder, {cache_folder()});
  return supervised([&] {
    const language::InEnglish for_programs;
    return McpConnection(working, for_students).serve();
  });
}

} // namespace

void add_mcp(CLI::App& app, int& exit_code) {
  auto* command =
      add_command(app, "mcp", "Tools for an assistant: run a CUDA program, count, trace");
  const auto folder = std::make_shared<std::string>();
  command->footer(kAboutMcp);
  command
      ->add_option("--folder", *folder, "Files below it may be run; the working folder by default")
      ->type_name("FOLDER");
  command->callback([folder, &exit_code] { exit_code = serve_mcp(*folder); });
}

} // namespace course::cli
