#include "cli/serve_class.hpp"

#include "classroom/grader_digest.hpp"
#include "classroom/mentions.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/serving.hpp"
#include "cli/skeletons.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/csv.hpp"
#include "report/text.hpp"
#include "sandbox/hidden.hpp"
#include "sandbox/rung.hpp"
#include "system/fields.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <vector>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using serve::ClassFault;
using serve::LedgerError;
using serve::ServedClass;

constexpr std::string_view kHeader = "header:";
constexpr const char* kLinks = "links";
constexpr std::size_t kMostConnections = 2048, kMostWaiting = 1024;
constexpr unsigned kNice = 10; // of gradings, so that pages go on

int refuse(ExitCode code, const std::string& what) {
  return complain("course serve", code, what);
}

std::int64_t clock_time() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 128) || c == '-';
  });
}

std::string no_address() {
  return tr("--address says where students' browsers find the course, as in "
            "https://cuda.uni.example");
}

// Why a class cannot be served so; empty when it can.
std::string complaint_of(const ClassOptions& options) {
  const auto site = serve::site_at(options.address);
  if (!site) return no_address();
  const bool is_local =
      site->hosts.front().starts_with("127.0.0.1") || site->hosts.front().starts_with("localhost");
  if (!site->tls && !is_local)
    return tr("{} would send keys and names in the clear. A web server with a certificate belongs "
              "in front: INSTRUCTORS.md has its configuration",
              options.address);
  if (options.login == kLinks) return "";
  if (!options.login.starts_with(kHeader) ||
      !is_header_name(std::string_view(options.login).substr(kHeader.size())))
    return tr("--login says how students log in: links, or header:NAME of the header in which a "
              "server in front says who it is");
  if (options.socket.empty())
    return tr("--login {} needs --socket FILE: at a port, anybody on this machine could say to be "
              "somebody",
              options.login);
  return "";
}

// Programs in the sandbox read the system's folders.
std::string exposed(const fs::path& folder) {
  for (const auto& system : sandbox::system_folders()) {
    const auto below = folder.lexically_relative(system);
    if (!below.empty() && *below.begin() != "..")
      return tr("students' programs can read what lies below {}: put the class elsewhere",
                system.string());
  }
  return "";
}

// A digest of what a verdict depends on; empty where a GPU is asked, whose times differ.
std::string grader_of(const fs::path& folder, const fs::path& program, const std::string& device) {
  if (device != "emulated") return "";
  const auto place = find_workplace();
  return system::joined(
      {classroom::grader_digest(folder / "serve", classroom::grading_programs(program, place.host)),
       place.toolkit ? place.toolkit->version : "", sandbox::rung()},
      " ");
}

std::string in_words(const ClassFault& fault) {
  using Why = ClassFault::Why;
  switch (fault.why) {
  case Why::no_roster:
    return tr("{} is missing: a CSV of who is in the class, with some of the columns "
              "id,name,email,login",
              fault.where);
  case Why::nobody:
    return tr("{} names nobody", fault.where);
  case Why::no_plain_name:
    return tr("{}: {} needs an id, a login or an e-mail address of plain letters, which becomes "
              "the name of a folder",
              fault.where, fault.who);
  case Why::twice:
    return tr("{}: {} is in roster.csv as well", fault.where, fault.who);
  case Why::unknown:
    return tr("{}: {} is nobody of the class, or more than one", fault.where, fault.who);
  case Why::unreadable:
    return fault.where;
  }
  return "";
}

std::unique_ptr<ServedClass> class_of(const ClassOptions& options, const fs::path& root,
                                      const std::string& grader) {
  ServedClass::Means means;
  means.read_again = [](const std::optional<ClassFault>& fault) {
    fmt::print(stderr, "{}\n",
               fault ? tr("{}. What held before still does", in_words(*fault))
                     : tr("the class was changed and read again"));
  };
  means.exercises = &lab::exercises(root);
  // Asked of git, which takes a moment, once for each.
  means.skeleton = [root, known = std::map<std::string, std::optional<std::string>>()](
                       const lab::Exercise& exercise) mutable {
    const auto [at, fresh] = known.try_emplace(exercise.id);
    if (fresh) at->second = released_skeleton(exercise, root);
    return at->second;
  };
  means.grader = grader;
  means.now = clock_time;
  return std::make_unique<ServedClass>(options.folder, std::move(means));
}

std::unique_ptr<serve::Login> login_of(const ClassOptions& options, ServedClass& of) {
  if (options.login == kLinks) return std::make_unique<serve::LinkLogin>(of.ledger(), clock_time);
  return std::make_unique<serve::HeaderLogin>(
      [&of](const std::string& name) { return of.named(name); });
}

// A page that waits for news holds a connection.
void allow_many_files() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

void adjust(serve::Settings& settings, const ClassOptions& options, const std::string& device,
            ServedClass& of) {
  settings.site = serve::site_at(options.address);
  settings.workers =
      options.workers > 0 ? options.workers : std::max(1u, std::thread::hardware_concurrency());
  settings.limits.connections = kMostConnections;
  settings.most_waiting = kMostWaiting;
  settings.grade_with = {"--device", device, "--seed", fmt::format("{}", of.ledger().seed())};
  if (options.login != kLinks) settings.limits.user_header = options.login.substr(kHeader.size());
  if (!options.socket.empty()) settings.listen.socket = fs::absolute(options.socket);
  settings.through = options.through.empty()
                         ? std::vector<std::string>{"nice", "-n", fmt::format("{}", kNice)}
                         : system::fields_of(options.through, ' ');
  settings.refused = tr("This page is for those of the class. Open the whole link that your "
                        "instructor gave you, or ask for a new one.") +
                     "\n";
  settings.not_noted =
      tr("The link is right, but the server could not note down that you came: its "
         "disk may be full. Tell your instructor. What you saved is kept, and the "
         "link will work again.") +
      "\n";
}

void greet(const ClassOptions& options, const serve::Settings& settings, const ServedClass& of,
           std::uint16_t port) {
  const auto students =
      std::ranges::count(of.participants(), false, &serve::Participant::instructs);
  fmt::print("{}\n",
             trn("{} student, {} at {}", "{} students, {} at {}",
                 static_cast<std::size_t>(students), students, options.folder, options.address));
  fmt::print("{}\n", options.socket.empty()
                         ? tr("It listens at 127.0.0.1:{} for the web server in front.", port)
                         : tr("It listens at {} for the web server in front.",
                              settings.listen.socket.string()));
  if (has_solutions(settings.root))
    fmt::print("{}\n", tr("This course has its solutions: third hints are answers here, and its "
                          "book quotes them. ./course publish makes a copy without."));
  std::fflush(stdout);
}

int serve_here(const ClassOptions& options, serve::Settings settings, const std::string& device) {
  const system::FileLock lock(fs::path(options.folder) / "serve" / "lock",
                              system::FileLock::Busy::give_up);
  if (!lock.held())
    return refuse(kSetUp, tr("another course serve has this class, {}", options.folder));
  const auto grader = grader_of(options.folder, settings.program, device);
  const auto of = class_of(options, settings.root, grader);
  of->prepare();
  adjust(settings, options, device, *of);
  allow_many_files();
  serve::Server server(settings, login_of(options, *of), of.get());
  greet(options, settings, *of, server.port());
  run_until_told(server);
  return kPassed;
}

// What cannot be used of a class, or of the machine, ends the command with words.
int guarded(const ClassOptions& options, const std::function<int()>& does) {
  try {
    return does();
  } catch (const serve::ClassError& error) {
    return refuse(kUsage, in_words(error.fault));
  } catch (const LedgerError& error) {
    return refuse(kSetUp, tr("{}/serve/ledger.sqlite: {}", options.folder, error.what()));
  } catch (const std::system_error& error) {
    return refuse(kSetUp, tr("{}: {}", options.socket.empty() ? options.folder : options.socket,
                             error.code().message()));
  }
}

} // namespace

int print_links(const ClassOptions& options, const fs::path& root) {
  if (!serve::site_at(options.address)) return refuse(kUsage, no_address());
  return guarded(options, [&] {
    const auto of = class_of(options, root, "");
    if (!options.new_link.empty()) {
      if (!of->find(options.new_link))
        return refuse(kUsage, tr("nobody of the class is {}", options.new_link));
      of->ledger().new_link(options.new_link);
    }
    auto address = options.address;
    while (address.ends_with('/')) address.pop_back();
    fmt::print("id,name,email,link\n");
    for (const auto& one : of->participants()) {
      if (!options.new_link.empty() && one.id != options.new_link) continue;
      fmt::print("{},{},{},{}/?key={}\n", report::csv_cell(one.id),
                 report::csv_cell(one.person.name), report::csv_cell(one.person.email), address,
                 of->ledger().link_of(one.id));
    }
    return int{kPassed};
  });
}

namespace {

// The ledger's files that have one of these words; in them, words stand side by side.
std::vector<fs::path> ledger_files_with(const fs::path& folder,
                                        const std::set<std::string>& words) {
  constexpr std::size_t kTelling = 5; // fewer letters are anywhere
  std::vector<fs::path> files;
  for (const char* name : {"serve/ledger.sqlite", "serve/ledger.sqlite-wal"}) {
    const auto bytes = system::content_of(folder / name).value_or("");
    if (std::ranges::any_of(words, [&](const auto& word) {
          return word.size() >= kTelling && bytes.find(word) != bytes.npos;
        }))
      files.emplace_back(name);
  }
  return files;
}

// Where the folder says one of these words; the number of places.
std::size_t print_places(const fs::path& folder, const std::set<std::string>& words) {
  auto found = classroom::mentions(folder, words);
  for (const auto& file : ledger_files_with(folder, words))
    if (std::ranges::none_of(found.places, [&](const auto& place) {
          return place.starts_with(file.string() + ":");
        }))
      found.places.push_back(file.string());
  for (const auto& place : found.places)
    fmt::print("  {}\n", report::printable((folder / place).string()));
  fmt::print("{}\n", tr("{}: {} files searched; places: {}", folder.string(), found.searched,
                        found.places.size()));
  return found.places.size();
}

} // namespace

int forget_in_class(const ClassOptions& options, const fs::path& root) {
  const fs::path folder = options.folder;
  std::error_code none;
  if (!fs::exists(folder / "serve" / "ledger.sqlite", none))
    return refuse(kUsage, tr("{} is no folder of a class that was served", options.folder));
  return guarded(options, [&]() -> int {
    const system::FileLock lock(folder / "serve" / "lock", system::FileLock::Busy::give_up);
    if (!lock.held())
      return refuse(kSetUp,
                    tr("a course serve has this class, {}: end it first, and start it again "
                       "afterwards",
                       options.folder));
    const auto of = class_of(options, root, "");
    const auto* who = of->find(options.forgotten);
    if (!who) return refuse(kUsage, tr("nobody of the class is {}", options.forgotten));
    const auto words = of->words_for(*who);
    fmt::print("{}\n", tr("searched for: {}",
                          report::printable(system::joined({words.begin(), words.end()}, ", "))));
    if (options.yes) of->forget(*who);
    const auto left = print_places(folder, words);
    if (!options.yes) fmt::print("{}\n", tr("nothing was changed: --yes removes it"));
    if (options.yes && left == 0) fmt::print("{}\n", tr("nothing is left"));
    return left == 0 || !options.yes ? kPassed : kFailed;
  });
}

int serve_class(const ClassOptions& options, serve::Settings settings, const std::string& device) {
  if (const auto what = complaint_of(options); !what.empty()) return refuse(kUsage, what);
  if (const auto what = uncontained(); !what.empty()) return refuse(kSetUp, what);
  std::error_code none;
  if (!fs::is_directory(options.folder, none))
    return refuse(kUsage, tr("there is no folder {}", options.folder));
  if (const auto what = exposed(fs::canonical(options.folder)); !what.empty())
    return refuse(kSetUp, what);
  auto absolute = options;
  absolute.folder = fs::canonical(options.folder).string();
  return guarded(absolute, [&] {
    return serve_here(absolute, std::move(settings), device.empty() ? "emulated" : device);
  });
}

} // namespace course::cli
