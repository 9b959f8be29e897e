// The course in a browser, for one student on their own machine or for a class: the book, an editor
// for each exercise, gradings, and a page where any program is run.
//
// One thread, one loop, no lock. Gradings and what commands print come from `course` in processes
// of their own. A request belongs to a desk (desk.hpp); what waits for a worker stands in one
// queue, in which each desk has at most one place, so that it is fair. What is graded is a copy of
// the text that was there when it was asked for, whatever is typed meanwhile.
#pragma once

#include "serve/book_files.hpp"
#include "serve/children.hpp"
#include "serve/desk.hpp"
#include "serve/http.hpp"
#include "serve/login.hpp"
#include "serve/served_class.hpp"
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
  std::filesystem::path progress_file; // of the one student's work; a class's are in its folder
  Listen listen;
  std::optional<Site> site;            // none: it is at 127.0.0.1 and its port
  unsigned workers = 1;                // gradings at once
  std::vector<std::string> grade_with; // further words for course grade
  std::vector<std::string> through;    // words before the program of a grading: "nice", "srun"
  std::string refused;                 // what somebody reads who is not let in
  std::string not_noted;               // and who came by a link that could not be noted down
  HttpLimits limits;
  std::chrono::milliseconds news_wait{20'000};
  double requests_per_second = 100; // of each person, and of all who are not let in: Rate
  std::size_t most_waiting = 64;    // pages that wait for news
};

class Server {
public:
  // `of`: the class; none: one student. Throws std::system_error where the port is taken.
  Server(Settings, std::unique_ptr<Login>, ServedClass* of = nullptr);

  std::uint16_t port() const { return http_.port(); }

  // As long as `goes_on`, which is asked at least every half second. Gradings that are under way
  // then are told to end.
  void run(const std::function<bool()>& goes_on);

private:
  using Clock = std::chrono::steady_clock;
  using Json = nlohmann::json;

  Settings settings_;
  std::unique_ptr<Login> login_;
  ServedClass* class_;
  BookFiles book_;
  system::TemporaryFolder scratch_;
  std::map<std::string, std::unique_ptr<Desk>> desks_; // by Visitor::id, of those who came
  std::vector<std::unique_ptr<Desk>> left_;            // of those who instruct by now, or no longer
  Clock::time_point looked_{};                         // at the instructor's files
  std::map<std::string, std::int64_t> last_seen_;      // seconds since 1970
  Children children_;
  std::deque<Desk*> queue_; // of those whose grading waits
  unsigned at_work_ = 0;
  std::uint64_t jobs_ = 0;
  struct Waiting {
    Http::Ticket ticket;
    Desk* desk;
    News news;
    Clock::time_point until;
  };
  std::list<Waiting> waiting_;
  Rate strangers_;
  Http http_; // calls what is above
  Site site_;

  // Who asks, and for which request.
  struct Asking {
    Desk& desk;
    const Request& request;
    Http::Ticket ticket;
  };
  std::optional<Reply> handle(const Request&, Http::Ticket);
  std::optional<Reply> turned_away(const Request&, const Refused&);
  Desk& desk_of(const std::string& id);
  std::optional<Reply> act(const Page&, const Asking&);
  std::optional<Reply> act(const StateOf&, const Asking&);
  std::optional<Reply> act(const TextOf&, const Asking&);
  std::optional<Reply> act(const News&, const Asking&);
  std::optional<Reply> act(const Save&, const Asking&);
  std::optional<Reply> act(const Keep&, const Asking&);
  std::optional<Reply> act(const Grade&, const Asking&);
  std::optional<Reply> act(const Play&, const Asking&);
  std::optional<Reply> act(const Stop&, const Asking&);
  std::optional<Reply> act(const Tell&, const Asking&);
  std::optional<Reply> act(const HandIn&, const Asking&);
  std::optional<Reply> act(const ClassState&, const Asking&);
  std::optional<Reply> act(const Seen&, const Asking&);

  const lab::Exercise* exercise_of(const std::string& id) const;
  bool instructs(const Desk&) const;
  std::vector<std::string> environment(const Desk&, const std::filesystem::path& work) const;
  std::size_t place_of(const Desk&) const;
  std::optional<Reply> queue(Desk&, Desk::Grading);
  void start_gradings();
  void start(Desk&);
  bool answer_as_known(Desk&);
  std::vector<std::string> words_of(const Desk::Grading&, const std::filesystem::path& job) const;
  void finish(Desk&, const std::filesystem::path& job, const Children::Ended&);
  void show(Desk&, nlohmann::json facts);
  Reply in_news(nlohmann::json news) const;
  void tell_news();
  void look_at_class();
};

} // namespace course::serve
