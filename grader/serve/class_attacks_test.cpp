// What a student of a class, or somebody who is none, sends to have an effect on another's work: as
// a table. Afterwards Anna's file, attempts and hand-ins are as they were, no word of her text was
// told, and the server goes on.
#include "serve/served_course.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace {

using namespace course;
using namespace course::serve;
using nlohmann::json;

constexpr const char* kAnnas = "// only Anna knows this line\n";

struct Sent {
  std::string line = "POST /api/text HTTP/1.1", body;
  std::vector<std::pair<std::string, std::string>> headers;

  std::string bytes() const {
    auto text = line + "\r\n";
    for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
    return text + "\r\n" + body;
  }
};

// As Bert's page sends it.
Sent from_bert(const ServedCourse& course, const std::string& name, const json& body) {
  Sent sent;
  sent.line = "POST /api/" + name + " HTTP/1.1";
  sent.body = body.dump();
  sent.headers = {{"Host", course.host()},
                  {"Origin", "http://" + course.host()},
                  {"X-User", "bert"},
                  {"Content-Type", "application/json"},
                  {"Content-Length", std::to_string(sent.body.size())},
                  {"Connection", "close"}};
  return sent;
}
void say_to_be(Sent& sent, const std::string& who) {
  for (auto& [name, value] : sent.headers)
    if (name == "X-User") value = who;
}

const json kAsked{{"exercise", kId}};
const json kOverwrite{
    {"exercise", kId}, {"text", "written by Bert\n"}, {"base", version_of(kAnnas)}};

struct ClassAttack {
  const char* name;
  std::function<Sent(const ServedCourse&)> sent;
};

ClassAttack asks(const char* name, const char* what, json body) {
  return {name, [=](const ServedCourse& course) { return from_bert(course, what, body); }};
}
ClassAttack said_by(const char* name, const std::string& who, const char* what = "text",
                    json body = kAsked) {
  return {name, [=](const ServedCourse& course) {
            auto sent = from_bert(course, what, body);
            say_to_be(sent, who);
            return sent;
          }};
}
json with(json body, const char* field, const std::string& value) {
  body[field] = value;
  return body;
}

std::vector<ClassAttack> students_attacks() {
  const auto of_anna = [](const char* exercise) { return json{{"exercise", exercise}}; };
  return {
      asks("a field that names another", "text", with(kAsked, "student", "anna")),
      asks("another field that names another", "text", with(kAsked, "person", "anna")),
      asks("a desk in the body", "save", with(kOverwrite, "desk", "anna")),
      asks("a save on her version", "save", kOverwrite),
      asks("her folder as an exercise", "text", of_anna("../../anna/labs/05_transpose/2_pad")),
      asks("her folder by dots", "text", of_anna("..%2f..%2fanna/2_pad")),
      asks("her hand-in as an exercise", "text", of_anna("anna/2_pad")),
      asks("a hand-in of hers", "hand_in", with(kAsked, "student", "anna")),
      asks("a hand-in into her folder", "hand_in", of_anna("../anna")),
      asks("her last verdict", "seen", {{"student", "anna"}, {"exercise", kId}}),
      asks("all of the class", "class", json::object()),
      asks("news of her file", "news",
           {{"revision", 0}, {"versions", {{"../anna/labs", version_of(kAnnas)}}}}),
      asks("a command on her exercise", "tell",
           {{"command", "diff"}, {"exercise", "../anna"}, {"language", "en"}, {"number", 0}}),
      asks("an option for an exercise", "grade", {{"exercise", "--file"}, {"language", "en"}}),
      asks("an option for a language", "grade", {{"exercise", kId}, {"language", "--root=/"}}),
      asks("a stop of hers", "stop", with(json::object(), "student", "anna")),
      asks("a text kept in her folder", "keep",
           {{"exercise", "../anna/2_pad"}, {"text", "written by Bert\n"}}),
      said_by("two names in one header", "bert, anna"),
      said_by("two names by a semicolon", "anna;bert"),
      said_by("a name with a space", "an na"),
      said_by("a name with a path", "../anna"),
      said_by("a name with a null's escape", "anna%00"),
      said_by("a name of letters that look alike", "\xd0\xb0nna"),
      said_by("no name", ""),
      said_by("the instructor's page under no name", "", "class", json::object()),
      {"a header twice",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         sent.headers.emplace_back("X-User", "anna");
         return sent;
       }},
      {"the header's name in other letters",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         sent.headers.emplace_back("x-user", "anna");
         return sent;
       }},
      {"an underscore in the header's name",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         sent.headers.emplace_back("X_User", "anna");
         return sent;
       }},
      {"a folded header",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         say_to_be(sent, "bert\r\n anna");
         return sent;
       }},
      {"a key of one student's server",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         say_to_be(sent, "");
         sent.headers.emplace_back("Cookie", course.cookie());
         return sent;
       }},
      {"a page of another site",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "save", kOverwrite);
         say_to_be(sent, "anna");
         sent.headers[1].second = "https://elsewhere.example";
         return sent;
       }},
      {"a form of another site",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "save", kOverwrite);
         say_to_be(sent, "anna");
         sent.headers[3].second = "application/x-www-form-urlencoded";
         return sent;
       }},
      {"another host's name",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         say_to_be(sent, "anna");
         sent.headers[0].second = "elsewhere.example";
         return sent;
       }},
      {"her file as a page",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         sent.line = "GET /../students/anna/labs/05_transpose/2_pad.cu HTTP/1.1";
         return sent;
       }},
      {"the ledger as a page",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "text", kAsked);
         sent.line = "GET /serve/ledger.sqlite HTTP/1.1";
         return sent;
       }},
      {"a reading that asks for a change",
       [](const ServedCourse& course) {
         auto sent = from_bert(course, "hand_in", kAsked);
         sent.line = "GET /api/hand_in HTTP/1.1";
         return sent;
       }},
  };
}

} // namespace

TEST_CASE("no request of a student has an effect on another's work") {
  const ServedCourse course({}, For::a_class);
  const auto began = course.asked("text", kAsked, "anna");
  course.asked("save", {{"exercise", kId}, {"text", kAnnas}, {"base", began["version"]}}, "anna");
  const auto file =
      course.class_folder() / "students" / "anna" / "labs" / (std::string(kId) + ".cu");
  const auto before = course.asked("class", json::object(), "prof")["students"][0]["exercises"];
  for (const auto& attack : students_attacks()) {
    CAPTURE(attack.name);
    const auto reply = course.talk(attack.sent(course).bytes());
    CHECK(reply.find("only Anna knows") == reply.npos);
    CHECK(reply.find("\"students\"") == reply.npos);
    CHECK(system::content_of(file) == kAnnas);
    CHECK_FALSE(fs::exists(course.class_folder() / "handed_in" / "anna"));
    CHECK_FALSE(fs::exists(course.class_folder() / "students" / "anna" / ".course" / "kept"));
  }
  const auto after = course.asked("class", json::object(), "prof")["students"][0]["exercises"];
  CHECK(after == before);
  CHECK(course.asked("text", kAsked, "anna")["text"] == kAnnas);
}

TEST_CASE("a link in a student's folder leads to nobody else's") {
  const ServedCourse course({}, For::a_class);
  const auto students = course.class_folder() / "students";
  course.asked("text", kAsked, "anna");
  system::write_file(students / "anna" / "labs" / (std::string(kId) + ".cu"), kAnnas);
  fs::create_directories(students / "bert" / "labs");
  fs::create_directory_symlink(students / "anna" / "labs" / "05_transpose",
                               students / "bert" / "labs" / "05_transpose");
  for (const char* what : {"text", "hand_in"}) {
    const auto reply = course.post(what, kAsked, "bert");
    CHECK(reply.find("only Anna knows") == reply.npos);
  }
  course.asked("grade", {{"exercise", kId}, {"language", "en"}}, "bert");
  course.asked("save", kOverwrite, "bert");
  CHECK(system::content_of(students / "anna" / "labs" / (std::string(kId) + ".cu")) == kAnnas);
  CHECK_FALSE(fs::exists(course.class_folder() / "handed_in" / "bert"));
}

TEST_CASE("a page fills no disk: texts that are kept, and hand-ins, have an end") {
  const ServedCourse course({}, For::a_class);
  const json text{{"exercise", kId}, {"text", "kept\n"}};
  int kept = 0, refused = 0;
  for (std::size_t i = 0; i < StudentFiles::kMostKept + 5; ++i)
    ++(ServedCourse::status_of(course.post("keep", text, "bert")) == 200 ? kept : refused);
  CHECK(kept == static_cast<int>(StudentFiles::kMostKept));
  CHECK(refused == 5);
  CHECK(ServedCourse::status_of(course.post("keep", text, "anna")) == 200);
}
