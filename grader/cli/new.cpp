// `course new`: an exercise to begin with, for its author to change.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "language/translate.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using language::marked;

struct NewOptions {
  std::string id, root, like;
  bool reference = false; // in a file
};

bool all_of_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "09_mine/1_first"
bool is_id(const std::string& id) {
  const auto slash = id.find('/');
  if (slash == id.npos) return false;
  const auto lab = id.substr(0, slash), step = id.substr(slash + 1);
  return lab.size() > 3 && is_digit(lab[0]) && is_digit(lab[1]) && lab[2] == '_' &&
         all_of_name(lab) && step.size() > 2 && is_digit(step[0]) && step[1] == '_' &&
         all_of_name(step);
}

struct NewFile {
  fs::path from, to;
  const char* what; // it is, for its author
};

const char* const kSkeleton = marked("the skeleton: what students get; it compiles, and fails");
const char* const kData = marked("what it is: title, shapes, points, limits, hints, explanation");
const char* const kCommon = marked("what the exercises of the lab have in common");
const char* const kSolution = marked("the solution: the skeleton with the work done");
const char* const kReference =
    marked("the reference: the right answer, as host code of the same signature");
const char* const kWrong = marked("a wrong variant: it fails what its first line says");
const char* const kEdits =
    marked("wrong variants, by what they change: each fails what its comment says");
const char* const kHonest = marked("an honest way: another solution, which passes");
const char* const kChapter =
    marked("the chapter: what the book says, and where it sets the exercise");

fs::path templates() {
  return fs::path(COURSE_SOURCE_DIR) / "grader/lab/template";
}

// "05_transpose/2_pad" in its two halves.
fs::path lab_of(const std::string& id) {
  return fs::path(id).parent_path();
}
std::string step_of(const std::string& id) {
  return fs::path(id).filename().string();
}

// The files of `folder` that begin with `before`, under names that begin with `after` in `to`.
void add_renamed(std::vector<NewFile>& files, const fs::path& folder, const std::string& before,
                 const fs::path& to, const std::string& after, const char* what) {
  std::error_code none;
  std::vector<NewFile> found;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(before) && name.ends_with(".cu"))
      found.push_back({entry.path(), to / (after + name.substr(before.size())), what});
  }
  std::ranges::sort(found, {}, &NewFile::to);
  files.insert(files.end(), found.begin(), found.end());
}

fs::path reference_of(const fs::path& root, const std::string& id) {
  return root / "labs" / (id + ".reference.cpp");
}

// An exercise of the template.
std::vector<NewFile> from_template(const std::string& id, const fs::path& root, bool reference) {
  const auto from = templates();
  const auto solutions = root / "solutions" / lab_of(id);
  std::vector<NewFile> files{{from / "skeleton.cu", root / "labs" / (id + ".cu"), kSkeleton},
                             {from / "exercise.toml", root / "labs" / (id + ".toml"), kData},
                             {from / "solution.cu", root / "solutions" / (id + ".cu"), kSolution}};
  if (reference) files.push_back({from / "reference.cpp", reference_of(root, id), kReference});
  files.push_back({from / "wrong.diff", solutions / "wrong" / (step_of(id) + ".diff"), kEdits});
  add_renamed(files, from, "honest_", solutions / "honest", step_of(id) + "_", kHonest);
  return files;
}

// A copy of the exercise `like` of the course in `source`, with what its lab has in common where
// the other lab is new.
std::vector<NewFile> from_exercise(const std::string& id, const fs::path& root,
                                   const std::string& like, const fs::path& source) {
  const auto solutions = root / "solutions" / lab_of(id), theirs = source / "solutions";
  const auto common = source / "labs" / lab_of(like), lab = root / "labs" / lab_of(id);
  const auto own = reference_of(source, like), shared = common / "reference.cpp";
  std::vector<NewFile> files{
      {source / "labs" / (like + ".cu"), root / "labs" / (id + ".cu"), kSkeleton},
      {source / "labs" / (like + ".toml"), root / "labs" / (id + ".toml"), kData},
      {theirs / (like + ".cu"), root / "solutions" / (id + ".cu"), kSolution}};
  if (fs::exists(common / "lab.toml") && !fs::exists(lab))
    files.insert(files.begin() + 2, {common / "lab.toml", lab / "lab.toml", kCommon});
  if (fs::exists(own))
    files.push_back({own, reference_of(root, id), kReference});
  else if (fs::exists(shared) && !fs::exists(lab / "reference.cpp"))
    files.push_back({shared, reference_of(root, id), kReference});
  const auto edits = fs::path(lab_of(like)) / "wrong" / (step_of(like) + ".diff");
  if (fs::exists(theirs / edits))
    files.push_back({theirs / edits, solutions / "wrong" / (step_of(id) + ".diff"), kEdits});
  for (const auto& [kind, what] : {std::pair{"wrong", kWrong}, std::pair{"honest", kHonest}})
    add_renamed(files, theirs / lab_of(like) / kind, step_of(like) + "_", solutions / kind,
                step_of(id) + "_", what);
  return files;
}

// The first exercise of the lab, where a lab.toml says what all of them have in common: the
// template has nothing of it.
std::string first_of_common(const std::string& id, const fs::path& root) {
  const auto folder = root / "labs" / lab_of(id);
  std::vector<std::string> steps;
  std::error_code none;
  if (!fs::exists(folder / "lab.toml")) return "";
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".cu" && fs::exists(fs::path(entry).replace_extension(".toml")))
      steps.push_back((lab_of(id) / entry.path().stem()).string());
  return steps.empty() ? "" : *std::ranges::min_element(steps);
}

void replace(std::string& text, const std::string& before, const std::string& after) {
  for (auto at = text.find(before); at != text.npos; at = text.find(before, at + after.size()))
    text.replace(at, before.size(), after);
}

// What a new exercise begins as: another exercise, and the course that has it; or nothing.
struct Model {
  std::string id;
  fs::path root;
};

// Says it where there is no such exercise, or where its lab has other things in common.
std::variant<Model, std::string> model_of(const NewOptions& options, const fs::path& root) {
  auto like = options.like.empty() ? first_of_common(options.id, root) : options.like;
  if (like.empty()) return Model{};
  for (const auto& course : {fs::absolute(root), fs::path(COURSE_SOURCE_DIR)}) {
    if (!is_id(like) || !fs::exists(course / "labs" / (like + ".toml"))) continue;
    const auto common = course / "labs" / lab_of(like) / "lab.toml";
    const auto folder = root / "labs" / lab_of(options.id);
    const bool same = fs::exists(folder) && fs::equivalent(folder, common.parent_path());
    if (!same && fs::exists(folder) && (fs::exists(common) || fs::exists(folder / "lab.toml")))
      return tr("{} cannot be copied to {}: the exercises of a lab share its lab.toml. Make it in "
                "its own lab, or in a new one",
                like, lab_of(options.id).string());
    return Model{like, course};
  }
  return tr("there is no exercise {} to begin with; it is named as in 05_transpose/1_tile", like);
}

// What the template's data say of the right answer, in a comment.
const char* said_of_reference(bool in_file) {
  return in_file ? "What it may cost is what the solution costs: there are no [limits].\n"
                   "reference = \"file\" # beside this one"
                 : "There is no `reference`, and there are no [limits]: the right answer, and "
                   "what it may cost, are the solution's.";
}

void write(const NewFile& file, const NewOptions& options, const std::string& like) {
  const auto& id = options.id;
  auto text = system::content_of(file.from).value_or("");
  replace(text, "@ID@", id);
  replace(text, "@REFERENCE@", said_of_reference(options.reference));
  if (!like.empty()) replace(text, like, id);
  fs::create_directories(file.to.parent_path());
  system::publish(file.to, text);
  fmt::print("  {}\n      {}\n", file.to.string(), language::translated(file.what));
}

int make(const NewOptions& options) {
  const auto& id = options.id;
  if (!is_id(id))
    return complain("course new", kUsage,
                    tr("an exercise is called as in 09_mine/1_first: two digits and a name of "
                       "small letters for the lab, one digit and a name for the step"));
  const auto found = options.root.empty() ? find_root(std::string()) : fs::path(options.root);
  if (!found) return complain("course new", kUsage, no_root());
  const auto decided = model_of(options, *found);
  if (const auto* why = std::get_if<std::string>(&decided))
    return complain("course new", kUsage, *why);
  const auto& model = std::get<Model>(decided);
  if (!model.id.empty() && options.reference)
    return complain(
        "course new", kUsage,
        tr("{} is copied with the reference that it has, so --reference says nothing", model.id));
  auto files = model.id.empty() ? from_template(id, *found, options.reference)
                                : from_exercise(id, *found, model.id, model.root);
  for (const auto& file : files)
    if (fs::exists(file.to))
      return complain("course new", kUsage, tr("{} is there already", file.to.string()));
  const auto chapter = *found / "chapters" / (lab_of(id).string() + ".md");
  const bool has_chapter = fs::exists(chapter);
  if (!has_chapter)
    files.push_back({templates() / (model.id.empty() ? "chapter.md" : "chapter_of_copy.md"),
                     chapter, kChapter});
  for (const auto& file : files) write(file, options, model.id);

  const auto where = options.root.empty() ? "" : fmt::format(" --root {}", options.root);
  if (!model.id.empty()) fmt::print("{}\n", tr("It is {} under another name.", model.id));
  fmt::print("{}", tr("It is whole: it compiles, fails, and can be solved. Make it yours, and "
                      "prove it:\n"
                      "  ./course check {}{}\n"
                      "  ./course book{}\n"
                      "What may stand in each file: labs/README.md\n",
                      id, where, where));
  if (has_chapter)
    fmt::print("{}", tr("Its chapter has to set it where it is due, on a line of its own, in {}:\n"
                        "  {}\n",
                        chapter.string(), "{{exercise " + id + "}}"));
  return kPassed;
}

} // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "new", "Write an exercise to begin with, for you to change");
  const auto options = std::make_shared<NewOptions>();
  command->footer("Examples:\n"
                  "  course new 09_mine/1_first                 in this course\n"
                  "  course new 09_mine/1_first --root ../own   in a course of your own\n"
                  "  course new 05_transpose/7_mine --like 05_transpose/2_pad\n"
                  "  course new 09_mine/2_second --reference    the right answer in a file\n"
                  "  course check 09_mine --root ../own         prove it\n"
                  "  course grade 09_mine/1_first --root ../own\n");
  command->add_option("ID", options->id, "Its lab and its step: 09_mine/1_first")->required();
  command->add_option("--root", options->root, "A folder with labs/, or one to make")
      ->type_name("FOLDER");
  command
      ->add_option("--like", options->like,
                   "The exercise to begin with; in a lab that has a lab.toml, its first one")
      ->type_name("ID");
  command->add_flag("--reference", options->reference,
                    "The right answer comes from host code in a file, not from the solution");
  command->callback([options, &exit_code] {
    try {
      exit_code = make(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course new", error);
    }
  });
}

} // namespace course::cli
