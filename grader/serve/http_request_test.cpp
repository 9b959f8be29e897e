#include "serve/http_request.hpp"

#include "serve/login.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace course::serve;

KeyLogin kept_key("0123456789abcdef");

Request reading(const std::string& path) {
  Request request;
  request.method = "GET";
  request.path = path;
  request.host = "127.0.0.1:8890";
  request.cookie = "course_8890=0123456789abcdef";
  return request;
}

Request asking(const std::string& name, const std::string& body) {
  auto request = reading("/api/" + name);
  request.method = "POST";
  request.origin = "http://127.0.0.1:8890";
  request.content_type = "application/json";
  request.body = body;
  return request;
}

int status_of(const Request& request) {
  const auto who = admit(request, site_at(8890), kept_key);
  if (const auto* no = std::get_if<Refused>(&who)) return no->status;
  const auto asked = route(request);
  if (const auto* no = std::get_if<Refused>(&asked)) return no->status;
  return 200;
}

} // namespace

TEST_CASE("the cookie lets in, at both names of this machine, and among other cookies") {
  CHECK(status_of(reading("/index.html")) == 200);
  auto request = reading("/zh/05_transpose.html");
  request.host = "localhost:8890";
  request.cookie = "course_8891=x; a=b;course_8890=0123456789abcdef; c=d";
  CHECK(status_of(request) == 200);
}

TEST_CASE("the key of the address opens the door itself and no other page") {
  auto request = reading("/");
  request.cookie = "";
  request.key = "0123456789abcdef";
  const auto who = admit(request, site_at(8890), kept_key);
  REQUIRE(std::holds_alternative<Visitor>(who));
  CHECK(std::get<Visitor>(who).cookie == "0123456789abcdef");
  request.path = "/index.html";
  CHECK(status_of(request) == 403);
}

TEST_CASE("a server without a key lets nobody in") {
  auto request = reading("/");
  request.cookie = "course_8890=";
  KeyLogin no_key("");
  CHECK(std::holds_alternative<Refused>(admit(request, site_at(8890), no_key)));
}

TEST_CASE("secrets are equal or they are not, whatever their lengths") {
  CHECK(same_secret("abc", "abc"));
  CHECK_FALSE(same_secret("abc", "abd"));
  CHECK_FALSE(same_secret("abc", "ab"));
  CHECK_FALSE(same_secret("", "a"));
  CHECK(same_secret("", ""));
}

TEST_CASE("what is asked is read from a body's fields") {
  const auto asked =
      route(asking("save", R"({"exercise":"05_transpose/2_pad","text":"x","base":"v"})"));
  REQUIRE(std::holds_alternative<Asked>(asked));
  const auto& save = std::get<Save>(std::get<Asked>(asked));
  CHECK(save.exercise == "05_transpose/2_pad");
  CHECK(save.text == "x");
  CHECK(save.base == "v");
  const auto news = route(asking("news", R"({"revision":7,"versions":{"a/b":"v"}})"));
  REQUIRE(std::holds_alternative<Asked>(news));
  CHECK(std::get<News>(std::get<Asked>(news)).revision == 7);
  CHECK(std::get<News>(std::get<Asked>(news)).versions.at("a/b") == "v");
}

TEST_CASE("a body that lacks a field, or has one of another kind, is malformed") {
  for (const char* body : {"", "[]", "{}", "null", R"({"exercise":1})", R"({"exercise":"x"})",
                           R"({"exercise":"../x"})", R"({"exercise":"a/b/c"})",
                           R"({"exercise":"a/.b"})", R"({"exercise":"a%2fb/c"})"})
    CHECK(status_of(asking("text", body)) == 400);
  CHECK(status_of(asking("news", R"({"revision":-1,"versions":{}})")) == 400);
  CHECK(status_of(asking(
            "tell", R"({"command":"grade","exercise":"a/b","language":"en","number":0})")) == 400);
  CHECK(status_of(asking("grade", R"({"exercise":"a/b","language":"--root"})")) == 400);
  CHECK(status_of(asking("save", R"({"exercise":"a/b","text":"\u0000","base":""})")) == 400);
}

TEST_CASE("the front page is the index") {
  const auto asked = route(reading("/"));
  REQUIRE(std::holds_alternative<Asked>(asked));
  CHECK(std::get<Page>(std::get<Asked>(asked)).name == "index.html");
}
