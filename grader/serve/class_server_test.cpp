#include "serve/served_course.hpp"

#include "progress/log.hpp"
#include "serve/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <sys/un.h>

namespace {

using namespace course;
using namespace course::serve;
using nlohmann::json;

const json kGrade{{"exercise", kId}, {"language", "en"}};
const json kNothing = json::object();

ServedCourse of_class(const std::function<void(Settings&)>& change = {}) {
  return ServedCourse(change, For::a_class);
}

json news_of(const ServedCourse& course, const std::string& who, std::uint64_t known = 0) {
  return course.asked("news", {{"revision", known}, {"versions", json::object()}}, who);
}

json result_for(const ServedCourse& course, const std::string& who) {
  for (std::uint64_t known = 0;;) {
    const auto news = news_of(course, who, known);
    REQUIRE(news.is_object());
    if (news["results"].contains(kId)) return news["results"][kId];
    known = news["revision"].get<std::uint64_t>();
  }
}

// Opens the file and writes `text` into it.
void write_as(const ServedCourse& course, const std::string& who, const std::string& text) {
  const auto began = course.asked("text", {{"exercise", kId}}, who);
  const auto saved =
      course.post("save", {{"exercise", kId}, {"text", text}, {"base", began["version"]}}, who);
  REQUIRE(ServedCourse::status_of(saved) == 200);
}

std::size_t gradings(const ServedCourse& course) {
  const auto all = system::content_of(course.graded()).value_or("");
  return static_cast<std::size_t>(std::ranges::count(all, '\n'));
}

} // namespace

TEST_CASE("each student of a class has files of their own, and nobody sees another's") {
  const auto course = of_class();
  write_as(course, "anna", "Anna's\n");
  CHECK(course.asked("text", {{"exercise", kId}}, "bert")["text"] == "as it began\n");
  CHECK(course.asked("text", {{"exercise", kId}}, "anna")["text"] == "Anna's\n");
  CHECK(system::content_of(course.file()) == "as it began\n"); // the course's own
  const auto state = course.asked("state", kNothing, "anna");
  CHECK(state["class"]["who"] == "Anna");
  CHECK(state.dump().find("bert") == std::string::npos);
}

TEST_CASE("who is not of the class is not let in, and hears why") {
  const auto course = of_class();
  CHECK(ServedCourse::status_of(course.post("state", kNothing, "dora")) == 403);
  CHECK(course.asked("state", kNothing, "dora")["error"] == "unknown");
  CHECK(ServedCourse::status_of(course.post("state", kNothing)) == 403);
}

TEST_CASE("who opens a link while nothing can be written reads why") {
  struct Full : Login {
    Who who(const Request&, std::string_view) override { throw LedgerError("disk is full", true); }
  };
  const ServedCourse course({}, For::a_class, [] { return std::make_unique<Full>(); });
  const auto page = course.get(std::string("/?key=") + kKey);
  CHECK(ServedCourse::status_of(page) == 507);
  CHECK(page.find("text/plain") != std::string::npos);
  CHECK(page.ends_with("\r\n\r\nnot noted\n"));
  CHECK(course.asked("state", kNothing, "anna")["error"] == "full");
}

TEST_CASE("a text that somebody had graded is not graded again, and counts for each") {
  const auto course = of_class();
  write_as(course, "anna", "the same\n");
  write_as(course, "bert", "the same\n");
  course.asked("grade", kGrade, "anna");
  const auto first = result_for(course, "anna");
  CHECK(first["verdict"]["verdict"] == "passed");
  course.asked("grade", kGrade, "bert");
  CHECK(result_for(course, "bert")["report"] == first["report"]);
  CHECK(gradings(course) == 1);
  const auto log = course.class_folder() / "students" / "bert" / ".course" / "progress.jsonl";
  CHECK(progress::Log(log).read().events.size() == 1);
  const auto all = course.asked("class", kNothing, "prof");
  CHECK(all["students"][1]["exercises"][kId]["attempts"] == 1);
}

TEST_CASE("what is typed after Grade is not what is graded") {
  const auto course = of_class();
  write_as(course, "anna", "endless\n");
  course.asked("grade", kGrade, "anna");
  write_as(course, "anna", "another\n");
  CHECK(news_of(course, "anna")["grading"]["exercise"] == kId);
  course.asked("stop", kNothing, "anna");
  const auto stopped = result_for(course, "anna");
  CHECK(stopped["stopped"] == true);
  CHECK(stopped["version"] == version_of("endless\n"));
}

TEST_CASE("students wait in turn, each once, and are told their place") {
  const auto course = of_class();
  write_as(course, "anna", "endless\n");
  write_as(course, "bert", "Bert's\n");
  write_as(course, "carl", "Carl's\n");
  course.asked("grade", kGrade, "anna");
  course.asked("grade", kGrade, "bert");
  course.asked("grade", kGrade, "carl");
  CHECK(ServedCourse::status_of(course.post("grade", kGrade, "bert")) == 409);
  CHECK(news_of(course, "bert")["grading"]["place"] == 1);
  CHECK(news_of(course, "carl")["grading"]["place"] == 2);
  CHECK(course.asked("class", kNothing, "prof")["queue"] == 2);
  course.asked("stop", kNothing, "anna");
  CHECK(result_for(course, "carl")["verdict"]["verdict"] == "passed");
  CHECK(result_for(course, "bert")["verdict"]["verdict"] == "passed");
}

TEST_CASE("a student with many pages open takes no other's place") {
  const auto course = of_class([](Settings& settings) { settings.most_waiting = 20; });
  const auto revision = news_of(course, "anna")["revision"];
  const auto waits = [&](const std::string& who) {
    const auto text = json{{"revision", revision}, {"versions", kNothing}}.dump();
    auto socket = course.connected();
    REQUIRE(system::write_all(
        socket.get(),
        fmt::format("POST /api/news HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nX-User: {}\r\n"
                    "Content-Type: application/json\r\nContent-Length: {}\r\n"
                    "Connection: close\r\n\r\n{}",
                    course.host(), course.host(), who, text.size(), text)));
    return socket;
  };
  std::vector<system::Descriptor> pages;
  pages.reserve(17);
  while (pages.size() < 17) pages.push_back(waits("anna"));
  // The first of them is answered, for the last to wait.
  CHECK(ServedCourse::status_of(ServedCourse::rest_of(pages.front())) == 429);
  const auto berts = waits("bert");
  course.asked("grade", kGrade, "bert");
  CHECK(ServedCourse::status_of(ServedCourse::rest_of(berts)) == 200);
}

TEST_CASE("instructors see everybody and the verdict that a student saw; students do not") {
  const auto course = of_class();
  write_as(course, "anna", "Anna's\n");
  course.asked("grade", kGrade, "anna");
  const auto seen = result_for(course, "anna");
  const json what{{"student", "anna"}, {"exercise", kId}};
  CHECK(course.asked("seen", what, "prof")["report"] == seen["report"]);
  CHECK(ServedCourse::status_of(course.post("seen", what, "bert")) == 404);
  CHECK(ServedCourse::status_of(course.post("class", kNothing, "anna")) == 404);
  CHECK(ServedCourse::status_of(
            course.post("seen", {{"student", "../anna"}, {"exercise", kId}}, "prof")) == 404);
}

TEST_CASE("what is handed in lies where a class is graded from") {
  const auto course = of_class();
  write_as(course, "anna", "Anna's\n");
  const auto state = course.asked("hand_in", {{"exercise", kId}}, "anna");
  CHECK(state["handed_in"][kId]["version"] == version_of("Anna's\n"));
  const auto file =
      course.class_folder() / "handed_in" / "anna" / "labs" / (std::string(kId) + ".cu");
  CHECK(system::content_of(file) == "Anna's\n");
  CHECK(ServedCourse::status_of(course.post("hand_in", {{"exercise", kId}}, "bert")) == 409);
}

TEST_CASE("one student's machine has no class") {
  const ServedCourse course;
  for (const char* one : {"class", "hand_in", "seen"})
    CHECK(ServedCourse::status_of(course.post(one, {{"exercise", kId}, {"student", "anna"}})) ==
          404);
}

TEST_CASE("what was saved, graded and handed in is there after kill -9") {
  auto course = of_class();
  write_as(course, "anna", "Anna's\n");
  course.asked("grade", kGrade, "anna");
  const auto before = result_for(course, "anna");
  course.asked("hand_in", {{"exercise", kId}}, "anna");
  write_as(course, "bert", "endless\n");
  course.asked("grade", kGrade, "bert");
  course.end(SIGKILL);
  course.start_again();
  CHECK(course.asked("text", {{"exercise", kId}}, "anna")["text"] == "Anna's\n");
  CHECK(result_for(course, "anna")["report"] == before["report"]);
  CHECK(course.asked("state", kNothing, "anna")["class"]["handed_in"].contains(kId));
  CHECK(course.asked("text", {{"exercise", kId}}, "bert")["text"] == "endless\n");
  CHECK(news_of(course, "bert")["grading"].is_null()); // it was not answered
}

TEST_CASE("who is put on the list is let in without a start, and who is taken off it is not") {
  const auto course = of_class();
  write_as(course, "bert", "Bert's\n");
  const auto before = news_of(course, "anna");
  CHECK(before["class"] == 0);
  system::write_file(course.class_folder() / "roster.csv", "id,name\nanna,Anna\ndora,Dora\n");
  system::write_file(course.class_folder() / "instructors.csv", "id,name\nprof,Pat\nbert,Bert\n");
  // A page that waits is told.
  CHECK(news_of(course, "anna", before["revision"].get<std::uint64_t>())["class"] == 1);
  CHECK(course.asked("state", kNothing, "dora")["class"]["who"] == "Dora");
  CHECK(course.asked("state", kNothing, "carl")["error"] == "unknown");
  // Who instructs now has files of their own as that.
  CHECK(course.asked("state", kNothing, "bert")["class"]["instructs"] == true);
  CHECK(course.asked("text", {{"exercise", kId}}, "bert")["text"] == "as it began\n");
  CHECK(course.asked("class", kNothing, "bert")["students"].size() == 2);
  system::write_file(course.class_folder() / "roster.csv", "name\nErna\n");
  for (json fault; fault.is_null();) fault = course.asked("class", kNothing, "prof")["fault"];
  const auto fault = course.asked("class", kNothing, "prof")["fault"];
  CHECK(fault["why"] == "no_plain_name");
  CHECK(fault["where"] == "roster.csv:2");
  CHECK(course.asked("state", kNothing, "dora")["class"]["who"] == "Dora");
}

TEST_CASE("a server in front talks to it at a socket in the file system") {
  const system::TemporaryFolder folder("course_socket");
  const auto path = folder.path() / "socket";
  const auto course = of_class([&](Settings& settings) {
    settings.listen.socket = path;
    settings.site = site_at("https://cuda.uni.example");
  });
  CHECK(course.port() == 0);
  system::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  REQUIRE(connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  system::write_all(socket.get(), "GET / HTTP/1.1\r\nHost: cuda.uni.example\r\nX-User: anna\r\n"
                                  "Connection: close\r\n\r\n");
  CHECK(ServedCourse::status_of(ServedCourse::rest_of(socket)) == 200);
  CHECK((fs::status(path).permissions() & fs::perms::others_all) == fs::perms::none);
}

TEST_CASE("an address is a scheme, a host and a port at most") {
  CHECK(site_at("https://cuda.uni.example")->tls);
  CHECK(site_at("https://cuda.uni.example/")->hosts.front() == "cuda.uni.example");
  CHECK(site_at("http://127.0.0.1:8000")->hosts.front() == "127.0.0.1:8000");
  CHECK(site_at("https://cuda.uni.example")->cookie_with("x").find("; Secure") !=
        std::string::npos);
  for (const char* none : {"", "cuda.uni.example", "https://", "https://a/b", "https://a:1:2",
                           "https://u@a", "ftp://a", "https://a b"})
    CHECK_FALSE(site_at(none));
}
