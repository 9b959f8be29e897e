// Requests that must have no effect, as a table: each is sent to a server whose student has one
// file; afterwards that file and a secret beside the folders are as they were, no word of them was
// told, nothing was kept or graded, and the server goes on.
// Over 400 lines, as it is one table.
#include "serve/served_course.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace course;
using namespace course::serve;
using nlohmann::json;

struct Raw {
  std::string line, body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string ending = "\r\n";

  void set(const std::string& name, const std::string& value) {
    std::erase_if(headers, [&](const auto& one) { return one.first == name; });
    headers.emplace_back(name, value);
  }
  void add(const std::string& name, const std::string& value) { headers.emplace_back(name, value); }
  void drop(const std::string& name) {
    std::erase_if(headers, [&](const auto& one) { return one.first == name; });
  }
  std::string bytes() const {
    auto text = line + ending;
    for (const auto& [name, value] : headers) text += name + ": " + value + ending;
    return text + ending + body;
  }
};

Raw reading(const ServedCourse& course, const std::string& path) {
  Raw raw;
  raw.line = "GET " + path + " HTTP/1.1";
  raw.headers = {{"Host", course.host()}, {"Cookie", course.cookie()}, {"Connection", "close"}};
  return raw;
}

// What would write, if it were let in.
Raw asking(const ServedCourse& course, const std::string& name, const std::string& body) {
  Raw raw;
  raw.line = "POST /api/" + name + " HTTP/1.1";
  raw.body = body;
  raw.headers = {{"Host", course.host()},
                 {"Origin", "http://" + course.host()},
                 {"Cookie", course.cookie()},
                 {"Content-Type", "application/json"},
                 {"Content-Length", std::to_string(body.size())},
                 {"Connection", "close"}};
  return raw;
}
std::string written() {
  return json{
      {"exercise", kId}, {"text", "written by an attack\n"}, {"base", version_of("as it began\n")}}
      .dump();
}
Raw writing(const ServedCourse& course) {
  return asking(course, "save", written());
}

struct Attack {
  const char* name;
  std::function<Raw(const ServedCourse&)> raw;
  std::vector<int> statuses; // 0: the connection is shut without a word
};

Attack path(const char* name, const std::string& target, std::vector<int> statuses = {400, 404}) {
  return {name, [target](const ServedCourse& course) { return reading(course, target); },
          std::move(statuses)};
}
Attack change(const char* name, const std::function<void(Raw&, const ServedCourse&)>& how,
              std::vector<int> statuses) {
  return {name,
          [how](const ServedCourse& course) {
            auto raw = writing(course);
            how(raw, course);
            return raw;
          },
          std::move(statuses)};
}
Attack method(const char* name, const std::string& verb, std::vector<int> statuses) {
  return change(
      name, [verb](Raw& raw, const ServedCourse&) { raw.line = verb + " /api/save HTTP/1.1"; },
      std::move(statuses));
}
Attack header(const char* name, const std::string& field, const std::string& value,
              std::vector<int> statuses) {
  return change(
      name, [=](Raw& raw, const ServedCourse&) { raw.set(field, value); }, std::move(statuses));
}
Attack body(const char* name, const std::string& api, const std::string& text,
            std::vector<int> statuses) {
  return {name, [=](const ServedCourse& course) { return asking(course, api, text); },
          std::move(statuses)};
}
std::string program() {
  return json{{"text", "int main() {}"}, {"language", "en"}}.dump();
}
std::string exercise(const std::string& id) {
  return json{{"exercise", id}, {"text", "x"}, {"base", ""}}.dump();
}

std::vector<Attack> paths() {
  return {
      path("up", "/../secret"),
      path("up, from a folder", "/zh/../../secret"),
      path("up, its slash in percent", "/..%2fsecret"),
      path("up, its dots in percent", "/%2e%2e/secret"),
      path("up, in percent twice", "/%252e%252e/secret"),
      path("up, in too many bytes of UTF-8", "/%c0%ae%c0%ae/secret"),
      path("up, by backslashes", "/..\\secret"),
      path("up, by backslashes in percent", "/zh%5c..%5c..%5csecret"),
      path("from the root", "/etc/passwd"),
      path("from the root, by two slashes", "//etc/passwd"),
      path("a drive", "/C:/secret"),
      path("a home", "/~root/secret"),
      path("a hidden file", "/.hidden"),
      path("where it is, by a dot", "/./.hidden"),
      path("a link of the book's folder", "/link.html"),
      path("through a link to a folder", "/linked/secret"),
      path("a zero in the name", "/index.html%00.png"),
      path("a slash too many", "/index.html/"),
      path("a folder", "/zh"),
      path("a very long name", "/" + std::string(8000, 'a')),
      path("a line end in the name", "/x%0d%0aSet-Cookie:%20course=1"),
      path("markup in the name", "/<script>alert(1)</script>"),
      path("the student's own folder", "/labs/05_transpose/2_pad.cu"),
      path("the server's key", "/.course/serve/key"),
      path("an API by its address", "/api/state", {405}),
  };
}

std::vector<Attack> methods() {
  return {
      method("PUT", "PUT", {405}),
      method("DELETE", "DELETE", {405}),
      method("PATCH", "PATCH", {405}),
      method("TRACE", "TRACE", {405}),
      method("CONNECT", "CONNECT", {400, 405}),
      method("a method in small letters", "post", {405}),
      method("a method that nobody knows", "STEAL", {405}),
      change("a browser's question whether another site may",
             [](Raw& raw, const ServedCourse&) {
               raw.line = "OPTIONS /api/save HTTP/1.1";
               raw.set("Origin", "http://evil.example");
               raw.add("Access-Control-Request-Method", "POST");
             },
             {403, 405}),
      change("POST to a page",
             [](Raw& raw, const ServedCourse&) { raw.line = "POST /index.html HTTP/1.1"; }, {405}),
      change("GET with a body",
             [](Raw& raw, const ServedCourse&) { raw.line = "GET /api/save HTTP/1.1"; }, {405}),
      change("HTTP of 1991", [](Raw& raw, const ServedCourse&) { raw.line = "GET /"; },
             {0, 400, 403, 421, 505}),
      change("HTTP/2 from the start",
             [](Raw& raw, const ServedCourse&) { raw.line = "PRI * HTTP/2.0"; },
             {0, 400, 405, 505}),
      change("no request at all", [](Raw& raw, const ServedCourse&) { raw.line = "\x16\x03\x01"; },
             {0, 400, 403, 405}),
  };
}

std::vector<Attack> sites() {
  return {
      header("a name that somebody made to mean 127.0.0.1", "Host", "evil.example:8890", {421}),
      header("such a name that begins right", "Host", "127.0.0.1.evil.example", {421}),
      header("another port", "Host", "127.0.0.1:1", {421}),
      header("no port", "Host", "127.0.0.1", {421}),
      header("an empty host", "Host", "", {400, 421}),
      header("the other protocol's address", "Host", "[::1]", {421}),
      change("no host", [](Raw& raw, const ServedCourse&) { raw.drop("Host"); }, {400, 421}),
      change("two hosts", [](Raw& raw, const ServedCourse&) { raw.add("Host", "evil.example"); },
             {400}),
      header("another site's page", "Origin", "http://evil.example", {403}),
      header("a page without a site", "Origin", "null", {403}),
      change("a page that says nothing of its site",
             [](Raw& raw, const ServedCourse&) { raw.drop("Origin"); }, {403}),
      change("this site by another protocol",
             [](Raw& raw, const ServedCourse& course) {
               raw.set("Origin", "https://" + course.host());
             },
             {403}),
      change("this machine under its other name",
             [](Raw& raw, const ServedCourse& course) {
               raw.set("Origin", fmt::format("http://localhost:{}", course.port()));
             },
             {403}),
      change("another port of this machine",
             [](Raw& raw, const ServedCourse&) { raw.set("Origin", "http://127.0.0.1:1"); }, {403}),
      change("two sites",
             [](Raw& raw, const ServedCourse&) { raw.add("Origin", "http://evil.example"); },
             {400}),
      header("a browser says that it is another site", "Sec-Fetch-Site", "cross-site", {403}),
      header("a browser says that it is a sister site", "Sec-Fetch-Site", "same-site", {403}),
      header("a form of plain text", "Content-Type", "text/plain", {415}),
      header("a form", "Content-Type", "application/x-www-form-urlencoded", {415}),
      header("a form with files", "Content-Type", "multipart/form-data; boundary=x", {415}),
      change("no type", [](Raw& raw, const ServedCourse&) { raw.drop("Content-Type"); }, {415}),
  };
}

std::vector<Attack> keys() {
  const std::string key = kKey;
  const auto with = [](const char* name, const std::string& value) {
    return change(name,
                  [value](Raw& raw, const ServedCourse& course) {
                    raw.set("Cookie", fmt::format("course_{}={}", course.port(), value));
                  },
                  {403});
  };
  return {
      with("another's key", std::string(key.size(), 'f')),
      with("an empty key", ""),
      with("the beginning of the key", key.substr(0, 31)),
      with("the key and more", key + "0"),
      with("the key in large letters", "0123456789ABCDEF0123456789ABCDEF"),
      change("no cookie", [](Raw& raw, const ServedCourse&) { raw.drop("Cookie"); }, {403}),
      change("the cookie of another server of this machine",
             [key](Raw& raw, const ServedCourse&) { raw.set("Cookie", "course_1=" + key); }, {403}),
      change("a cookie whose name only ends so",
             [](Raw& raw, const ServedCourse& course) { raw.set("Cookie", "x" + course.cookie()); },
             {403}),
      change("two cookie headers", [](Raw& raw, const ServedCourse&) { raw.add("Cookie", "a=b"); },
             {400}),
      change("the key where a password goes",
             [key](Raw& raw, const ServedCourse&) {
               raw.drop("Cookie");
               raw.add("Authorization", "Bearer " + key);
             },
             {403}),
      change("the key in the address of an API",
             [key](Raw& raw, const ServedCourse&) {
               raw.drop("Cookie");
               raw.line = "POST /api/save?key=" + key + " HTTP/1.1";
             },
             {403}),
      {"the key in the address of a page",
       [key](const ServedCourse& course) {
         auto raw = reading(course, "/index.html?key=" + key);
         raw.drop("Cookie");
         return raw;
       },
       {403}},
      {"a wrong key in the address",
       [](const ServedCourse& course) { return reading(course, "/?key=0"); },
       {403}},
  };
}

std::vector<Attack> headers() {
  return {
      change("two lengths", [](Raw& raw, const ServedCourse&) { raw.add("Content-Length", "1"); },
             {0, 400}),
      change("a length and pieces",
             [](Raw& raw, const ServedCourse&) { raw.add("Transfer-Encoding", "chunked"); },
             {0, 400, 403}),
      change("pieces",
             [](Raw& raw, const ServedCourse&) {
               raw.drop("Content-Length");
               raw.add("Transfer-Encoding", "chunked");
               raw.body = fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", raw.body.size(), raw.body);
             },
             {400}),
      header("a length below nothing", "Content-Length", "-1", {0, 400}),
      header("a length that no number holds", "Content-Length", "99999999999999999999999",
             {0, 400, 413}),
      change("a header that goes on on the next line",
             [](Raw& raw, const ServedCourse&) { raw.set("Cookie", "a=b;\r\n x=y"); },
             {0, 400, 403}),
      change("a header without a colon",
             [](Raw& raw, const ServedCourse&) {
               raw.line += "\r\nnothing";
               raw.drop("Cookie");
             },
             {0, 400, 403}),
      header("a header of 100 KB", "X-Long", std::string(100'000, 'x'), {0, 400, 413, 431}),
      change("a thousand headers",
             [](Raw& raw, const ServedCourse&) {
               for (int i = 0; i < 1000; ++i) raw.add(fmt::format("X-{}", i), std::string(40, 'x'));
             },
             {0, 400, 413, 431}),
      change("a zero in a header",
             [](Raw& raw, const ServedCourse&) { raw.set("Cookie", std::string("a\0b", 3)); },
             {0, 400, 403}),
      change("a key after a zero",
             [](Raw& raw, const ServedCourse& course) {
               raw.set("Cookie", std::string("a=b\0", 4) + course.cookie());
             },
             {0, 400, 403}),
  };
}

std::vector<Attack> bodies() {
  const auto save = [](const json& more) {
    json all{{"exercise", kId}, {"text", "x"}, {"base", version_of("as it began\n")}};
    all.update(more);
    return all.dump();
  };
  return {
      body("no JSON", "save", "exercise=05_transpose/2_pad", {400}),
      body("brackets without end", "save", std::string(100'000, '['), {400}),
      body("a field of another kind", "save", save({{"text", 1}}), {400}),
      body("no base", "save", json{{"exercise", kId}, {"text", "x"}}.dump(), {400}),
      body("an older base", "save", save({{"base", "00"}}), {409}),
      body("a text that is too large", "save", save({{"text", std::string(kMostText + 1, 'x')}}),
           {400}),
      body("a body that is too large", "save", save({{"text", std::string(1 << 20, 'x')}}),
           {0, 413}),
      body("a zero in a text", "save", save({{"text", std::string("a\0b", 3)}}), {400}),
      body("a text that is not UTF-8", "save",
           std::string("{\"exercise\":\"05_transpose/2_pad\",\"text\":\"\xff\",\"base\":\"\"}"),
           {400}),
      body("half a character", "save",
           R"({"exercise":"05_transpose/2_pad","text":"\ud800","base":""})", {400}),
      body("an exercise above the folder", "save", exercise("../../secret"), {400}),
      body("an exercise beside the folder", "save", exercise("05_transpose/../../../secret"),
           {400}),
      body("an exercise from the root", "save", exercise("/etc/passwd"), {400}),
      body("an exercise with a zero", "save", exercise(std::string("05_transpose/2_pad\0", 19)),
           {400}),
      body("an exercise that there is not", "save", exercise("05_transpose/9_none"), {404}),
      body("an exercise that is an option", "save", exercise("--root/x"), {404}),
      body("markup as an exercise", "save", exercise("<script>/x"), {400}),
      body("an empty exercise", "save", exercise(""), {400}),
      body("a file of the course that is none of the student's", "text",
           exercise("05_transpose/lab"), {404}),
      body("a text to keep above the folder", "keep", exercise("../x"), {400}),
      body("a command that is not one of five", "tell",
           R"({"command":"grade","exercise":"05_transpose/2_pad","language":"en","number":0})",
           {400}),
      body(
          "a command with options", "tell",
          R"({"command":"diff --solution","exercise":"05_transpose/2_pad","language":"en","number":0})",
          {400}),
      body("a language with options", "grade",
           R"({"exercise":"05_transpose/2_pad","language":"en --root /"})", {400}),
      body("a shell's words", "grade", R"({"exercise":"05_transpose/2_pad;id","language":"en"})",
           {400}),
      body("a number that is too large", "tell",
           R"({"command":"hint","exercise":"05_transpose/2_pad","language":"en","number":1e99})",
           {400}),
      body("a program that is too large", "play",
           json{{"text", std::string(kMostText + 1, 'x')}, {"language", "en"}}.dump(), {400}),
      body("a program in a body that is too large", "play",
           json{{"text", std::string(1 << 20, 'x')}, {"language", "en"}}.dump(), {0, 413}),
      body("a zero in a program", "play",
           json{{"text", std::string("a\0b", 3)}, {"language", "en"}}.dump(), {400}),
      body("a program that is not UTF-8", "play", "{\"text\":\"\xff\",\"language\":\"en\"}", {400}),
      body("half a character in a program", "play", R"({"text":"\ud800","language":"en"})", {400}),
      body("a program that is a list of words", "play", R"({"text":["a"],"language":"en"})", {400}),
      body("no program", "play", R"({"language":"en"})", {400}),
      body("a block that is a word", "play",
           R"({"text":"int main() {}","language":"en","block":["0","0","--json"],"warp":0})",
           {400}),
      body("a block of two numbers", "play",
           R"({"text":"int main() {}","language":"en","block":[0,0],"warp":0})", {400}),
      body("a block below nothing", "play",
           R"({"text":"int main() {}","language":"en","block":[0,-1,0],"warp":0})", {400}),
      body("a warp that is a program", "play",
           R"({"text":"int main() {}","language":"en","block":[0,0,0],"warp":"; id"})", {400}),
      body("a program in no language", "play", R"({"text":"int main() {}"})", {400}),
      body("a program with options", "play", R"({"text":"int main() {}","language":"en --root /"})",
           {400}),
      body("a program below a program", "play/x", program(), {404}),
      body("news of very many files", "news",
           [] {
             json versions = json::object();
             for (int i = 0; i < 100; ++i) versions[fmt::format("a/{}", i)] = "";
             return json{{"revision", 0}, {"versions", versions}}.dump();
           }(),
           {400}),
      body("an API that there is not", "shell", "{}", {404}),
      body("an API above the others", "../api/save", written(), {400, 404}),
  };
}

// Whoever may not save may not run anything, either.
std::vector<Attack> programs() {
  const auto with = [](const char* name, const std::function<void(Raw&)>& how,
                       std::vector<int> statuses) {
    return Attack{name,
                  [how](const ServedCourse& course) {
                    auto raw = asking(course, "play", program());
                    how(raw);
                    return raw;
                  },
                  std::move(statuses)};
  };
  return {
      with("a program from another site's page",
           [](Raw& raw) { raw.set("Origin", "http://evil.example"); }, {403}),
      with("a program from a page without a site", [](Raw& raw) { raw.set("Origin", "null"); },
           {403}),
      with("a program from a page that says nothing of its site",
           [](Raw& raw) { raw.drop("Origin"); }, {403}),
      with("a program from what a browser says is another site",
           [](Raw& raw) { raw.set("Sec-Fetch-Site", "cross-site"); }, {403}),
      with("a program by a form", [](Raw& raw) { raw.set("Content-Type", "text/plain"); }, {415}),
      with("a program without the key", [](Raw& raw) { raw.drop("Cookie"); }, {403}),
      with("a program for a name that was made to mean 127.0.0.1",
           [](Raw& raw) { raw.set("Host", "evil.example:8890"); }, {421}),
      with("a program by its address", [](Raw& raw) { raw.line = "GET /api/play HTTP/1.1"; },
           {405}),
      with("a program in a page's address",
           [](Raw& raw) { raw.line = "POST /playground.html?text=x HTTP/1.1"; }, {405}),
  };
}

std::vector<Attack> attacks() {
  std::vector<Attack> all;
  for (auto part : {paths(), methods(), sites(), keys(), headers(), bodies(), programs()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

void check_untouched(const ServedCourse& course) {
  CHECK(system::content_of(course.file()) == "as it began\n");
  CHECK(system::content_of(course.secret()) == kSecret);
  CHECK_FALSE(fs::exists(course.root() / ".course"));
  CHECK(ServedCourse::status_of(course.get("/index.html")) == 200);
}

} // namespace

TEST_CASE("the request that attacks begin with would write, as it is") {
  const ServedCourse course;
  CHECK(ServedCourse::status_of(course.talk(writing(course).bytes())) == 200);
  CHECK(system::content_of(course.file()) == "written by an attack\n");
}

TEST_CASE("the program that attacks try to run would run, as it is") {
  const ServedCourse course([](Settings& settings) { settings.workers = 0; });
  CHECK(ServedCourse::status_of(course.talk(asking(course, "play", program()).bytes())) == 200);
  const auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"]["exercise"] == kPlayground);
}

TEST_CASE("no attack has an effect") {
  const auto all = attacks();
  CHECK(all.size() >= 130);
  const ServedCourse course;
  for (const auto& [name, raw, statuses] : all) {
    const std::string attack = name;
    CAPTURE(attack);
    const auto reply = course.talk(raw(course).bytes());
    const int status = ServedCourse::status_of(reply);
    CHECK_MESSAGE(std::ranges::count(statuses, status) == 1, status, " ", reply.substr(0, 300));
    CHECK(reply.find("secret of somebody") == reply.npos);
    CHECK(reply.find(kKey) == reply.npos);
    CHECK((status == 409 || reply.find("as it began") == reply.npos));
    check_untouched(course);
  }
  const auto news = course.asked("news", {{"revision", 0}, {"versions", json::object()}});
  CHECK(news["grading"].is_null());
  CHECK(news["results"].empty());
}

TEST_CASE("links in a student's folder lead nowhere") {
  const ServedCourse course;
  fs::remove(course.file());
  fs::create_symlink(course.secret(), course.file());
  CHECK(course.asked("text", {{"exercise", kId}})["why"] == "not_plain");
  const auto save = course.post("save", {{"exercise", kId}, {"text", "x"}, {"base", ""}});
  CHECK(ServedCourse::status_of(save) == 409);
  const auto news = course.post("news", {{"revision", 0}, {"versions", {{kId, ""}}}});
  CHECK(news.find("secret of somebody") == news.npos);
  CHECK(system::content_of(course.secret()) == kSecret);
}

TEST_CASE("markup in a file and in its report is text of JSON, which no browser takes for a page") {
  const ServedCourse course;
  system::write_file(course.file(), "</script><script>alert(1)</script>\n");
  const auto reply = course.post("text", {{"exercise", kId}});
  CHECK(reply.find("Content-Type: application/json") != reply.npos);
  CHECK(reply.find("X-Content-Type-Options: nosniff") != reply.npos);
}

namespace {

void be_impatient(Settings& settings) {
  settings.limits.request = std::chrono::milliseconds(300);
  settings.limits.reply = std::chrono::milliseconds(300);
}

} // namespace

TEST_CASE("whoever takes too long for a request finds the connection shut") {
  const ServedCourse course(be_impatient);
  const auto bytes = writing(course).bytes();
  // Nothing, half of the headers, half of the body: each is ended by the server, or this would
  // never return.
  for (const auto size : {std::size_t{0}, bytes.find("Cookie"), bytes.size() - 10}) {
    const auto socket = course.connected();
    send(socket.get(), bytes.data(), size, MSG_NOSIGNAL);
    CHECK(ServedCourse::status_of(ServedCourse::rest_of(socket)) != 200);
  }
  check_untouched(course);
}

TEST_CASE("a byte now and then is not fast enough") {
  const ServedCourse course(be_impatient);
  const auto socket = course.connected();
  const auto bytes = writing(course).bytes();
  std::size_t sent = 0;
  for (; sent < bytes.size() - 1; ++sent) {
    if (send(socket.get(), &bytes[sent], 1, MSG_NOSIGNAL) != 1) break;
    pollfd shut{socket.get(), POLLRDHUP, 0};
    if (poll(&shut, 1, 20) > 0) break;
  }
  CHECK(sent < bytes.size() - 1);
  check_untouched(course);
}

TEST_CASE("sockets that are left open do not keep others out for long") {
  const ServedCourse course([](Settings& settings) {
    be_impatient(settings);
    settings.limits.connections = 8;
  });
  std::vector<system::Descriptor> left;
  for (int i = 0; i < 100; ++i) left.push_back(course.connected());
  // Refused as long as there is no room; then let in.
  while (ServedCourse::status_of(course.get("/index.html")) != 200) {
  }
  check_untouched(course);
}

TEST_CASE("too many requests are refused, and after them others are served") {
  const ServedCourse course([](Settings& settings) { settings.requests_per_second = 20; });
  int refused = 0;
  while (refused == 0) refused += ServedCourse::status_of(course.get("/book.js")) == 429;
  while (ServedCourse::status_of(course.get("/index.html")) != 200) {
  }
}

TEST_CASE("whoever goes away while it waits is forgotten") {
  const ServedCourse course(
      [](Settings& settings) { settings.news_wait = std::chrono::milliseconds(100); });
  const auto body = json{{"revision", 1}, {"versions", json::object()}}.dump();
  for (int i = 0; i < 20; ++i) {
    const auto socket = course.connected();
    const auto bytes = asking(course, "news", body).bytes();
    send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  check_untouched(course);
}
