// `course banks`: what the model of the hardware says of requests, from a file or one at a time.
// What is wrong with a file or an expression is on standard error, and then nothing on standard
// output.
#include "cli/banks/default_banks.hpp"
#include "cli/banks/one_request.hpp"
#include "cli/banks/pattern_file.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "language/translate.hpp"
#include "system/environment.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace course::cli {
namespace {

constexpr int kWidestPage = 80;

struct Options {
  std::string file;
  std::string access = "load";
  std::string device = default_banks(), swizzle = "none";
  Question question;
};

int refuse(const std::string& message) {
  std::cerr << message << "\n";
  return kUsage;
}

std::string location(const std::string& name, const PatternError& error) {
  std::string text = fmt::format("{}:{}: ", name, error.line);
  return error.column.empty() ? text : text + tr("column {}: ", error.column);
}

// Nothing is printed unless every row is good.
int print_file(std::istream& stream, const std::string& name) {
  const ParsedPatterns parsed = parse_patterns(stream);
  if (parsed.errors.empty()) {
    std::cout << with_results(parsed.file) << std::flush;
    return std::cout ? 0 : refuse(tr("standard output: cannot be written"));
  }
  std::string message;
  for (const PatternError& error : parsed.errors)
    message += location(name, error) + error.message + "\n";
  if (parsed.errors.size() == ParsedPatterns::kMostErrors)
    message += tr("{}: only the first {} errors are shown\n", name, parsed.errors.size());
  return refuse(message + tr("Nothing was printed, because every row must be good."));
}

// What a reader of the command's name would try first.
bool is_program(const std::string& name) {
  return name.ends_with(".cu") || name.ends_with(".cuh") || name.ends_with(".cpp");
}

int refuse_program(const std::string& name) {
  return refuse(
      tr("{}: is source code, and this command is asked of single requests. To count what "
         "a program does, by its lines: ./course run {}\n"
         "An exercise: ./course grade; an access by its index: course banks --index '33*t'",
         name, name));
}

int answer_file(const std::string& name) {
  if (is_program(name)) return refuse_program(name);
  if (name == "-") return print_file(std::cin, tr("standard input"));
  if (std::filesystem::is_directory(name))
    return refuse(tr("{}: is a folder; name a file in it", name));
  std::ifstream file(name, std::ios::binary);
  if (!file) return refuse(tr("{}: cannot be read: {}", name, std::strerror(errno)));
  return print_file(file, name);
}

int terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidestPage;
  return std::min<int>(size.ws_col, kWidestPage);
}

model::RequestKind access_of(const std::string& name) {
  return name == "store"    ? model::RequestKind::shared_store
         : name == "atomic" ? model::RequestKind::shared_atomic
                            : model::RequestKind::shared_load;
}

int answer_question(const Options& options) {
  if (is_program(options.question.index)) return refuse_program(options.question.index);
  Question question = options.question;
  question.access = access_of(options.access);
  question.swizzle = model::swizzle_named(options.swizzle).value();
  question.architecture = model::architecture_named(options.device);
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  question.colour = terminal && system::environment("NO_COLOR").value_or("").empty();
  question.columns = terminal ? terminal_columns() : kWidestPage;
  const auto page = answer(question);
  if (const auto* refusal = std::get_if<Refusal>(&page)) return refuse(refusal->message);
  std::cout << std::get<std::string>(page) << std::flush;
  return std::cout ? 0 : refuse(tr("standard output: cannot be written"));
}

int run(const Options& options, bool has_index) {
  if (has_index) return answer_question(options);
  if (!options.file.empty()) return answer_file(options.file);
  return refuse(tr("Give a file of requests, or one request with --index.\n"
                   "  course banks access_patterns.csv\n"
                   "  course banks --index '33*t' --width 4"));
}

} // namespace

void add_banks(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* banks = app.add_subcommand(
      "banks", language::marked(
                   "Count bank conflicts: of the requests in a file, or of one given by --index"));
  banks->footer("An index is an expression in t, the lane: + - * / % ^ & | << >> ( ), numbers in "
                "decimal or 0x,\nwith C++'s precedence. It counts elements of --width bytes.\n"
                "  course banks --index '33*t'\n"
                "  course banks --index '(t % 8) * 32 + t / 8' --width 8 --access store\n"
                "  course banks --index '8*t' --width 16 --swizzle 128B");

  CLI::Option* file = banks->add_option(
      "FILE", options->file,
      "CSV of requests, as grader/device/model/data/access_patterns.csv; - reads standard input");
  Question& question = options->question;
  CLI::Option* index =
      banks->add_option("--index", question.index, "Which element lane t uses, such as '33*t'");
  index->excludes(file);
  banks->add_option("--width", question.width, "Bytes of an element: 1, 2, 4, 8, 16")
      ->check(CLI::IsMember({1, 2, 4, 8, 16}))
      ->needs(index)
      ->capture_default_str();
  banks->add_option("--access", options->access, "load, store or atomic")
      ->check(CLI::IsMember({"load", "store", "atomic"}))
      ->needs(index)
      ->capture_default_str();
  banks->add_option("--mask", question.active, "Active lanes, bit by bit (default: 0xffffffff)")
      ->needs(index);
  banks->add_option("--device", options->device, "By which device's rules")
      ->check(CLI::IsMember(model::architecture_names()))
      ->needs(index)
      ->capture_default_str();
  banks
      ->add_option("--swizzle", options->swizzle,
                   "Of the tensor map that brought the tile: none, 32B, 64B, 128B")
      ->check(CLI::IsMember(
          std::vector<std::string>(model::kSwizzleNames.begin(), model::kSwizzleNames.end())))
      ->needs(index)
      ->capture_default_str();
  banks->callback([options, index, &exit_code] { exit_code = run(*options, index->count() > 0); });
}

} // namespace course::cli
