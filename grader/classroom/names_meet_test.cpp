// Classes whose names meet, nest, change form and repeat: every grade is its owner's, or both are
// named.
#include "build/digest.hpp"
#include "classroom/hand_made_folder.hpp"
#include "classroom/names.hpp"
#include "classroom/outputs.hpp"
#include "classroom/people.hpp"
#include "classroom/plan.hpp"
#include "classroom/text_encoding.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <random>
#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kClasses = 40, kSubmissions = 10;
const std::string kPad = "05_transpose/2_pad", kRatio = "08_tiled_product/2_ratio";

struct HandIn {
  std::string lab, file; // of the folder that it is in
  std::string name;      // folder's or archive's
  std::string text;
  std::string exercise;
};

// A class that is drawn. Names are made of few, so that they meet.
class Drawn {
public:
  explicit Drawn(unsigned seed) : dice_(seed), labs_(seed % 3 == 0), roster_(seed % 2 == 1) {
    for (int i = 0; i < kSubmissions; ++i) hand_in(i);
    if (roster_) draw_people();
  }

  void run() {
    Planning planning;
    planning.results = results();
    for (const auto& one : handed_in_) planning.plan.submissions[one.lab] = in(one.lab);
    planning.plan.seed = 1;
    planning.plan.device = "emulated";
    planning.exercises = &hand_made::exercises();
    planning.command = {"course"};
    planning.people = people_;
    REQUIRE(std::holds_alternative<Planned>(make_plan(planning)));
    Grading grading;
    grading.results = results();
    grading.exercises = planning.exercises;
    grading.wanted = [](const std::string&) { return true; };
    grading.grade = [](const lab::Exercise& exercise, const fs::path& file) {
      return hand_made::verdict(exercise.id, *system::content_of(file));
    };
    for (const auto& record : read_roster(results())) grade_submission(record, grading);
    Publishing about;
    about.results = results();
    about.course = folder_.path;
    about.exercises = planning.exercises;
    publish_outputs(about);
  }

  const std::vector<HandIn>& handed_in() const { return handed_in_; }
  const std::vector<Person>& people() const { return people_; }
  Json grades() const { return Json::parse(*system::content_of(results() / "grades.json")); }
  fs::path results() const { return folder_.path / "results"; }

private:
  std::mt19937 dice_;
  bool labs_, roster_;
  hand_made::Folder folder_;
  std::vector<HandIn> handed_in_;
  std::vector<Person> people_;
  std::set<std::string> files_;

  unsigned upto(unsigned most) { return static_cast<unsigned>(dice_()) % most; }

  fs::path in(const std::string& lab) const {
    return folder_.path / ("in_" + (lab.empty() ? "all" : lab));
  }

  std::string name() {
    static const std::vector<std::string> kFirst{"Anna Schmidt", "anna",   "Zo\u00eb M\u00fcller",
                                                 "Nguy\u1ec5n",  "\ud55c", "s1",
                                                 "-anna",        "anna."};
    auto name = kFirst[upto(kFirst.size())];
    for (unsigned times = upto(3); times > 0; --times) name = changed(name);
    return name;
  }

  std::string changed(const std::string& name) {
    switch (upto(8)) {
    case 0:
      return id_of(name);
    case 1:
      return former_id_of(name);
    case 2:
      return one_form(name); // letters in their parts
    case 3: {
      auto text = name;
      for (auto& c : text)
        if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(std::toupper(c));
      return text;
    }
    case 4:
      return "05_transpose." + name;
    case 5:
      return name + " ";
    case 6:
      return name + "_77"; // as Canvas' has it, without its file
    default:
      return with_digest(id_of(name), name);
    }
  }

  void hand_in(int i) {
    HandIn one;
    one.lab = !labs_ ? "" : upto(3) == 0 ? "" : upto(2) == 0 ? "05_transpose" : "08_tiled_product";
    one.exercise = one.lab == "08_tiled_product" ? kRatio : kPad;
    one.text = "good " + std::to_string(i);
    one.name = name();
    const auto source = one.exercise.substr(one.exercise.find('/') + 1) + ".cu";
    switch (upto(6)) {
    case 0:
      one.file = one.name + ".tar";
      break;
    case 1: // of Canvas
      one.name = "anna_" + std::to_string(76 + upto(3));
      one.file = one.name + "_" + std::to_string(10000 + i) + "_" + source;
      break;
    case 2: // of Moodle, in which a student wrote another's
      one.name = upto(2) == 0 ? "Zo\u00eb M\u00fcller" : "x_77_12345_Anna Schmidt";
      one.file = one.name + "_77_assignsubmission_file_" + source;
      break;
    default:
      one.file = one.name;
    }
    const auto path = in(one.lab) / one.file;
    if (!files_.insert(path.string()).second || fs::exists(path)) return;
    fs::create_directories(in(one.lab));
    if (one.file.ends_with(".cu")) {
      folder_.write(fs::relative(path, folder_.path).string(), one.text);
    } else if (one.file.ends_with(".tar")) {
      system::publish(path, tar(source, one.text));
    } else {
      system::publish(path / source, one.text);
    }
    handed_in_.push_back(one);
  }

  static std::string tar(const std::string& name, const std::string& text) {
    std::string head(512, '\0');
    const auto put = [&](std::size_t at, const std::string& what) {
      head.replace(at, what.size(), what);
    };
    put(0, name);
    put(100, "0000644");
    put(124, "0000000000" + std::string(1, static_cast<char>('0' + text.size())));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    unsigned sum = 0;
    for (const unsigned char c : head) sum += c;
    std::string digits;
    for (int i = 0; i < 6; ++i, sum /= 8)
      digits.insert(digits.begin(), static_cast<char>('0' + sum % 8));
    put(148, digits + std::string(1, '\0') + " ");
    return head + text + std::string(1024 + 512 - text.size(), '\0');
  }

  void draw_people() {
    std::string csv = "id,name,email,login,team\r\n";
    std::set<std::string> used;
    for (int i = 0; i < 6; ++i) {
      const auto person_id = name(), login = name();
      if (!used.insert(folded(person_id)).second || !used.insert(" " + folded(login)).second)
        continue;
      csv += "\"" + person_id + "\",\"" + name() + "\",p" + std::to_string(i) + "@uni.example,\"" +
             login + "\"," + (upto(3) == 0 ? "red" : "") + "\r\n";
    }
    people_ = std::get<std::vector<Person>>(read_people(csv, "roster.csv"));
  }
};

// Whether a member of this name, or one of the same team, may have handed it in.
bool may_own(const HandIn& one, const Json& student, const std::vector<Person>& people) {
  const auto said = one.name.find("_77") != one.name.npos || one.name.starts_with("anna_")
                        ? one.name.substr(0, one.name.rfind('_'))
                        : one.name;
  const auto is = [&](const std::string& name) {
    return folded(name) == folded(one.name) || folded(name) == folded(said);
  };
  if (is(student["name"].get<std::string>())) return true;
  const auto named = [&](const Person& person) {
    if (is(person.id) || is(person.login) || is(person.email) || is(person.name)) return true;
    return !person.email.empty() && is(person.email.substr(0, person.email.find('@')));
  };
  for (const auto& person : people) {
    if (person.name != student["name"].get<std::string>()) continue;
    if (named(person)) return true;
    for (const auto& mate : people)
      if (!person.team.empty() && mate.team == person.team && named(mate)) return true;
  }
  return false;
}

std::string lower(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace

TEST_CASE("in forty classes whose names meet, every grade is its owner's, or both are named") {
  int graded = 0, refused = 0;
  for (unsigned seed = 0; seed < kClasses; ++seed) {
    INFO("class " << seed);
    Drawn drawn(seed);
    drawn.run();
    const auto grades = drawn.grades();
    const auto everything = grades.dump();
    std::set<std::string> ids;
    std::map<std::string, std::set<std::string>> owners; // of a text: IDs, or one team
    for (const auto& student : grades["students"]) {
      const auto id = student["id"].get<std::string>();
      INFO("student " << id);
      CHECK(ids.insert(lower(id)).second); // whether the file system tells case or not
      CHECK(fs::exists(drawn.results() / "students" / id / "index.html"));
      for (const auto& exercise : student["exercises"]) {
        if (exercise["state"] != "graded") continue;
        const auto archived = fs::path(exercise["archived"].get<std::string>()).stem().string();
        const HandIn* whose = nullptr;
        for (const auto& one : drawn.handed_in())
          if (build::digest(one.text) == archived) whose = &one;
        REQUIRE(whose);
        CHECK(whose->exercise == exercise["exercise"]);
        CHECK_MESSAGE(may_own(*whose, student, drawn.people()),
                      whose->file << " is graded for " << student["name"].get<std::string>());
        owners[whose->text].insert(id);
      }
    }
    for (const auto& one : drawn.handed_in()) {
      INFO(one.lab << "/" << one.file);
      const auto of = owners.find(one.text);
      graded += of != owners.end();
      refused += of == owners.end();
      // Named in a sentence, or in a row of its own.
      const auto shown = Json(utf8_of(one.name)).dump(), coded = encoded(one.file);
      const bool named = everything.find(shown.substr(1, shown.size() - 2)) != everything.npos ||
                         everything.find(coded) != everything.npos ||
                         everything.find(id_of(one.name)) != everything.npos ||
                         everything.find(id_of(one.name + "_77")) != everything.npos ||
                         (one.name.starts_with("anna_7") && // its row, or "for them, anna and …"
                          (everything.find("\"anna\"") != everything.npos ||
                           everything.find("them, anna ") != everything.npos));
      CHECK((of != owners.end() || named));
      if (of != owners.end() && drawn.people().empty()) CHECK(of->second.size() == 1);
    }
    CHECK(fs::exists(drawn.results() / "grades.csv"));
    std::size_t records = 0;
    for (const auto& entry : fs::directory_iterator(drawn.results() / "records"))
      records += entry.path().stem().string().size() == 64;
    CHECK(records == read_roster(drawn.results()).size());
  }
  CHECK(graded > 150); // most of them, or little was shown
  CHECK(refused > 20);
}

} // namespace course::classroom
