// The course in a browser, for one student on their own machine: the book, an editor for each
// exercise, gradings, and a page where any program is run.
//
// One thread, one loop, no lock. Gradings and what commands print come from `course` in processes
// of their own. A request belongs to a desk (desk.hpp); what waits for a worker stands in one
// queue, in which each desk has at most one place, so that it is fair.
#pragma once

#include "serve/book_files.hpp"
#include "serve/children.hpp"
#include "serve/desk.hpp"
#include "serve/http.hpp"
#include "serve/http_request.hpp"
#include "system/temporary_folder.hpp"

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace course::serve {

struct Settings {
  std::filesystem::path root, book;    // the course's folder, and the built book
  std::filesystem::path program;       // course
  std::filesystem::path progress_file; // what is remembered of the student's work
  std::uint16_t port = 0;              // 0: one that is free
  std::string key;                     // lets in; letters and digits
  unsigned workers = 1;                // gradings at once
  std::vector<std::string> grade_with; // further words for course grade
  std::string refused;                 // what somebody reads who comes without the key
  HttpLimits limits;
  std::chrono::milliseconds news_wait{20'000};
  double requests_per_second = 100; // and three times as many at once
};

class Server {
public:
  // Throws std::system_error where the port is taken.
  explicit Server(Settings);

  std::uint16_t port() const { return http_.port(); }
  std::string address() const; // with its key

  // As long as `goes_on`, which is asked at least every half second. Gradings that are under way
  // then are told to end.
  void run(const std::function<bool()>& goes_on);

private:
  using Clock = std::chrono::steady_clock;
  using Json = nlohmann::json;

  Settings settings_;
  BookFiles book_;
  system::TemporaryFolder verdicts_;
  Desk desk_;
  Children children_;
  std::deque<Desk*> queue_; // of those whose grading waits
  unsigned at_work_ = 0;
  struct Waiting {
    Http::Ticket ticket;
    News news;
    Clock::time_point until;
  };
  std::list<Waiting> waiting_;
  double may_ask_ = 0;
  Clock::time_point asked_at_;
  Door door_;
  Http http_; // last: it calls what is above

  bool too_often();
  std::optional<Reply> handle(const Request&, Http::Ticket);
  std::optional<Reply> act(const Page&, const Request&, Http::Ticket);
  std::optional<Reply> act(const StateOf&, const Request&, Http::Ticket);
  std::optional<Reply> act(const TextOf&, const Request&, Http::Ticket);
  std::optional<Reply> act(const News&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Save&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Keep&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Grade&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Play&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Stop&, const Request&, Http::Ticket);
  std::optional<Reply> act(const Tell&, const Request&, Http::Ticket);

  bool knows(const std::string& exercise) const;
  std::vector<std::string> environment(const Desk&) const;
  std::size_t place_of(const Desk&) const;
  std::optional<Reply> queue(Desk::Grading);
  void start_gradings();
  void start(Desk&);
  std::vector<std::string> words_of(const Desk::Grading&,
                                    const std::filesystem::path& verdict) const;
  void finish(Desk&, const std::filesystem::path& verdict, const Children::Ended&);
  void tell_news();
};

} // namespace course::serve
