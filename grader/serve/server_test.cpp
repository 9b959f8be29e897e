#include "serve/served_course.hpp"

#include "progress/log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace course;
using namespace course::serve;
using nlohmann::json;

// Asks for news as a page does until it has a result.
json result_of(const ServedCourse& course, std::uint64_t known = 0, const char* of = kId) {
  for (auto revision = known;;) {
    const auto news = course.asked("news", {{"revision", revision}, {"versions", json::object()}});
    REQUIRE(news.is_object());
    if (news["results"].contains(of)) return news["results"][of];
    revision = news["revision"].get<std::uint64_t>();
  }
}

} // namespace

TEST_CASE("the printed address gives the cookie, which opens the book") {
  const ServedCourse course;
  const auto entered = course.talk(fmt::format(
      "GET /?key={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", kKey, course.host()));
  CHECK(ServedCourse::status_of(entered) == 200);
  CHECK(entered.find(course.cookie()) != entered.npos);
  CHECK(entered.find("HttpOnly") != entered.npos);
  CHECK(entered.find("SameSite=Strict") != entered.npos);
  const auto page = course.get("/");
  CHECK(ServedCourse::status_of(page) == 200);
  CHECK(page.find("the book") != page.npos);
  CHECK(page.find("<script src=\"/live.js\">") != page.npos);
}

TEST_CASE("a page comes with its policy, and is not sent again where it is known") {
  const ServedCourse course;
  const auto page = course.get("/index.html");
  CHECK(page.find("script-src 'self';") != page.npos);
  CHECK(page.find("frame-ancestors 'none'") != page.npos);
  CHECK(page.find("X-Content-Type-Options: nosniff") != page.npos);
  const auto at = page.find("ETag: ") + 6;
  const auto tag = page.substr(at, page.find("\r\n", at) - at);
  const auto again =
      course.talk(fmt::format("GET /index.html HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n"
                              "If-None-Match: {}\r\nConnection: close\r\n\r\n",
                              course.host(), course.cookie(), tag));
  CHECK(ServedCourse::status_of(again) == 304);
}

TEST_CASE("what is typed is in the file when the answer is there") {
  const ServedCourse course;
  const auto began = course.asked("text", {{"exercise", kId}});
  CHECK(began["text"] == "as it began\n");
  const auto saved =
      course.asked("save", {{"exercise", kId}, {"text", "mine\n"}, {"base", began["version"]}});
  CHECK(saved["version"] == version_of("mine\n"));
  CHECK(system::content_of(course.file()) == "mine\n");
}

TEST_CASE("a text that builds on an older one is refused, with the one that is there") {
  const ServedCourse course;
  system::write_file(course.file(), "from outside\n");
  const auto reply = course.post("save", {{"exercise", kId}, {"text", "mine\n"}, {"base", "old"}});
  CHECK(ServedCourse::status_of(reply) == 409);
  CHECK(json::parse(ServedCourse::body_of(reply))["text"] == "from outside\n");
  CHECK(system::content_of(course.file()) == "from outside\n");
}

TEST_CASE("what another editor saves is news") {
  const ServedCourse course;
  const auto first = course.asked("news", {{"revision", 0}, {"versions", {{kId, ""}}}});
  CHECK(first["files"][kId]["text"] == "as it began\n");
  const auto socket = course.connected();
  const json body{{"revision", first["revision"]},
                  {"versions", {{kId, first["files"][kId]["version"]}}}};
  const auto text = body.dump();
  const auto bytes = fmt::format(
      "POST /api/news HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nCookie: {}\r\nContent-Type: "
      "application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      course.host(), course.host(), course.cookie(), text.size(), text);
  REQUIRE(system::write_all(socket.get(), bytes));
  system::write_file(course.file(), "from outside\n");
  const auto news = json::parse(ServedCourse::body_of(ServedCourse::rest_of(socket)));
  CHECK(news["files"][kId]["text"] == "from outside\n");
}

TEST_CASE("news are answered after a while where there are none") {
  const ServedCourse course(
      [](Settings& settings) { settings.news_wait = std::chrono::milliseconds(1); });
  const auto news = course.asked("news", {{"revision", 1}, {"versions", json::object()}});
  CHECK(news["revision"] == 1);
  CHECK(news["grading"].is_null());
}

TEST_CASE("a grading's report and verdict come as news, and stay for a page that is loaded again") {
  const ServedCourse course;
  CHECK(course.asked("grade", {{"exercise", kId}, {"language", "zh"}}) == json::object());
  const auto result = result_of(course);
  CHECK(result["report"] == fmt::format("graded {} in zh\n", kId));
  CHECK(result["verdict"]["verdict"] == "passed");
  CHECK(result["code"] == 0);
  CHECK(result_of(course)["number"] == result["number"]);
}

TEST_CASE("one grading at a time for each student, and it can be stopped") {
  const ServedCourse course;
  system::write_file(course.file(), "endless\n");
  course.asked("grade", {{"exercise", kId}, {"language", "en"}});
  const auto second = course.post("grade", {{"exercise", kId}, {"language", "en"}});
  CHECK(ServedCourse::status_of(second) == 409);
  const auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"]["exercise"] == kId);
  course.asked("stop", json::object());
  CHECK(result_of(course)["stopped"] == true);
  system::write_file(course.file(), "ends\n");
  const auto known = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  course.asked("grade", {{"exercise", kId}, {"language", "en"}});
  CHECK(result_of(course, known["revision"].get<std::uint64_t>())["stopped"] == false);
}

TEST_CASE("a grading that waits for a worker can be taken back") {
  const ServedCourse course([](Settings& settings) { settings.workers = 0; });
  course.asked("grade", {{"exercise", kId}, {"language", "en"}});
  auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"]["place"] == 1);
  course.asked("stop", json::object());
  news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"].is_null());
}

TEST_CASE("a program of the playground is run as it was typed, and its report comes as news") {
  const ServedCourse course;
  CHECK(course.asked("play", {{"text", "int main() {}"}, {"language", "zh"}}) == json::object());
  const auto result = result_of(course, 0, kPlayground);
  CHECK(result["report"] == "played int main() {} in zh\n");
  CHECK(result["verdict"]["ending"] == "ran");
  CHECK(result["version"] == version_of("int main() {}"));
  CHECK(system::content_of(course.file()) == "as it began\n");
}

TEST_CASE("a run and a grading take turns, and a run can be stopped") {
  const ServedCourse course;
  course.asked("play", {{"text", "endless"}, {"language", "en"}});
  for (const auto& [name, body] :
       {std::pair{"grade", json{{"exercise", kId}, {"language", "en"}}},
        std::pair{"play", json{{"text", "int main() {}"}, {"language", "en"}}}})
    CHECK(ServedCourse::status_of(course.post(name, body)) == 409);
  const auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"]["exercise"] == kPlayground);
  course.asked("stop", json::object());
  CHECK(result_of(course, 0, kPlayground)["stopped"] == true);
  course.asked("grade", {{"exercise", kId}, {"language", "en"}});
  CHECK(result_of(course)["stopped"] == false);
}

TEST_CASE("a program that waits for a worker can be taken back") {
  const ServedCourse course([](Settings& settings) { settings.workers = 0; });
  course.asked("play", {{"text", "int main() {}"}, {"language", "en"}});
  course.asked("stop", json::object());
  const auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"].is_null());
  CHECK(news["results"].empty());
}

TEST_CASE("commands are told as they print") {
  const ServedCourse course;
  const auto told = course.asked(
      "tell", {{"command", "hint"}, {"exercise", kId}, {"language", "en"}, {"number", 2}});
  CHECK(told["text"] == fmt::format("told hint {} 2\n", kId));
  CHECK(told["code"] == 0);
}

TEST_CASE("what is solved, and what is next, is what the log says") {
  const ServedCourse course;
  auto state = course.asked("state", json::object());
  CHECK(state["exercises"][kId]["solved"] == false);
  progress::Event event;
  event.kind = progress::Event::Kind::run;
  event.exercise = kId;
  event.time = progress::now();
  event.run.ending = judge::Ending::passed;
  CHECK(progress::Log(course.root() / ".course" / "progress.jsonl").append(event).empty());
  state = course.asked("state", json::object());
  CHECK(state["exercises"][kId]["solved"] == true);
  CHECK(state["next"] != kId);
}

TEST_CASE("a text that is given up is kept") {
  const ServedCourse course;
  const auto kept = course.asked("keep", {{"exercise", kId}, {"text", "given up\n"}});
  CHECK(system::content_of(course.root() / kept["kept"].get<std::string>()) == "given up\n");
}

TEST_CASE("a port that is taken is an error, not a second server") {
  const ServedCourse course;
  CHECK_THROWS_AS(Http({course.port()}, {}, {}), std::system_error);
}
