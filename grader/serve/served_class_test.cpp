#include "serve/served_class.hpp"

#include "lab/labs.hpp"
#include "progress/log.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace course;
using namespace course::serve;
namespace fs = std::filesystem;

constexpr const char* kPad = "05_transpose/2_pad";

struct ClassOfTwo {
  system::TemporaryFolder folder{"course_class"};
  std::int64_t now = 1'797'000'000;

  ClassOfTwo() {
    write("roster.csv", "id,name,email,login\n4711,Anna Smith,anna@uni.example,asmith\n"
                        "4712,Bert Maier,bert@uni.example,bmaier\n");
    write("instructors.csv", "id,name,login\nprof,Pat Doe,pdoe\n");
    write("class.toml", "course = \"CS 420\"\nzone = \"Europe/Berlin\"\n[labs.05_transpose]\n"
                        "due = 2026-12-20T23:59:00\n[students.asmith]\nextra_days = 2\n");
  }
  void write(const char* name, const std::string& text) const {
    system::write_file(path() / name, text);
  }
  const fs::path& path() const { return folder.path(); }

  using ReadAgain = std::function<void(const std::optional<ClassFault>&)>;
  ServedClass open(const std::string& grader = "a grader", const ReadAgain& read_again = {}) {
    ServedClass::Means means;
    means.exercises = &lab::exercises(COURSE_SOURCE_DIR);
    means.skeleton = [](const lab::Exercise& exercise) { return "as it begins: " + exercise.id; };
    means.grader = grader;
    means.now = [this] { return now; };
    means.read_again = read_again;
    return ServedClass(path(), std::move(means));
  }
};

const lab::Exercise& pad() {
  return *lab::find(lab::exercises(COURSE_SOURCE_DIR), kPad).exercise;
}

Desk::Grading grading_of(ServedClass& of, const std::string& text) {
  return {kPad, "en", {}, text, version_of(text), of.key_of(pad(), text, "en")};
}

nlohmann::json facts(const char* verdict) {
  return {{"code", 1},
          {"report", "words"},
          {"verdict",
           {{"verdict", verdict},
            {"points", 45},
            {"max_points", 60},
            {"checks",
             {{{"name", "output"}, {"status", "passed"}},
              {{"name", "conflicts"}, {"status", "failed"}}}}}}};
}

void log_run(const Desk& desk) {
  progress::Event event;
  event.kind = progress::Event::Kind::run;
  event.exercise = kPad;
  event.time = progress::now();
  progress::Log(desk.progress_file).append(event);
}

} // namespace

TEST_CASE("a class is read from plain files, with who instructs and what was granted") {
  ClassOfTwo folder;
  auto of = folder.open();
  REQUIRE(of.participants().size() == 3);
  CHECK(of.find("4711")->person.name == "Anna Smith");
  CHECK_FALSE(of.find("4711")->instructs);
  CHECK(of.find("prof")->instructs);
  CHECK(of.find("nobody") == nullptr);
  const auto anna = of.state_for(*of.find("4711"));
  CHECK(anna["name"] == "CS 420");
  CHECK(anna["labs"]["05_transpose"]["due_words"] == "2026-12-22 23:59 CET");
  const auto bert = of.state_for(*of.find("4712"));
  CHECK(bert["labs"]["05_transpose"]["due_words"] == "2026-12-20 23:59 CET");
  CHECK(bert["labs"]["01_banks"]["due"].is_null());
}

TEST_CASE("what an instructor writes holds from the second look on that finds it so") {
  ClassOfTwo folder;
  auto of = folder.open();
  CHECK_FALSE(of.look());
  CHECK_FALSE(of.look()); // nothing was written
  folder.write("roster.csv", "id,name\n4711,Anna Smith\n4713,Carl Jung\n");
  folder.write("class.toml", "zone = \"UTC\"\n[labs.05_transpose]\ndue = 2026-12-24T12:00:00\n"
                             "[students.4713]\nextra_days = 1\n");
  CHECK_FALSE(of.look()); // somebody may be writing it
  CHECK(of.find("4713") == nullptr);
  CHECK(of.look());
  CHECK(of.version() == 1);
  CHECK_FALSE(of.look());
  CHECK(of.find("4712") == nullptr);
  CHECK(of.named("4713") == "4713");
  CHECK_FALSE(of.named("bmaier"));
  const auto due = [&](const char* who) {
    return of.state_for(*of.find(who))["labs"]["05_transpose"]["due_words"];
  };
  CHECK(due("4711") == "2026-12-24 12:00 UTC");
  CHECK(due("4713") == "2026-12-25 12:00 UTC");
  CHECK(of.overview()["fault"].is_null());
}

TEST_CASE("a file with an error changes nothing and is told with its line, until it is mended") {
  ClassOfTwo folder;
  std::vector<std::optional<ClassFault>> told;
  auto of = folder.open("a grader", [&](const auto& fault) { told.push_back(fault); });
  const auto twice = [&] { return of.look() || of.look(); };
  folder.write("class.toml", "zone = \"UTC\"\n[labs.05_transposed]\n");
  folder.write("roster.csv", "id,name\n4713,Carl Jung\n");
  CHECK(twice());
  REQUIRE(told.size() == 1);
  REQUIRE(told[0]);
  CHECK(told[0]->where.find("class.toml:2: ") != std::string::npos);
  CHECK(of.find("4713") == nullptr); // of several files all hold, or none
  CHECK(of.state_for(*of.find("4711"))["name"] == "CS 420");
  const auto fault = of.overview()["fault"];
  CHECK(fault["why"] == "unreadable");
  CHECK(fault["where"].get<std::string>().starts_with("class.toml:2: "));
  CHECK_FALSE(twice()); // it is told once
  folder.write("class.toml", "");
  CHECK(twice());
  REQUIRE(told.size() == 2);
  CHECK_FALSE(told[1]);
  CHECK(of.overview()["fault"].is_null());
  CHECK(of.find("4713") != nullptr);
}

TEST_CASE("a roster that is gone, or empty, puts nobody out") {
  ClassOfTwo folder;
  auto of = folder.open();
  fs::remove(folder.path() / "roster.csv");
  of.look();
  CHECK(of.look());
  CHECK(of.overview()["fault"]["why"] == "no_roster");
  CHECK(of.find("4711") != nullptr);
  folder.write("roster.csv", "");
  of.look();
  CHECK(of.look());
  CHECK_FALSE(of.overview()["fault"].is_null());
  CHECK(of.find("4711") != nullptr);
}

TEST_CASE("a file begins when it is opened, and is not begun again") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto desk = of.desk(*of.find("4711"));
  of.begin(*desk, pad());
  const auto file = folder.path() / "students" / "4711" / "labs" / "05_transpose" / "2_pad.cu";
  CHECK(system::content_of(file) == std::string("as it begins: ") + kPad);
  system::write_file(file, "mine");
  of.begin(*desk, pad());
  CHECK(system::content_of(file) == "mine");
}

TEST_CASE("a text that was graded is known for everybody, and goes into their own log") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711")), bert = of.desk(*of.find("4712"));
  const auto grading = grading_of(of, "text");
  CHECK_FALSE(of.known(*bert, grading));
  log_run(*anna);
  CHECK(of.keep(*anna, grading, facts("failed")));
  const auto known = of.known(*bert, grading);
  REQUIRE(known);
  CHECK((*known)["report"] == "words");
  CHECK(progress::Log(bert->progress_file).read().events.size() == 1);
  CHECK(of.ledger().rows().size() == 2); // persons
  CHECK_FALSE(of.known(*bert, grading_of(of, "another text")));
}

TEST_CASE("what a busy machine may have brought about is nobody else's verdict") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711"));
  log_run(*anna);
  const auto grading = grading_of(of, "text");
  for (const char* ending : {"timed_out", "crashed", "set_up"}) {
    CHECK(of.keep(*anna, grading, facts(ending)));
    CHECK_FALSE(of.known(*anna, grading));
  }
  CHECK(of.keep(*anna, grading, {{"code", 127}, {"verdict", nullptr}}));
  CHECK_FALSE(of.known(*anna, grading));
}

TEST_CASE("with a GPU that times, no verdict is the same again") {
  ClassOfTwo folder;
  auto of = folder.open("");
  CHECK(of.key_of(pad(), "text", "en").empty());
}

TEST_CASE("another seed, language, text or exercise is another verdict") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto key = of.key_of(pad(), "text", "en");
  CHECK(key == of.key_of(pad(), "text", "en"));
  CHECK(key != of.key_of(pad(), "text", "zh"));
  CHECK(key != of.key_of(pad(), "texts", "en"));
  CHECK(key != folder.open("another grader").key_of(pad(), "text", "en"));
  ClassOfTwo other;
  CHECK(key != other.open().key_of(pad(), "text", "en")); // it has drawn a seed of its own
}

TEST_CASE("what came of gradings is there after the server was started again") {
  ClassOfTwo folder;
  {
    auto of = folder.open();
    const auto anna = of.desk(*of.find("4711"));
    of.keep(*anna, grading_of(of, "text"), facts("failed"));
  }
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711"));
  CHECK(anna->results.at(kPad).facts["report"] == "words");
  CHECK(of.desk(*of.find("4712"))->results.empty());
}

TEST_CASE("what is handed in is kept with its time, and the newest is what a class grades") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711"));
  CHECK(std::get<NoText>(of.hand_in(*anna, kPad).value()) == NoText::missing);
  of.begin(*anna, pad());
  const auto file = anna->work / "labs" / (std::string(kPad) + ".cu");
  system::write_file(file, "first");
  const auto first = std::get<Ledger::HandedIn>(of.hand_in(*anna, kPad).value());
  CHECK(first.times == 1);
  folder.now += 60;
  // The same again is that one, and no later.
  CHECK(std::get<Ledger::HandedIn>(of.hand_in(*anna, kPad).value()).at == first.at);
  system::write_file(file, "second");
  const auto second = std::get<Ledger::HandedIn>(of.hand_in(*anna, kPad).value());
  CHECK(second.times == 2);
  CHECK(second.at == folder.now);
  CHECK(system::content_of(folder.path() / "handed_in" / "4711" / "labs" / "05_transpose" /
                           "2_pad.cu") == "second");
  std::size_t kept = 0;
  for (const auto& one : fs::recursive_directory_iterator(folder.path() / "handed_in_all" / "4711"))
    kept += one.is_regular_file() ? 1 : 0;
  CHECK(kept == 2);
  CHECK(of.state_for(*of.find("4711"))["handed_in"][kPad]["version"] == version_of("second"));
}

TEST_CASE("free days are those of the class tables: of the labs that are due first") {
  ClassOfTwo folder;
  folder.write("class.toml", "zone = \"UTC\"\n[late]\npercent_a_day = 10\nfree_days = 3\n"
                             "[labs.05_transpose]\ndue = 2026-12-10T12:00:00\n"
                             "[labs.01_banks]\ndue = 2026-12-11T12:00:00\n"
                             "[students.bmaier]\nextra_days = 1\n");
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711"));
  const auto state = [&](const char* who) { return of.state_for(*of.find(who)); };
  CHECK(state("4711")["free_days"]["left"] == 3);
  const auto hand_in = [&](Desk& desk, const lab::Exercise& exercise, std::int64_t at) {
    folder.now = at;
    of.begin(desk, exercise);
    REQUIRE(std::holds_alternative<Ledger::HandedIn>(of.hand_in(desk, exercise.id).value()));
  };
  const auto& banks = *std::ranges::find(lab::exercises(COURSE_SOURCE_DIR), "01_banks",
                                         [](const auto& one) { return one.lab(); });
  constexpr std::int64_t kDue = 1'796'904'000, kDay = 86'400; // of 05_transpose
  hand_in(*anna, banks, kDue + kDay + 2 * kDay);
  CHECK(state("4711")["labs"]["01_banks"]["free_days"] == 2);
  CHECK(state("4711")["free_days"]["left"] == 1);
  // What is due before takes its days from it.
  hand_in(*anna, pad(), kDue + 2 * kDay);
  CHECK(state("4711")["labs"]["05_transpose"]["free_days"] == 2);
  CHECK(state("4711")["labs"]["01_banks"]["free_days"] == 1);
  CHECK(state("4711")["labs"]["01_banks"]["days_late"] == 2);
  CHECK(state("4711")["free_days"]["left"] == 0);
  // A day that was granted is not late.
  const auto bert = of.desk(*of.find("4712"));
  hand_in(*bert, pad(), kDue + kDay);
  CHECK(state("4712")["free_days"]["left"] == 3);
}

TEST_CASE("who is forgotten is in no file of the class any more") {
  ClassOfTwo folder;
  folder.write("roster.csv", "id,name,email,login\n4711-anna,Anna Smith,anna@uni.example,asmith\n"
                             "4712,Bert Maier,bert@uni.example,bmaier\n");
  {
    auto of = folder.open();
    of.prepare();
    const auto anna = of.desk(*of.find("4711-anna")), bert = of.desk(*of.find("4712"));
    for (const auto* desk : {anna.get(), bert.get()}) {
      log_run(*desk);
      of.keep(*desk, grading_of(of, "text of " + desk->id), facts("failed"));
    }
    of.begin(*anna, pad());
    of.begin(*bert, pad());
    of.hand_in(*anna, kPad);
    of.hand_in(*bert, kPad);
    of.ledger().link_of("4711-anna");
    of.forget(*of.find("4711-anna"));
  }
  const auto says = [&](const std::string& word) {
    std::string where;
    for (const auto& one : fs::recursive_directory_iterator(folder.path())) {
      const auto text = one.is_regular_file() ? system::content_of(one.path()) : std::nullopt;
      if (one.path().string().find(word, folder.path().string().size()) != std::string::npos ||
          (text && text->find(word) != std::string::npos))
        where += one.path().string() + "\n";
    }
    return where;
  };
  for (const char* word : {"4711-anna", "Anna Smith", "anna@uni.example", "asmith"})
    CHECK(says(word) == "");
  auto of = folder.open();
  CHECK(of.participants().size() == 2);
  CHECK(of.state_for(*of.find("4712"))["handed_in"].contains(kPad));
  CHECK(of.desk(*of.find("4712"))->results.contains(kPad));
  CHECK(of.state_for(*of.find("4712"))["labs"]["05_transpose"]["due_words"] ==
        "2026-12-20 23:59 CET");
}

TEST_CASE("instructors see who is where, and what holds up those who are not through") {
  ClassOfTwo folder;
  auto of = folder.open();
  const auto anna = of.desk(*of.find("4711")), bert = of.desk(*of.find("4712")),
             prof = of.desk(*of.find("prof"));
  of.keep(*anna, grading_of(of, "1"), facts("failed"));
  of.keep(*anna, grading_of(of, "2"), facts("passed"));
  of.keep(*bert, grading_of(of, "3"), facts("failed"));
  of.keep(*prof, grading_of(of, "4"), facts("failed"));
  const auto all = of.overview();
  REQUIRE(all["students"].size() == 2);
  CHECK(all["students"][0]["exercises"][kPad]["until_solved"] == 2);
  CHECK(all["students"][1]["exercises"][kPad]["failed"] == "conflicts");
  REQUIRE(all["exercises"].size() == 1);
  CHECK(all["exercises"][0]["tried"] == 2);
  CHECK(all["exercises"][0]["solved"] == 1);
  CHECK(all["exercises"][0]["failing"]["conflicts"] == 1);
  // What came since is there the next time.
  of.keep(*bert, grading_of(of, "5"), facts("passed"));
  const auto later = of.overview();
  CHECK(later["students"][1]["exercises"][kPad]["attempts"] == 2);
  CHECK(later["students"][1]["exercises"][kPad]["until_solved"] == 2);
  CHECK(later["students"][0]["exercises"][kPad]["attempts"] == 2);
  CHECK(later["exercises"][0]["solved"] == 2);
}
