#include "classroom/submission.hpp"

#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"
#include "report/words/numbers.hpp"
#include "system/file.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <sys/stat.h>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Exercises = std::vector<lab::Exercise>;

constexpr int kDeepest = 12; // folders in folders

// ---- which exercise

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// "2_pad (1)", "2_pad-2" and "2_pad copy" are what systems make of a second "2_pad".
std::string without_copy_mark(std::string stem) {
  const auto cut = [&](std::size_t at) {
    while (at > 0 && stem[at - 1] == ' ') --at;
    stem.resize(at);
  };
  if (stem.ends_with(" copy")) cut(stem.size() - 5);
  const auto digits = stem.find_last_not_of("0123456789");
  if (stem.ends_with(")")) {
    const auto open = stem.rfind('(');
    if (open != stem.npos && stem.find_first_not_of("0123456789", open + 1) == stem.size() - 1)
      cut(open);
  } else if (digits != stem.npos && digits + 1 < stem.size() && stem[digits] == '-') {
    cut(digits);
  }
  return stem;
}

// How a file's name can mean an exercise, the surest first.
bool in_its_folder(const fs::path& path, const lab::Exercise& exercise) {
  return plain(path.parent_path().filename().string()) == exercise.lab() &&
         plain(path.stem().string()) == exercise.name();
}
bool named_in_full(const fs::path& path, const lab::Exercise& exercise) {
  const auto stem = without_copy_mark(plain(path.stem().string()));
  for (const char* between : {"_", "-", "__", "."})
    if (stem.ends_with(exercise.lab() + between + exercise.name())) return true;
  return plain(path.parent_path().filename().string()) == exercise.lab() && stem == exercise.name();
}
bool named(const fs::path& path, const lab::Exercise& exercise) {
  return without_copy_mark(plain(path.stem().string())) == exercise.name();
}
bool says_so(std::string_view content, const lab::Exercise& exercise) {
  return content.substr(0, content.find('\n')).starts_with("// " + exercise.id + ":");
}

using Among = std::vector<const lab::Exercise*>;

template <class Means>
Among those(const Among& exercises, Means means) {
  Among found;
  for (const auto* exercise : exercises)
    if (means(*exercise)) found.push_back(exercise);
  return found;
}

// Those that count in a folder of this lab; all of them where it is empty.
Among exercises_in(const std::string& lab, const Exercises& all) {
  Among of_lab;
  for (const auto& exercise : all)
    if (lab.empty() || exercise.lab() == lab) of_lab.push_back(&exercise);
  return of_lab;
}

// The one exercise that a file is; nullptr and perhaps a problem when there is no one.
const lab::Exercise* exercise_of(const SourceFile& file, const Among& exercises,
                                 std::string& problem) {
  const fs::path path(file.path);
  const auto by_folder = those(exercises, [&](const auto& e) { return in_its_folder(path, e); });
  if (by_folder.size() == 1) return by_folder[0];
  const auto in_full = those(exercises, [&](const auto& e) { return named_in_full(path, e); });
  if (in_full.size() == 1) return in_full[0];
  const auto by_name = those(exercises, [&](const auto& e) { return named(path, e); });
  if (by_name.size() == 1) return by_name[0];
  const auto by_line = those(exercises, [&](const auto& e) { return says_so(file.content, e); });
  if (by_line.size() == 1) return by_line[0];
  if (by_name.size() > 1)
    problem = tr("{} could be {} or {}: it has to be in a folder of its lab's name.", file.path,
                 by_name[0]->id, by_name[1]->id);
  return nullptr;
}

// ---- folders

struct Walk {
  Sources sources;
  std::string problem;
  std::size_t entries = 0;

  void ignore(const std::string& what) {
    if (sources.ignored.size() < kMostIgnored) sources.ignored.push_back(what);
  }
};

void add_file(const fs::path& file, const fs::path& name, Walk& walk) {
  if (walk.sources.files.size() == kMostSources) {
    walk.problem = tr("The folder has more than {} .cu files. Hand in the exercises only.",
                      report::thousands(kMostSources));
    return;
  }
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) return;
  SourceFile source{name.string(), "", "", status.st_mtime,
                    language::marked("clock", "date of the file")};
  auto read = system::read_file(file, kMostSource);
  if (auto* text = std::get_if<std::string>(&read)) {
    source.content = std::move(*text);
  } else {
    const auto& why = std::get<system::Unreadable>(read);
    using Why = system::Unreadable::Why;
    source.problem = why.why == Why::too_large ? tr("{} is larger than 1 MB", source.path)
                     : why.why == Why::link    ? tr("{} is a link, not a file", source.path)
                                               : tr("{} cannot be read: {}", source.path, why.text);
  }
  walk.sources.files.push_back(std::move(source));
}

// An archive that somebody put into a folder; what is wrong with it is said only where nothing else
// was found (read_submission).
void add_archive(const fs::path& file, const fs::path& name, Walk& walk) {
  auto read = read_archive(file, name);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    if (walk.problem.empty()) walk.problem = tr("{}: {}", name.string(), *problem);
    return;
  }
  auto& found = std::get<Sources>(read);
  for (auto& one : found.files)
    if (walk.sources.files.size() < kMostSources) walk.sources.files.push_back(std::move(one));
  for (auto& one : found.ignored) walk.ignore(one);
}

void add(const fs::path& path, const fs::path& name, fs::file_type type, Walk& walk) {
  switch (kind_of(name)) {
  case Kind::source:
    add_file(path, name, walk);
    break;
  case Kind::archive:
    if (type == fs::file_type::regular) add_archive(path, name, walk);
    break;
  case Kind::like_work:
    walk.ignore(why_ignored(name, name.string()));
    break;
  case Kind::other:
    break;
  }
}

void walk_folder(const fs::path& folder, const fs::path& name, int depth, Walk& walk) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (++walk.entries > kMostEntries) {
      walk.problem = tr("The folder has more than {} files. Hand in the .cu files only.",
                        report::thousands(kMostEntries));
      return;
    }
    entries.push_back(*at);
  }
  if (error) walk.problem = tr("The folder {} cannot be read: {}", name.string(), error.message());
  std::sort(entries.begin(), entries.end());
  for (const auto& entry : entries) {
    if (entry.path().filename() == ".git") continue;
    const auto inner = name / entry.path().filename();
    const auto type = entry.symlink_status(error).type();
    if (type != fs::file_type::directory) {
      add(entry.path(), inner, type, walk);
    } else if (depth < kDeepest) {
      walk_folder(entry.path(), inner, depth + 1, walk);
    } else {
      walk.ignore(
          tr("{} is too deep: only twelve folders in folders are looked into", inner.string()));
    }
  }
}

void walk_parts(const Place& place, Walk& walk) {
  for (const auto& part : place.parts) {
    std::error_code error;
    const auto path = place.path / part.item;
    const auto first = walk.sources.files.size();
    const auto type = fs::symlink_status(path, error).type();
    if (type == fs::file_type::directory) {
      walk_folder(path, part.name, 0, walk);
    } else {
      add(path, part.name, type, walk);
    }
    for (auto i = first; i < walk.sources.files.size(); ++i) walk.sources.files[i].item = part.item;
  }
}

// UTF-16, as some editors and shells of Windows write; nvcc takes it for rubbish.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

std::string refusal_of(const SourceFile& file) {
  if (!file.problem.empty()) return tr("{}.", file.problem);
  if (is_utf16(file.content))
    return tr("{} is UTF-16 text, which nvcc does not read: save it as UTF-8.", file.path);
  return "";
}

std::string no_exercise(const Sources& sources) {
  std::string example;
  if (!sources.files.empty()) example = sources.files.front().path;
  if (example.empty()) return tr("There is no .cu file in it.");
  if (sources.files.size() > 1) example = tr("{}, …", example);
  return tr("None of its .cu files is an exercise, by name or first line: {}.", example);
}

// A file that is no exercise of the lab that it lies in the folder of; `elsewhere` keeps the first
// that is one of another lab.
std::string why_no_exercise(const SourceFile& file, const std::string& lab, const Exercises& all,
                            std::string& elsewhere) {
  std::string unclear;
  const auto* other = lab.empty() ? nullptr : exercise_of(file, exercises_in("", all), unclear);
  if (!other) return tr("{} is no exercise, by its name or first line", file.path);
  const auto why = tr("{} is of {}, and this is the folder of {}", file.path, other->lab(), lab);
  if (elsewhere.empty()) elsewhere = why;
  return why;
}

// ---- two files for one exercise

using Files = std::vector<const SourceFile*>;

// As a reason names it: by their own names, two may be called the same.
std::string called(const SourceFile& file, const Files& all) {
  const bool shared = std::ranges::count(all, file.path, &SourceFile::path) > 1;
  return shared && !file.item.empty() ? utf8_of(file.item) : file.path;
}

bool is_called(const SourceFile& file, const std::string& name) {
  return file.path == name || utf8_of(file.item) == name || fs::path(file.path).filename() == name;
}

// Canvas' number of a file that was handed in again: 1 of "2_pad-1.cu"; 0: none.
int number_by_canvas(const SourceFile& file) {
  const auto stem = fs::path(file.path).stem().string();
  const auto digits = stem.find_last_not_of("0123456789");
  if (digits == stem.npos || stem[digits] != '-' || stem.size() - digits > 6) return 0;
  return digits + 1 < stem.size() ? std::stoi(stem.substr(digits + 1)) : 0;
}

// The only one, or the only one that is newest; nullptr: there is none.
const SourceFile* newest(const Files& files) {
  const auto age = [](const SourceFile* file) {
    return std::pair(number_by_canvas(*file), file->time);
  };
  const auto* last = *std::ranges::max_element(files, {}, age);
  const auto as_new = std::ranges::count_if(files, [&](const auto* file) {
    return age(file) == age(last) && file->content != last->content;
  });
  return as_new == 0 ? last : nullptr;
}

const SourceFile* the_one(const Files& files, const std::string& exercise, const Reading& how) {
  if (const auto said = how.chosen.find(exercise); said != how.chosen.end()) {
    Files meant;
    std::ranges::copy_if(files, std::back_inserter(meant),
                         [&](const auto* file) { return is_called(*file, said->second); });
    if (meant.size() == 1) return meant.front();
  }
  return how.newest ? newest(files) : nullptr;
}

bool differ(const Files& files) {
  return std::ranges::any_of(files, [&](const auto* file) {
    return file->content != files.front()->content || !refusal_of(*file).empty();
  });
}

// What is handed in of an exercise that these files could be, and what is not.
HandedIn one_of(Files files, const lab::Exercise& exercise, const Reading& how,
                std::vector<std::string>& ignored) {
  const bool which_of_them = files.size() > 1 && differ(files);
  const auto* counts = which_of_them ? the_one(files, exercise.id, how) : files.front();
  if (!counts) {
    const auto unlike = std::ranges::find_if(
        files, [&](const auto* file) { return file->content != files.front()->content; });
    const auto &one = *files.front(), &other = unlike == files.end() ? *files[1] : **unlike;
    return {&exercise,
            one.path,
            one.item,
            "",
            tr("There are two different files for it, {} and {}: which one counts?",
               called(one, files), called(other, files)),
            one.time,
            one.clock};
  }
  if (which_of_them)
    for (const auto* other : files)
      if (other != counts && ignored.size() < kMostIgnored)
        ignored.push_back(
            tr("{} does not count: {} does", called(*other, files), called(*counts, files)));
  const auto refusal = refusal_of(*counts);
  HandedIn one{&exercise, counts->path, counts->item, refusal.empty() ? counts->content : "",
               refusal,   counts->time, counts->clock};
  for (const auto* same : files)
    if (same->content == counts->content && same->time < one.time) { // it was there before
      one.time = same->time;
      one.clock = same->clock;
    }
  return one;
}

} // namespace

Submission recognise(const Sources& sources, const Exercises& exercises, const Reading& how) {
  Submission submission;
  submission.ignored = sources.ignored;
  std::map<std::string, Files> found;
  std::string elsewhere; // why the first file of another lab does not count
  const auto of_lab = exercises_in(how.lab, exercises);
  for (const auto& file : sources.files) {
    std::string problem;
    const auto* exercise = exercise_of(file, of_lab, problem);
    if (!problem.empty()) submission.problems.push_back(problem);
    if (exercise) {
      found[exercise->id].push_back(&file);
    } else if (problem.empty()) {
      const auto why = why_no_exercise(file, how.lab, exercises, elsewhere);
      if (submission.ignored.size() < kMostIgnored) submission.ignored.push_back(why);
    }
  }
  for (const auto& exercise : exercises)
    if (const auto at = found.find(exercise.id); at != found.end())
      submission.files.push_back(one_of(at->second, exercise, how, submission.ignored));
  if (submission.files.empty() && submission.problems.empty())
    submission.problems.push_back(elsewhere.empty() ? no_exercise(sources) : tr("{}.", elsewhere));
  return submission;
}

Submission read_submission(const Place& place, const Exercises& exercises, const Reading& how) {
  std::error_code error;
  const auto status = fs::symlink_status(place.path, error);
  if (fs::is_symlink(status)) return {{}, {tr("It is a link, not a folder or an archive.")}, {}};
  if (!fs::is_directory(status) && !fs::is_regular_file(status))
    return {{}, {tr("It is no longer there.")}, {}};
  Walk walk;
  if (fs::is_regular_file(status) && kind_of(place.path.filename()) == Kind::source) {
    add_file(place.path, place.path.filename(), walk);
    return recognise(walk.sources, exercises, how);
  }
  if (fs::is_regular_file(status)) {
    auto read = read_archive(place.path);
    if (const auto* problem = std::get_if<std::string>(&read)) return {{}, {*problem}, {}};
    return recognise(std::get<Sources>(read), exercises, how);
  }
  if (place.parts.empty()) walk_folder(place.path, "", 0, walk);
  walk_parts(place, walk);
  auto submission = recognise(walk.sources, exercises, how);
  if (walk.problem.empty()) return submission;
  if (walk.sources.files.empty()) submission.problems.clear(); // this is why there are none
  submission.problems.insert(submission.problems.begin(), walk.problem);
  return submission;
}

} // namespace course::classroom
