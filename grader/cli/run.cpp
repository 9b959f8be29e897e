// `course run`: any CUDA program on the emulated device, and what its kernels amounted to. Long,
// because options, what may end a run, and all that it writes stand together.
#include "build/own_program.hpp"
#include "cli/all_runs.hpp"
#include "cli/banks/default_banks.hpp"
#include "cli/chosen.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/expected.hpp"
#include "cli/heard.hpp"
#include "cli/order_text.hpp"
#include "cli/other_runs.hpp"
#include "cli/program_words.hpp"
#include "cli/progress_line.hpp"
#include "cli/project.hpp"
#include "cli/run_report.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "cli/written_file.hpp"
#include "device/emulator/emulator.hpp"
#include "device/emulator/explore/exploration.hpp"
#include "language/translate.hpp"
#include "report/annotations.hpp"
#include "report/editor/editor.hpp"
#include "report/json.hpp"
#include "report/launches/launch_faults.hpp"
#include "report/launches/launches.hpp"
#include "report/launches/summary.hpp"
#include "report/profile/source_page.hpp"
#include "report/sarif.hpp"
#include "runtime/live_program.hpp"
#include "runtime/program_file.hpp"
#include "system/environment.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>
#include <variant>

namespace course::cli {
namespace {

constexpr const char* kAbout = language::marked(R"(course run [OPTIONS] PROGRAM [ARGUMENTS...]

Our runtime takes the place of NVIDIA's in a program that was built with CUDA 13 like this:
  nvcc -arch=sm_90 -lineinfo -cudart shared -o prog prog.cu

  course run ./prog its arguments            a table by kernel and line, on standard error
  course run prog.cu its arguments           the same; nvcc is called first
  course run --as-written prog.cu            and takes nothing out that no result needs
  course run -I include prog.cu              -I, -D and -l are nvcc's
  course run --kernel turn ./prog            of the kernels with this in their names
  course run --launches ./prog               a row for each launch, not for each line
  course run --json counts.json ./prog       the counts for programs as well: all of them
  course run --html page.html ./prog         its sources with the counts beside each line
  course run --banks 2.x ./prog              conflicts as on compute capability 2.x
  course run --limit 60s ./prog              and ends it after a minute
  course run --sample 64 ./prog              64 blocks of each launch, for the counts of large ones
  course run --no-checks ./prog              faster: results and counts, and no look for races
  course run --stop-at-first ./prog          and fails at what a GPU happens to survive
  course run --expect known.txt ./prog       and fails unless it finds what known.txt lists
  course run --annotations ./prog            findings beside lines on GitHub
  course run --orders 20 ./prog              and again in 20 orders that the standard leaves open
  course run --order 7 ./prog                in the seventh of them alone
  course run --orders all ./prog             small kernels in every order that differs

What it prints, reads and returns is its own; the exit code is the program's, and 128 and the
signal's number when a signal ended it. Kernels are executed, so results are real; times are not.
Ctrl-C, SIGTERM and --limit end it, and what was executed until then is shown all the same, with the
exit code 130, 143, or 5. With --sample results are wrong where a launch has more blocks: the first,
the last and others between are executed, with whole clusters and with those that they wait for.
With --orders the program is started again for each, where its threads can tell who was first: what
it prints then is compared and not shown, and where it ends with another code than 0, that is the
exit code. The file of --expect has a line for each finding, "race main.cu:12", or none: where others
are found, or one of these is not, the exit code of a program that gives 0 is 9.

When it is not started: 2 it cannot be (not found, no PTX, ...), 3 nvcc refused it, 7 something is
missing here.
)");

constexpr const char* kAllOrders = "all"; // of --orders

struct RunOptions {
  std::string json, html, sarif, editor, expect, device = "emulated", banks = default_banks();
  bool quiet = false, as_written = false, no_checks = false, stop_at_first = false,
       annotations = false;
  std::optional<std::vector<Expected>> expected; // of the file `expect`
  std::uint64_t sample = 0;                      // blocks; 0: all
  std::string orders_text, order_text;
  bool all_orders = false;
  std::uint64_t orders = 0; // drawn, to be executed as well
  std::uint64_t order = 0;  // drawn, to be executed alone; 0: the device's own
  ChosenOrders choices;     // to be executed alone
  std::string limit_text;
  double limit = 0;                                    // seconds; 0: none
  std::vector<std::string> include, define, libraries; // for nvcc
  report::Shown shown;
  Colour colour = Colour::automatic;
  std::vector<std::string> program; // and its arguments
};

std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  return variables;
}

// Of the files with counts or findings.
std::set<std::string> paths_of(const report::LaunchReport& report) {
  std::set<std::string> paths;
  for (const auto& launch : report.launches)
    for (const auto& line : launch.lines) paths.insert(line.file);
  for (const auto& finding : report.findings) paths.insert(finding.file);
  return paths;
}

std::vector<report::Fault> faults_of(const report::LaunchReport& report) {
  return report::launch_faults(report, std::filesystem::current_path().string());
}

// The program's exit code, unless it is 0 and other things were found than expected.
int held_to(const std::vector<Expected>& expected, const report::LaunchReport& report, int code) {
  const auto others = unexpected(faults_of(report), expected);
  fmt::print(stderr, "{}", in_lines(others));
  return code == 0 && !others.none() ? +kFound : code;
}

std::string source_of(const std::string& path) {
  std::error_code error;
  const bool is_text = std::filesystem::is_regular_file(path, error);
  return is_text ? system::content_of(path).value_or("") : "";
}

report::SourcePage page_of(const report::LaunchReport& report, const device::Live& device) {
  report::SourcePage page;
  page.title = report.program;
  page.summary = report::caveats_of(report);
  for (auto& line : report::summary_of(report)) page.summary.push_back(std::move(line));
  page.instructions = device.instructions();
  page.findings = report.findings;
  auto paths = paths_of(report);
  for (const auto& line : page.instructions) paths.insert(line.file);
  for (const auto& launch : report.launches)
    page.lines.insert(page.lines.end(), launch.lines.begin(), launch.lines.end());
  for (const auto& path : paths) page.files.push_back({path, source_of(path)});
  return page;
}

// The program's own source first, then what it includes from beside it: system headers are nobody's
// to mend.
std::vector<report::SourceText> sources_of(const report::LaunchReport& report) {
  const auto& own = report.program;
  const auto folder = std::filesystem::path(own).parent_path().string() + "/";
  std::vector<report::SourceText> sources{{own, source_of(own)}};
  for (const auto& path : paths_of(report))
    if (path != own && path.starts_with(folder)) sources.push_back({path, source_of(path)});
  return sources;
}

// What ended a run before its end. Threads of their own find it out.
struct Stopped {
  runtime::Stop stop;
  std::atomic<int> signal{0}; // 0: the limit

  void by(int which) {
    signal = which;
    stop.now();
  }
  std::string name(const RunOptions& options) const {
    if (signal == 0) return "--limit " + options.limit_text;
    return signal == SIGINT ? "Ctrl-C" : std::string("SIG") + sigabbrev_np(signal);
  }
};

// Stops a run when its time is over.
class Limit {
public:
  Limit(double seconds, Stopped& stopped) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds, &stopped] {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return over_; }))
        stopped.by(0);
    });
  }
  Limit(const Limit&) = delete; // its thread knows it
  Limit& operator=(const Limit&) = delete;
  ~Limit() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

// "60s", "10m", "2h", "90": in seconds; nothing for what is no time.
std::optional<double> seconds_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !(number > 0) || number > 1e7) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.empty() || unit == "s") return number;
  if (unit == "m" || unit == "min") return number * 60;
  if (unit == "h") return number * 3600;
  return std::nullopt;
}

// As a shell gives it.
int exit_code_of(const runtime::LiveRun& run, const Stopped& stopped) {
  if (run.stopped) return stopped.signal == 0 ? +kTimedOut : 128 + stopped.signal;
  if (run.end != runtime::LiveRun::End::signalled) return run.code;
  const auto* name = strsignal(run.code);
  fmt::print(stderr, "course run: {}\n",
             run.code == SIGSEGV
                 ? tr("the program was ended by signal {} ({}); host code cannot use device memory "
                      "but through cudaMemcpy",
                      run.code, name)
                 : tr("the program was ended by signal {} ({})", run.code, name));
  return 128 + run.code;
}

int run_program(const RunOptions& options, const std::filesystem::path& file,
                std::vector<std::string> variables, ToldToEnd& told) {
  const auto place = find_workplace();
  if (const auto what = missing(place); !what.empty()) return complain("course run", kSetUp, what);
  emulator::Options how;
  how.gpu = place.host.gpu;
  how.banks = model::architecture_named(options.banks);
  how.count_instructions = !options.html.empty();
  how.check_memory = !options.no_checks;
  how.sample = options.sample;
  how.lenient = !options.stop_at_first;
  if (options.order) how.order = drawn_order(options.order);
  emulator::Exploration chosen;
  chosen.chosen = options.choices;
  chosen.most_orders = 1;
  if (!options.choices.empty()) how.exploration = &chosen;
  const auto device = emulator::make_live(how);
  const bool compiled = options.program.front().ends_with(".cu");
  const auto source = compiled ? text_of(options.program.front()) : std::string();
  static Stopped stopped; // as long as the process: a signal may come at any time
  told.call([](int signal) { stopped.by(signal); });
  const Limit limit(options.limit, stopped);
  const runtime::LiveProgram program{file, options.program, std::move(variables),
                                     place.host.runtime, source};
  std::string printed; // where it is compared
  const std::int64_t input_began = lseek(STDIN_FILENO, 0, SEEK_CUR);
  const auto began = std::chrono::steady_clock::now();
  const auto run = [&] {
    ProgressLine line(device->pace(), !options.quiet);
    auto shown = program;
    shown.output = line.output();
    shown.errors = line.errors();
    std::optional<Heard> heard;
    if (options.orders || options.all_orders)
      shown.output = heard.emplace(line.output() < 0 ? STDOUT_FILENO : line.output()).output();
    auto result = runtime::run_live(shown, *device, stopped.stop);
    if (heard) printed = heard->end();
    return result;
  }();
  if (run.end == runtime::LiveRun::End::not_started)
    return complain(
        "course run", kUsage,
        tr("{} could not be started: {}", report::printable(options.program.front()), run.reason));
  int code = exit_code_of(run, stopped);
  auto report =
      report_on(run, *device, {options.program.front(), options.banks, code, !options.no_checks});
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  report.order = options.order;
  report.choices = order_text(options.choices);
  if ((options.orders || options.all_orders) && !run.stopped) {
    const FirstTime first{run, *device, code, printed, input_began};
    report.orders = options.all_orders
                        ? run_in_all_orders(first, program, how, stopped.stop)
                        : run_in_other_orders(options.orders, first, program, how, stopped.stop);
    for (const auto& order : report.orders->otherwise)
      if (code == 0 && order.exit_code) code = *order.exit_code;
  }
  if (run.stopped) report.stopped_by = stopped.name(options);
  if (!options.quiet)
    fmt::print(stderr, "\n{}",
               report::launch_text(report, screen_of_errors(options.colour), options.shown));
  if (!options.json.empty())
    write_whole(options.json, report::json_text(report::launch_json(report)));
  if (!options.sarif.empty()) {
    const language::InEnglish for_programs;
    write_whole(options.sarif, report::json_text(report::sarif(faults_of(report),
                                                               "course run: ", COURSE_VERSION)));
  }
  if (options.annotations) fmt::print(stderr, "{}", report::annotations(faults_of(report), ""));
  if (!options.html.empty())
    write_whole(options.html, report::source_page(page_of(report, *device)));
  if (!options.editor.empty())
    write_whole(options.editor,
                report::json_text(report::json(report::editor_view(report, sources_of(report)))));
  return options.expected ? held_to(*options.expected, report, code) : code;
}

// What a person can do where nvcc's own words do not say it.
std::string why_not_compiled(const std::filesystem::path& source) {
  const auto read = system::read_file(source, build::kLargestSource);
  const auto* text = std::get_if<std::string>(&read);
  const auto has = [&](const char* part) { return text && text->find(part) != text->npos; };
  if (has("#include <torch/"))
    return tr("nvcc did not compile it; without PyTorch, the course's examples/torch stands for "
              "it: -I FOLDER");
  if (text && !has("main("))
    return tr("nvcc did not compile it: it has no main. An exercise is for ./course grade and "
              "./course profile");
  return tr("nvcc did not compile it");
}

// The program to start: the one that was named, or the one that nvcc makes of a source file. The
// exit code when there is none, which has been said.
std::variant<std::filesystem::path, int> program_of(const RunOptions& options) {
  const auto& typed = options.program.front();
  std::error_code error;
  if (typed.ends_with(".cu") && std::filesystem::is_regular_file(typed, error)) {
    const auto place = find_workplace();
    if (!place.toolkit)
      return complain("course run", kSetUp, tr("there is no nvcc to compile it with"));
    std::vector<std::string> flags;
    if (options.as_written)
      flags.assign(std::begin(build::kAsWrittenFlags), std::end(build::kAsWrittenFlags));
    for (const auto& folder : options.include) flags.push_back("-I" + folder);
    for (const auto& macro : options.define) flags.push_back("-D" + macro);
    for (const auto& library : options.libraries) flags.push_back("-l" + library);
    auto program = build::build_program(*place.toolkit, *place.host.gpu, typed,
                                        std::filesystem::temp_directory_path(), flags);
    if (!program) return complain("course run", kDidNotCompile, why_not_compiled(typed));
    return std::move(*program);
  }
  if (options.as_written || !options.include.empty() || !options.define.empty() ||
      !options.libraries.empty())
    return complain(
        "course run", kUsage,
        tr("--as-written, -I, -D and -l are for a .cu file, which nvcc is then called for"));
  auto found = runtime::find_program(typed, system::environment("PATH").value_or(""));
  if (const auto* why = std::get_if<runtime::NotFound>(&found))
    return complain("course run", kUsage, in_words(*why));
  return std::move(std::get<std::filesystem::path>(found));
}

int run_supervised(const RunOptions& options, std::vector<std::string> variables, ToldToEnd& told) {
  auto program = program_of(options);
  if (const auto* code = std::get_if<int>(&program)) return *code;
  const auto& file = std::get<std::filesystem::path>(program);
  const auto host = find_workplace().host;
  if (const auto why = runtime::why_not_runnable(file, host.runtime, *host.gpu))
    return complain("course run", kUsage,
                    tr("{} cannot be run here: {}", report::printable(options.program.front()),
                       in_words(*why)));
  try {
    return run_program(options, file, std::move(variables), told);
  } catch (const std::filesystem::filesystem_error& failed) {
    return not_writable("course run", failed);
  }
}

void read_orders(RunOptions& options) {
  options.all_orders = options.orders_text == kAllOrders;
  options.orders = drawn_of(options.orders_text).value_or(0);
  options.order = drawn_of(options.order_text).value_or(0);
  options.choices = orders_of(options.order_text).value_or(ChosenOrders());
}

int run(RunOptions& options) {
  read_orders(options);
  if (options.program.empty())
    return complain("course run", kUsage, tr("which program? course run ./prog"));
  if (options.device == "gpu")
    return complain("course run", kUsage,
                    tr("on a GPU a program runs by itself; course run is for the emulated "
                       "device"));
  if (options.json == "-" || options.html == "-" || options.sarif == "-")
    return complain("course run", kUsage,
                    tr("standard output is the program's own; --json, --html and --sarif need the "
                       "name of a file"));
  if (!options.limit_text.empty()) {
    const auto limit = seconds_of(options.limit_text);
    if (!limit)
      return complain("course run", kUsage,
                      tr("--limit {}: a time is a number with s, m or h behind it: 60s",
                         report::printable(options.limit_text)));
    options.limit = *limit;
  }
  if (!options.expect.empty()) {
    const auto text = system::content_of(options.expect);
    if (!text)
      return complain("course run", kUsage,
                      tr("{} cannot be read", report::printable(options.expect)));
    auto expected = expected_of(*text);
    if (const auto* wrong = std::get_if<std::string>(&expected))
      return complain("course run", kUsage,
                      fmt::format("{}: {}", report::printable(options.expect), *wrong));
    options.expected = std::move(std::get<std::vector<Expected>>(expected));
  }
  auto variables = environment(); // with the user's own TMPDIR
  return supervised(
      [&](ToldToEnd& told) { return run_supervised(options, std::move(variables), told); });
}

void add_files(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
  command->add_option("--json", options->json, "Write the counts here")->type_name("FILE");
  command->add_option("--html", options->html, "Write the sources here, with counts beside lines")
      ->type_name("FILE");
  command->add_option("--sarif", options->sarif, "Write findings and waste here, for editors")
      ->type_name("FILE");
  command
      ->add_option("--expect", options->expect,
                   "Fail unless this list of findings is what there is")
      ->type_name("FILE");
  command->add_flag("--annotations", options->annotations,
                    "Say findings as GitHub Actions puts them beside lines");
  command->add_option("--editor", options->editor)->group(""); // course lsp's own
}

void add_execution(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
  command->add_option("--banks", options->banks, "Count shared memory by this device's rules")
      ->check(CLI::IsMember(model::architecture_names()))
      ->type_name("RULES");
  command->add_option("--device", options->device, "emulated")
      ->check(CLI::IsMember({"auto", "emulated", "gpu"}))
      ->type_name("DEVICE");
  command->add_flag("--as-written", options->as_written,
                    "Compile without optimising device code, so that every access is seen");
  command->add_option("--limit", options->limit_text, "End it after this time: 60s, 10m, 2h")
      ->type_name("TIME");
}

void add_orders(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
  auto* sample = command->add_option("--sample", options->sample,
                                     "Execute so many blocks of each launch, for counts");
  sample->check(CLI::PositiveNumber)->type_name("BLOCKS");
  auto* orders =
      command->add_option("--orders", options->orders_text,
                          "Execute it in so many orders more that nobody promises, or all");
  auto* order =
      command->add_option("--order", options->order_text, "Execute it in this one of them");
  const auto is_count = [](const std::string& text) {
    return text == kAllOrders || drawn_of(text)
               ? std::string()
               : tr("\"{}\" is neither a number from 1 on nor \"{}\"", text, kAllOrders);
  };
  const auto is_order = [](const std::string& text) {
    return drawn_of(text) || orders_of(text)
               ? std::string()
               : tr("\"{}\" is neither the number of an order nor one step by step", text);
  };
  orders->check(CLI::Validator(is_count, ""))->type_name("N")->excludes(order, sample);
  order->check(CLI::Validator(is_order, ""))->type_name("NUMBER")->excludes(sample);
  command->add_flag("--no-checks", options->no_checks,
                    "Do not look for races and reads of what nothing has written");
  command->add_flag("--stop-at-first", options->stop_at_first,
                    "Fail at what a GPU happens to survive, as reads just past an allocation");
}

// Of nvcc, by its own names.
void add_compilation(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
  command->add_option("-I", options->include, "Where nvcc looks for headers")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command->add_option("-D", options->define, "A macro for nvcc")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("-l", options->libraries, "A library for nvcc: cublas, curand")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void add_what_is_shown(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
  command->add_option("--kernel", options->shown.kernel, "Show kernels with this in their names")
      ->type_name("NAME");
  command->add_flag("--launches", options->shown.each_launch, "Show each launch by itself");
  command->add_flag("--quiet,-q", options->quiet, "No table, and nothing while it runs");
  command->add_option("--color,--colour", options->colour, "auto, always, never")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Colour>{{"auto", Colour::automatic},
                                                                        {"always", Colour::always},
                                                                        {"never", Colour::never}})
                      .description(""))
      ->type_name("WHEN");
}

} // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "run", "Run any CUDA program without a GPU, and count");
  const auto options = std::make_shared<RunOptions>();
  command->footer(kAbout);
  command->prefix_command(); // what follows the program is the program's
  add_files(command, options);
  add_execution(command, options);
  add_orders(command, options);
  add_compilation(command, options);
  add_what_is_shown(command, options);
  command->callback([command, options, &exit_code] {
    options->program = command->remaining();
    exit_code = run(*options);
  });
}

} // namespace course::cli
