#include "serve/ledger.hpp"

#include "serve/http_request.hpp"
#include "serve/login.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>

namespace {

using namespace course;
using namespace course::serve;

struct Book {
  system::TemporaryFolder folder{"course_ledger"};
  std::filesystem::path file() const { return folder.path() / "ledger.sqlite"; }
};

Ledger::Attempt attempt(const std::string& who, const std::string& exercise, bool passed) {
  return {who, exercise, 1000, passed ? 10 : 4, 10, passed, passed ? "" : "conflicts"};
}

} // namespace

TEST_CASE("what was kept is there when the ledger is opened again") {
  const Book book;
  std::string link;
  {
    Ledger ledger(book.file());
    link = ledger.link_of("anna");
    ledger.keep(attempt("anna", "a/1", false), "key", {"first", "line"});
    ledger.keep(attempt("anna", "a/1", true), "", {"second", ""});
    ledger.hand_in("anna", "a/1", 2000, "v");
  }
  Ledger ledger(book.file());
  CHECK(ledger.link_of("anna") == link);
  CHECK(ledger.person_of_link(link) == "anna");
  CHECK(ledger.last_of("anna").at("a/1") == "second");
  CHECK(ledger.known("key")->facts == "first");
  CHECK(ledger.handed_in("anna").at("a/1").at == 2000);
  const auto& row = ledger.rows().at("anna").at("a/1");
  CHECK(row.attempts == 2);
  CHECK(row.until_solved == 2);
}

TEST_CASE("a verdict is kept once for all who have that text, and each has their attempt") {
  const Book book;
  Ledger ledger(book.file());
  ledger.keep(attempt("anna", "a/1", true), "key", {"one", "line"});
  ledger.keep(attempt("bert", "a/1", true), "key", {"one", "line"});
  CHECK(ledger.last_of("bert").at("a/1") == "one");
  CHECK(ledger.rows().size() == 2);
  CHECK_FALSE(ledger.known("another"));
}

TEST_CASE("what comes after the rows were read is added to them") {
  const Book book;
  Ledger ledger(book.file());
  ledger.keep(attempt("anna", "a/1", false), "", {"one", ""});
  CHECK(ledger.rows().at("anna").at("a/1").until_solved == 0);
  CHECK(ledger.handed_in("anna").empty());
  ledger.keep(attempt("anna", "a/1", true), "", {"two", ""});
  ledger.keep(attempt("bert", "a/1", false), "", {"three", ""});
  ledger.hand_in("anna", "a/1", 2000, "v");
  ledger.hand_in("anna", "a/1", 3000, "w");
  const auto& rows = ledger.rows();
  CHECK(rows.at("anna").at("a/1").attempts == 2);
  CHECK(rows.at("anna").at("a/1").until_solved == 2);
  CHECK(rows.at("bert").at("a/1").attempts == 1);
  CHECK(ledger.handed_in("anna").at("a/1").times == 2);
  CHECK(ledger.handed_in("anna").at("a/1").version == "w");
  CHECK(Ledger(book.file()).handed_in("anna").at("a/1").times == 2);
}

TEST_CASE("who is forgotten leaves no byte in the file, and what others have stays") {
  const Book book;
  const auto bytes = [&] {
    std::string all;
    for (const char* more : {"", "-wal", "-shm"})
      all += system::content_of(book.file().string() + more).value_or("");
    return all;
  };
  const auto fill = [](Ledger& ledger, const std::string& person) {
    for (int i = 0; i < 40; ++i)
      ledger.keep(attempt(person, "a/1", false), person + std::to_string(i),
                  {"report of " + person + std::string(3000, 'x'), person + " line"});
    ledger.hand_in(person, "a/1", 2000, "version of " + person);
    ledger.begin_session(person, 1000, 9000);
    return ledger.link_of(person);
  };
  std::string link, others;
  {
    Ledger ledger(book.file());
    link = fill(ledger, "anna4711");
    others = fill(ledger, "bert");
    ledger.keep(attempt("anna4711", "a/1", true), "shared", {"of both", ""});
    ledger.keep(attempt("bert", "a/1", true), "shared", {"of both", ""});
    CHECK(bytes().find("anna4711") != std::string::npos);
    CHECK(bytes().find(link) != std::string::npos);
    ledger.forget("anna4711");
    CHECK(bytes().find("anna4711") == std::string::npos);
    CHECK(bytes().find(link) == std::string::npos);
    CHECK_FALSE(ledger.rows().contains("anna4711"));
  }
  CHECK(bytes().find("anna4711") == std::string::npos);
  Ledger ledger(book.file());
  CHECK(ledger.rows().at("bert").at("a/1").attempts == 41);
  CHECK(ledger.known("shared")->facts == "of both");
  CHECK(ledger.person_of_link(others) == "bert");
  CHECK(ledger.handed_in("bert").at("a/1").times == 1);
}

TEST_CASE("a new link takes the old one and its sessions with it, and nobody else's") {
  const Book book;
  Ledger ledger(book.file());
  const auto old = ledger.link_of("anna"), berts = ledger.link_of("bert");
  const auto session = ledger.begin_session("anna", 0, 100);
  const auto fresh = ledger.new_link("anna");
  CHECK(fresh != old);
  CHECK_FALSE(ledger.person_of_link(old));
  CHECK_FALSE(ledger.person_of_session(session, 1));
  CHECK(ledger.person_of_link(fresh) == "anna");
  CHECK(ledger.person_of_link(berts) == "bert");
}

TEST_CASE("a session ends at its time, and its secret is not in the file") {
  const Book book;
  Ledger ledger(book.file());
  const auto session = ledger.begin_session("anna", 0, 100);
  CHECK(ledger.person_of_session(session, 99) == "anna");
  CHECK_FALSE(ledger.person_of_session(session, 100));
  CHECK_FALSE(ledger.person_of_session(session.substr(1), 99));
  CHECK_FALSE(ledger.person_of_session("", 99));
}

TEST_CASE("the file is its owner's alone") {
  const Book book;
  const Ledger ledger(book.file());
  const auto may = std::filesystem::status(book.file()).permissions();
  CHECK((may & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) ==
        std::filesystem::perms::none);
}

TEST_CASE("a seed is drawn once") {
  const Book book;
  std::uint64_t seed = 0;
  {
    Ledger ledger(book.file());
    seed = ledger.seed();
    CHECK(ledger.seed() == seed);
  }
  CHECK(Ledger(book.file()).seed() == seed);
}

TEST_CASE("a file that is no ledger is refused, and stays as it is") {
  const Book book;
  system::write_file(book.file(), "something else, of some length, that SQLite does not know\n");
  CHECK_THROWS_AS(Ledger(book.file()), LedgerError);
}

TEST_CASE("a personal link gives a session, which opens every page") {
  const Book book;
  Ledger ledger(book.file());
  std::int64_t now = 1000;
  LinkLogin login(ledger, [&] { return now; });
  Request request;
  request.method = "GET";
  request.path = "/";
  request.key = ledger.link_of("anna");
  const auto entered = login.who(request, "");
  REQUIRE(std::holds_alternative<Visitor>(entered));
  const auto cookie = std::get<Visitor>(entered).cookie;
  CHECK(cookie != request.key);
  request.key = "";
  CHECK(std::get<Visitor>(login.who(request, cookie)).id == "anna");
  CHECK(std::holds_alternative<Refused>(login.who(request, "")));
  now += kSessionSeconds;
  CHECK(std::holds_alternative<Refused>(login.who(request, cookie)));
}

TEST_CASE("a header names somebody of the class, in any case of letters, or nobody") {
  HeaderLogin login([](const std::string& name) {
    return name == "anna@uni.example" ? std::optional<std::string>("4711") : std::nullopt;
  });
  Request request;
  request.user = "Anna@uni.example";
  CHECK(std::get<Visitor>(login.who(request, "")).id == "4711");
  request.user = "bert";
  CHECK(std::string(std::get<Refused>(login.who(request, "")).why) == "unknown");
  request.user = "";
  CHECK(std::string(std::get<Refused>(login.who(request, "")).why) == "key");
}
