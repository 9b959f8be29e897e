// `course serve`: the course in a browser.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/serve_class.hpp"
#include "cli/serving.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "serve/secret.hpp"
#include "serve/server.hpp"
#include "system/environment.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/program.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAboutServe = language::marked(
    R"(It prints an address and opens it where there is a browser. Each exercise of a page has an editor
with your own file in labs/, and what ./course grade, hint, diff, history, reset and next do, as
buttons. What you type is saved in the file, and what another editor saves there appears on the page.
The playground, at the end of the contents, runs any program as ./course run does, in the sandbox.

The address has a key: who has it can read and change these files. It is one of this machine alone,
127.0.0.1; from elsewhere: ssh -L 8890:127.0.0.1:8890 MACHINE

--class FOLDER serves a class: its roster.csv says who is in it, and students need a browser alone.
INSTRUCTORS.md has the web server that belongs in front, and what lies in the folder.

  course serve                 Ctrl-C ends it
  course serve --port 9000     another port
  course serve --new-key       addresses that were printed before open nothing any more
  course serve --class ~/cs420 --address https://cuda.uni.example --login links
                               a class by personal links
  course serve --class ~/cs420 --address https://cuda.uni.example --links
                               those links, as a table
)");

constexpr std::uint16_t kPort = 8890, kPortsTried = 10;

struct ServeOptions {
  std::optional<std::uint16_t> port;
  std::string book, device, root;
  bool new_key = false, no_browser = false;
  ClassOptions of_class;
};

std::atomic<bool> told_to_end = false;

void publish_for_me(const fs::path& file, std::string_view text) {
  system::Draft draft(file, 0600);
  draft.write(text);
  draft.publish();
}

// Kept, so that pages that are open go on when the server comes back.
std::string key_of(const fs::path& state, bool fresh) {
  const auto file = state / "key";
  const auto kept = system::content_of(file);
  if (!fresh && kept && serve::is_secret(*kept)) return *kept;
  auto key = serve::new_secret();
  publish_for_me(file, key);
  return key;
}

// Beside a build of this course, or where the package has put it.
fs::path book_of(const fs::path& root, const std::string& given) {
  std::error_code none;
  if (!given.empty()) return fs::absolute(given, none);
  const auto home = fs::read_symlink("/proc/self/exe", none).parent_path().parent_path();
  const auto prefix = home.parent_path().parent_path();
  for (const auto& book : {root / "build" / "book" / "html", home / "book" / "html",
                           prefix / "share" / "doc" / home.filename() / "html"})
    if (fs::exists(book / "index.html", none)) return book;
  return {};
}

// The address goes through a file of this user's: what is on a command line, everybody of this
// machine can read.
void open_browser(const fs::path& state, const std::string& address) {
  if (system::environment("DISPLAY").value_or("").empty() &&
      system::environment("WAYLAND_DISPLAY").value_or("").empty())
    return;
  const auto page = state / "open.html";
  publish_for_me(page, fmt::format("<!doctype html><meta http-equiv=\"refresh\" "
                                   "content=\"0;url={}\"><title>course</title>\n",
                                   address));
  system::start({{"xdg-open", page.string()},
                 {},
                 std::nullopt,
                 {{STDIN_FILENO}, {STDOUT_FILENO}, {STDERR_FILENO}},
                 false,
                 true});
}

// At the port that was asked for, or else at the first of a few that is free.
std::unique_ptr<serve::Server> started(serve::Settings settings, const std::string& key,
                                       std::optional<std::uint16_t> port) {
  settings.listen.port = port.value_or(kPort);
  for (int more = port ? 0 : kPortsTried;; --more) {
    try {
      return std::make_unique<serve::Server>(settings, std::make_unique<serve::KeyLogin>(key));
    } catch (const std::system_error& error) {
      if (more == 0 || error.code() != std::errc::address_in_use) throw;
    }
    ++settings.listen.port;
  }
}

serve::Settings settings_of(const fs::path& root, const fs::path& book) {
  std::error_code none;
  serve::Settings settings;
  settings.root = root;
  settings.book = book;
  settings.program = fs::read_symlink("/proc/self/exe", none).parent_path() / "course";
  return settings;
}

int serve_one(const ServeOptions& options, const fs::path& root, const fs::path& book) {
  const auto state = root / ".course" / "serve";
  const system::FileLock lock(state / "lock", system::FileLock::Busy::give_up);
  if (!lock.held())
    return complain("course serve", kSetUp,
                    tr("another course serve has this folder, {}. Its address is in the terminal "
                       "that started it.",
                       root.string()));
  auto settings = settings_of(root, book);
  settings.progress_file = progress_file(root);
  const auto key = key_of(state, options.new_key);
  if (!options.device.empty()) settings.grade_with = {"--device", options.device};
  settings.refused =
      tr("This address lacks the key, or has an old one. Open the whole address that "
         "./course serve printed.") +
      "\n";
  try {
    const auto server = started(std::move(settings), key, options.port);
    const auto address = fmt::format("http://127.0.0.1:{}/?key={}", server->port(), key);
    fmt::print("{}\n\n  {}\n\n{}\n", tr("The course is at"), address,
               tr("Who has this address can read and change your files in labs/. Ctrl-C ends it."));
    std::fflush(stdout);
    if (!options.no_browser) open_browser(state, address);
    run_until_told(*server);
  } catch (const std::system_error& error) {
    return complain("course serve", kSetUp,
                    tr("port {} cannot be used: {}. Another one: course serve --port N",
                       options.port.value_or(kPort), error.code().message()));
  }
  return kPassed;
}

int serve(const ServeOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course serve", kUsage, no_root());
  if (options.of_class.links) return print_links(options.of_class, *root);
  if (!options.of_class.forgotten.empty()) return forget_in_class(options.of_class, *root);
  const auto book = book_of(*root, options.book);
  if (book.empty() || !fs::exists(book / "live.js"))
    return complain("course serve", kSetUp,
                    tr("there is no book to serve. In a clone of the course, ./course book builds "
                       "it; --book FOLDER says where it is."));
  try {
    if (options.of_class.folder.empty()) return serve_one(options, fs::canonical(*root), book);
    auto settings = settings_of(fs::canonical(*root), book);
    settings.listen.port = options.port.value_or(kPort);
    return serve_class(options.of_class, std::move(settings), options.device);
  } catch (const fs::filesystem_error& error) {
    return not_writable("course serve", error);
  }
}

void add_class_options(CLI::App& command, ClassOptions& options) {
  auto* folder = command.add_option("--class", options.folder, "Serve the class of this folder")
                     ->type_name("FOLDER");
  command
      .add_option("--address", options.address,
                  "Where students' browsers find it: https://cuda.uni.example")
      ->type_name("URL")
      ->needs(folder);
  command
      .add_option("--login", options.login,
                  "links: each student has one; header:NAME: a server in front says who it is, in "
                  "this header")
      ->type_name("HOW")
      ->needs(folder);
  command
      .add_option("--socket", options.socket,
                  "Listen at a socket in the file system, instead of at a port of 127.0.0.1")
      ->type_name("FILE")
      ->needs(folder);
  command.add_option("--workers", options.workers, "Gradings at once; one a core by default")
      ->type_name("N")
      ->needs(folder)
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--through", options.through,
                  "Words before the program of a grading; 'nice -n 10' by default. 'srun -n1' "
                  "grades on a Slurm cluster that sees both folders")
      ->type_name("WORDS")
      ->needs(folder);
  auto* links = command.add_flag("--links", options.links, "Only print everybody's link, as a CSV")
                    ->needs(folder);
  command
      .add_option("--new-link", options.new_link,
                  "With --links: a new one for this student; the old one opens nothing any more")
      ->type_name("ID")
      ->needs(links);
  auto* forget = command
                     .add_option("--forget", options.forgotten,
                                 "Only say where the folder names this person; course forget does "
                                 "it as well")
                     ->type_name("ID")
                     ->needs(folder)
                     ->excludes(links);
  command.add_flag("--yes", options.yes, "With --forget: take them out, for good")->needs(forget);
}

} // namespace

void run_until_told(serve::Server& server) {
  struct sigaction action {};
  action.sa_handler = [](int) { told_to_end = true; };
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) sigaction(one, &action, nullptr);
  server.run([] { return !told_to_end; });
}

void add_serve(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "serve", "The course in a browser: read, edit, grade");
  const auto options = std::make_shared<ServeOptions>();
  command->footer(with_exit_codes(kAboutServe));
  command
      ->add_option("--port", options->port,
                   "8890, or the next that is free, by default; 0: any that is free")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  command->add_option("--device", options->device, "As for course grade")
      ->check(CLI::IsMember({"auto", "emulated", "gpu"}))
      ->type_name("DEVICE");
  command->add_option("--book", options->book, "The built book, when it is not found by itself")
      ->type_name("FOLDER");
  command->add_flag("--new-key", options->new_key,
                    "A new key; old addresses open nothing any more");
  command->add_flag("--no-browser", options->no_browser, "Print the address, and open nothing");
  add_class_options(*command, options->of_class);
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

} // namespace course::cli
