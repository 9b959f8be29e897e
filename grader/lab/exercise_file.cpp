#include "lab/exercise_file.hpp"

#include "lab/case_data.hpp"
#include "lab/drawn.hpp"
#include "lab/own_checks.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace course::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHints = 3;

using Shared = std::shared_ptr<const Source>;
using Numbers = decltype(Case::numbers);

Case with(Case one, const Numbers& numbers) {
  one.numbers = numbers;
  return one;
}

std::vector<Case> named_cases(const Source& source, const Numbers& numbers) {
  Scope scope;
  std::vector<Case> cases;
  const auto shapes = source.table["shapes"].table({"named", "drawn"})["named"].elements();
  for (const auto& shape : shapes) {
    if (shape.table().keys() != shapes[0].table().keys())
      shape.fail("each shape has to give a value to the same names as the first");
    set_variables(shape, scope);
    cases.push_back(with(make_case(source, scope), numbers));
  }
  if (cases.empty()) source.table["shapes"].fail("there are no named shapes");
  return cases;
}

std::vector<Case> drawn_cases(const Source& source, const Numbers& numbers, Draw& draw) {
  std::vector<Case> cases;
  for (const auto& shape : source.table["shapes"].table()["drawn"].elements()) {
    Scope scope(&draw);
    define(shape, scope);
    cases.push_back(with(make_case(source, scope), numbers));
  }
  return cases;
}

TimeLimit time_limit(const Shared& source, const Numbers& numbers) {
  const auto time = source->table["time"].table({"peer", "at_most", "shape", "does_not_pay"});
  TimeLimit limit;
  const auto peer = time["peer"].text();
  if (peer != "solution" && peer != "copy") time["peer"].fail("a peer is \"solution\" or \"copy\"");
  limit.peer = peer == "copy" ? TimeLimit::Peer::copy : TimeLimit::Peer::solution;
  limit.ratio = time["at_most"].number();
  if (const auto why = time["does_not_pay"]) limit.does_not_pay = why.text();
  if (!source->table["reference"])
    source->table["time"].fail(
        "a time needs a `reference`: the solution is too slow without a GPU");
  limit.shape = [source, numbers, shape = time["shape"]] {
    Scope scope;
    set_variables(shape, scope);
    return with(make_case(*source, scope), numbers);
  };
  return limit;
}

// ---- the exercise

// The exercise's own, or else its lab's.
fs::path reference_file(const Node& reference, const fs::path& labs, const std::string& id) {
  if (!reference || !reference.is_text() || reference.text() != kReferenceInFile) return {};
  const auto own = labs / (id + ".reference.cpp"), common = own.parent_path() / "reference.cpp";
  for (const auto& file : {own, common})
    if (fs::exists(file)) return file;
  reference.fail(
      fmt::format("there is no '{}' beside it, and no reference.cpp", own.filename().string()));
}

Kind requests_named(const Node& node) {
  const auto kind = kind_named(node.text());
  if (!kind) node.fail(fmt::format("there are no requests of `{}`", node.text()));
  return *kind;
}

Graded check_of(const std::string& name, const Table& check, const Answers& answers,
                Numbers& numbers) {
  Graded graded;
  graded.check = name;
  graded.points = static_cast<int>(check["points"].number());
  if (const auto after = check["after"]) graded.pair = after.text();
  graded.reason = check["reason"].text();
  const auto kind = check["kind"];
  if (!kind) return graded;
  OwnSettings settings;
  settings.kind = kind.text();
  settings.name = graded.check;
  if (check["of"]) settings.of = requests_named(check["of"]);
  if (check["where"]) settings.where = check["where"].text();
  if (check["at_least"]) settings.at_least = static_cast<std::uint64_t>(check["at_least"].number());
  for (const auto& most : check["up_to"].elements())
    settings.up_to.push_back(static_cast<std::uint64_t>(most.number()));
  settings.answers = answers.values;
  settings.is_known = answers.are_known;
  settings.is_measured = answers.are_measured;
  if (const auto also = check["also"]) {
    settings.also_limit = also.table({"limit", "of"})["limit"].text();
    settings.also_of = requests_named(also.table()["of"]);
  }
  const auto made = own_check(settings);
  if (const auto* why = std::get_if<std::string>(&made)) kind.fail(*why);
  const auto& own = std::get<OwnCheck>(made);
  graded.own = own.check;
  if (own.numbers) numbers = own.numbers;
  return graded;
}

// "8.0", or "9.0a" for what no later GPU has: as nvcc names its targets.
GpuNeeds gpu_needs(const Node& gpu) {
  GpuNeeds needs;
  if (!gpu) return needs;
  const auto given = gpu.table({"compute_capability", "shared_bytes"});
  if (const auto bytes = given["shared_bytes"])
    needs.shared_bytes = static_cast<std::uint64_t>(bytes.number());
  const auto named = given["compute_capability"];
  if (!named) return needs;
  const auto text = named.text();
  const auto digit = [&](std::size_t at) {
    return text.size() > at && text[at] >= '0' && text[at] <= '9';
  };
  needs.alone = text.ends_with('a');
  if (text.size() != (needs.alone ? 4u : 3u) || !digit(0) || text[1] != '.' || !digit(2))
    named.fail("a compute capability is \"8.0\", or \"9.0a\" where no later GPU has it");
  needs.capability = 10 * (text[0] - '0') + (text[2] - '0');
  return needs;
}

constexpr auto kKeys = {
    "title",           "signature", "skeleton_fails", "launches",  "one_writer",
    "strict_acquires", "hints",     "explanation",    "mentioned", "given",
    "way_check",       "check",     "shapes",         "label",     "let",
    "extent",          "tolerance", "budget",         "elements",  "way",
    "limits",          "data",      "reference",      "when",      "time",
    "constants",       "lines",     "measured",       "answers",   "uses",
    "never",           "gpu",       "solution_costs", "device",    "calls_succeed"};

std::vector<std::string> words_or_none(const Node& node) {
  return node ? node.words() : std::vector<std::string>{};
}

// What else than its .toml files a verdict of it depends on; some of them may not be there.
void note_files(Exercise& exercise, const Table& table, const fs::path& root) {
  auto& files = exercise.files;
  const auto lab = root / "labs" / exercise.lab();
  files.push_back(lab / "reference.cpp");
  files.push_back(lab / (exercise.name() + ".reference.cpp"));
  const auto data = root / "book" / "data";
  if (const auto measured = table["measured"])
    files.push_back(data / measured.table()["table"].text());
  const bool asked =
      std::ranges::any_of(exercise.cases, [](const Case& one) { return !one.by_solution.empty(); });
  if (asked || exercise.time) files.push_back(exercise.solution);
  if (exercise.time) files.push_back(data / "h200" / "exercise_times.csv"); // reports quote it
}

struct Installed {
  fs::path course, answers;
};
Installed& installed() {
  static Installed kept;
  return kept;
}

// A copy that was changed, by `publish` or by hand, is another exercise: its solution may be, too.
bool is_as_installed(const fs::path& root, const std::string& id) {
  const auto step = fs::path("labs") / (id + ".toml");
  return std::ranges::all_of(std::array{step, step.parent_path() / "lab.toml"}, [&](auto& data) {
    return system::content_of(root / data) == system::content_of(installed().course / data);
  });
}

fs::path answers_of(const fs::path& root, const std::string& id) {
  std::error_code none;
  const bool copy = !installed().course.empty() && !fs::is_directory(root / "solutions", none);
  return copy && is_as_installed(root, id) ? installed().answers : root;
}

Exercise exercise_of(Table table, const std::string& id, const fs::path& root) {
  table.only(kKeys);
  auto source = std::make_shared<Source>();
  source->answers = answers_of(table, root / "book" / "data");
  const auto read = parse_signature(table["signature"].text());
  if (const auto* why = std::get_if<std::string>(&read)) table["signature"].fail(*why);
  source->signature = std::get<Signature>(read);

  Exercise exercise;
  exercise.id = id;
  exercise.root = root;
  exercise.solution = answers_of(root, id) / "solutions" / (id + ".cu");
  exercise.reference_file = reference_file(table["reference"], root / "labs", id);
  exercise.title = table["title"].text();
  exercise.signature = table["signature"].text();
  exercise.function = source->signature.function;
  exercise.launches = !table["launches"].is_no();
  exercise.one_writer = table["one_writer"].is_yes();
  exercise.strict_acquires = table["strict_acquires"].is_yes();
  exercise.calls_succeed = table["calls_succeed"].is_yes();
  exercise.skeleton_fails = table["skeleton_fails"].text();
  if (const auto check = table["way_check"]) exercise.way_check = check.text();
  exercise.mentioned = words_or_none(table["mentioned"]);
  exercise.given = words_or_none(table["given"]);
  exercise.hints = table["hints"].words();
  if (exercise.hints.size() != kHints) table["hints"].fail("there should be three hints");
  if (exercise.hints.back().empty()) exercise.hints.pop_back(); // students do not get it
  exercise.explanation = table["explanation"].text();
  if (const auto lines = table["lines"]) {
    const auto most = lines.table({"skeleton", "solution"});
    exercise.skeleton_lines = static_cast<std::size_t>(most["skeleton"].number());
    exercise.solution_lines = static_cast<std::size_t>(most["solution"].number());
  }

  Numbers numbers;
  const auto checks = table["check"].table();
  for (const auto& name : checks.keys_in_order()) {
    const auto check = checks[name].table({"points", "after", "reason", "asks", "question", "kind",
                                           "of", "also", "where", "at_least", "up_to"});
    exercise.checks.push_back(check_of(name, check, source->answers, numbers));
    if (const auto question = check["question"])
      exercise.questions[exercise.checks.back().check] = question.text();
  }
  source->by_solution = asked_of_solution(table);
  source->table = std::move(table);
  exercise.cases = named_cases(*source, numbers);
  if (source->table["shapes"].table()["drawn"])
    exercise.drawn = [shared = Shared(source), numbers](Draw& draw) {
      return drawn_cases(*shared, numbers, draw);
    };
  exercise.gpu = gpu_needs(source->table["gpu"]);
  if (source->table["time"]) exercise.time = time_limit(source, numbers);
  note_files(exercise, source->table, root);
  exercise.data = {source, &source->table};
  return exercise;
}

bool is_step(const fs::path& file) {
  return file.extension() == ".toml" && file.filename() != "lab.toml";
}

template <class Iterator, class Keep>
std::vector<fs::path> sorted(Iterator entries, Keep keep) {
  std::vector<fs::path> paths;
  for (const auto& entry : entries)
    if (keep(entry)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

} // namespace

void solve_copies(fs::path course, fs::path answers) {
  installed() = {std::move(course), std::move(answers)};
}

Exercise read_exercise(const fs::path& file) {
  const auto folder = file.parent_path();
  std::vector<fs::path> files{file};
  if (fs::exists(folder / "lab.toml")) files.insert(files.begin(), folder / "lab.toml");
  const auto id = folder.filename().string() + "/" + file.stem().string();
  try {
    auto exercise = exercise_of(Table::read(files), id, folder.parent_path().parent_path());
    exercise.files.insert(exercise.files.begin(), files.begin(), files.end());
    return exercise;
  } catch (const CourseError& error) {
    // lab.toml may be right for all its exercises but this one.
    const std::string why = error.what();
    if (why.starts_with(file.string())) throw;
    throw CourseError(fmt::format("{}; read for '{}'", why, id));
  }
}

std::vector<Exercise> read_exercises(const fs::path& labs) {
  std::error_code none;
  fs::directory_iterator entries(labs, none);
  if (none)
    throw CourseError(fmt::format("{}: it cannot be read: {}", labs.string(), none.message()));
  std::vector<Exercise> all;
  for (const auto& lab : sorted(std::move(entries), [](const auto& e) { return e.is_directory(); }))
    for (const auto& file :
         sorted(fs::directory_iterator(lab), [](const auto& e) { return is_step(e.path()); }))
      all.push_back(read_exercise(file));
  if (all.empty())
    throw CourseError(
        fmt::format("{}: there are no exercises; each is a NN_name/K_step.toml", labs.string()));
  return all;
}

} // namespace course::lab
