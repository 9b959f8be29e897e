#include "serve/server.hpp"

#include "lab/labs.hpp"
#include "progress/log.hpp"
#include "progress/standing.hpp"
#include "system/environment.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace course::serve {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostVerdict = 8 << 20;
constexpr std::chrono::seconds kGradingLimit{600}; // a grading has limits of its own, well below
constexpr std::chrono::seconds kTellLimit{60};
constexpr int kNotStarted = 127; // as a shell says it
constexpr std::size_t kMostChildren = 16, kMostWaiting = 64;

// No script but the book's own files; nothing from elsewhere; nobody's frame.
constexpr const char* kPolicy = "default-src 'none'; script-src 'self'; style-src 'self' "
                                "'unsafe-inline'; img-src 'self' data:; "
                                "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri "
                                "'none'; frame-ancestors 'none'";

Reply with_care(Reply reply) {
  reply.headers.insert(reply.headers.end(), {{"Content-Security-Policy", kPolicy},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"Cross-Origin-Opener-Policy", "same-origin"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"}});
  const bool has_tag =
      std::ranges::any_of(reply.headers, [](const auto& header) { return header.first == "ETag"; });
  reply.headers.emplace_back("Cache-Control", has_tag ? "no-cache" : "no-store");
  return reply;
}

Reply in_json(const json& facts, int status = 200) {
  return {
      status, "application/json", facts.dump(-1, ' ', false, json::error_handler_t::replace), {}};
}

Reply refused(int status, const char* why) {
  return in_json({{"error", why}}, status);
}

Reply not_written(const std::filesystem::filesystem_error& error) {
  const bool full = error.code() == std::errc::no_space_on_device || error.code().value() == EDQUOT;
  return refused(full ? 507 : 500, full ? "full" : "not_written");
}

// A program of the playground has been taken from its file, or never will be.
void remove_program(const Desk::Grading& grading) {
  std::error_code none;
  if (!grading.program.empty()) std::filesystem::remove(grading.program, none);
}

// The page itself goes on, so that the cookie counts as its own site's whoever led here.
Reply let_in(const Door& door) {
  return {200,
          "text/html; charset=utf-8",
          "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><link rel=\"icon\" "
          "href=\"data:,\"><meta http-equiv=\"refresh\" "
          "content=\"0;url=/\"><title>course</title><a href=\"/\">course</a></html>\n",
          {{"Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000",
                                      cookie_name(door), door.key)}}};
}

} // namespace

Server::Server(Settings settings)
    : settings_(std::move(settings)), book_(settings_.book), verdicts_("course_serve"),
      desk_(settings_.root), may_ask_(3 * settings_.requests_per_second), asked_at_(Clock::now()),
      http_(settings_.port, settings_.limits, [this](const Request& request, Http::Ticket ticket) {
        return handle(request, ticket);
      }) {
  door_ = {http_.port(), settings_.key};
}

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/?key={}", door_.port, door_.key);
}

bool Server::too_often() {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - asked_at_).count();
  asked_at_ = now;
  const double most = 3 * settings_.requests_per_second;
  may_ask_ = std::min(most, may_ask_ + seconds * settings_.requests_per_second);
  if (may_ask_ < 1) return true;
  --may_ask_;
  return false;
}

std::optional<Reply> Server::handle(const Request& request, Http::Ticket ticket) {
  if (too_often()) return with_care(refused(429, "often"));
  const auto entry = admit(request, door_);
  if (const auto* no = std::get_if<Refused>(&entry)) {
    if (no->status == 403 && request.method != "POST")
      return with_care({403, "text/plain; charset=utf-8", settings_.refused, {}});
    return with_care(refused(no->status, no->why));
  }
  if (std::get<Entry>(entry) == Entry::entering) return with_care(let_in(door_));
  const auto asked = route(request);
  if (const auto* no = std::get_if<Refused>(&asked)) return with_care(refused(no->status, no->why));
  auto reply = std::visit(
      [&](const auto& one) -> std::optional<Reply> {
        if constexpr (requires { one.exercise; })
          if (!knows(one.exercise)) return refused(404, "exercise");
        try {
          return act(one, request, ticket);
        } catch (const std::filesystem::filesystem_error& error) {
          return not_written(error);
        }
      },
      std::get<Asked>(asked));
  if (reply) reply = with_care(std::move(*reply));
  return reply;
}

bool Server::knows(const std::string& exercise) const {
  return std::ranges::any_of(lab::exercises(settings_.root),
                             [&](const lab::Exercise& one) { return one.id == exercise; });
}

std::optional<Reply> Server::act(const Page& page, const Request& request, Http::Ticket) {
  auto file = book_.find(page.name);
  if (!file) return refused(404, "path");
  if (request.known == file->tag) return Reply{304, "", "", {{"ETag", file->tag}}};
  return Reply{200, file->type, std::move(file->text), {{"ETag", file->tag}}};
}

std::optional<Reply> Server::act(const StateOf&, const Request&, Http::Ticket) {
  const auto remembered = progress::Log(settings_.progress_file).read();
  const auto all = progress::standings(lab::exercises(settings_.root), remembered.events);
  json exercises = json::object();
  for (const auto& one : all)
    exercises[one.exercise->id] = {{"solved", one.solved},
                                   {"runs", one.runs},
                                   {"hints", one.hints_read},
                                   {"title", one.exercise->title}};
  const auto* current = progress::current(all);
  return in_json({{"exercises", exercises}, {"next", current ? current->exercise->id : ""}});
}

std::optional<Reply> Server::act(const TextOf& asked, const Request&, Http::Ticket) {
  return in_json(json_of(desk_.files.read(asked.exercise)));
}

std::optional<Reply> Server::act(const Save& asked, const Request&, Http::Ticket) {
  const auto saved = desk_.files.save(asked.exercise, asked.text, asked.base);
  const auto* there = std::get_if<Text>(&saved);
  if (there && there->text == asked.text) return in_json({{"version", there->version}});
  return in_json(json_of(saved), 409);
}

std::optional<Reply> Server::act(const Keep& asked, const Request&, Http::Ticket) {
  return in_json({{"kept", desk_.files.keep(asked.exercise, asked.text).string()}});
}

std::optional<Reply> Server::act(const News& asked, const Request&, Http::Ticket ticket) {
  for (const auto& [exercise, version] : asked.versions)
    if (!knows(exercise)) return refused(404, "exercise");
  if (auto news = desk_.news(asked.revision, asked.versions, place_of(desk_)))
    return in_json(*news);
  if (waiting_.size() >= kMostWaiting) return refused(429, "often");
  waiting_.push_back({ticket, asked, Clock::now() + settings_.news_wait});
  return std::nullopt;
}

void Server::tell_news() {
  const auto now = Clock::now();
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const auto& [ticket, asked, until] = *at;
    auto news = desk_.news(asked.revision, asked.versions, place_of(desk_));
    if (!news && now >= until)
      news = desk_.news_now(asked.revision, asked.versions, place_of(desk_));
    const auto next = std::next(at);
    if (news) {
      http_.answer(ticket, with_care(in_json(*news)));
      waiting_.erase(at);
    }
    at = next;
  }
}

std::size_t Server::place_of(const Desk& desk) const {
  return std::ranges::find(queue_, &desk) - queue_.begin() + 1;
}

std::vector<std::string> Server::environment(const Desk& desk) const {
  return system::environment_with({{"COURSE_ROOT", desk.root.string()},
                                   {"COURSE_STATE", settings_.progress_file.string()},
                                   {"COLUMNS", "72"}});
}

std::optional<Reply> Server::act(const Grade& asked, const Request&, Http::Ticket) {
  return queue({asked.exercise, asked.language});
}

std::optional<Reply> Server::act(const Play& asked, const Request&, Http::Ticket) {
  if (desk_.grading) return refused(409, "busy");
  const auto file = verdicts_.path() / fmt::format("{}.cu", desk_.revision);
  system::write_file(file, asked.text);
  return queue({kPlayground, asked.language, {}, file, version_of(asked.text)});
}

std::optional<Reply> Server::queue(Desk::Grading grading) {
  if (desk_.grading) return refused(409, "busy");
  grading.since = Clock::now();
  desk_.grading = std::move(grading);
  ++desk_.revision;
  queue_.push_back(&desk_);
  start_gradings();
  return in_json(json::object());
}

std::optional<Reply> Server::act(const Stop&, const Request&, Http::Ticket) {
  if (desk_.grading && desk_.grading->child != 0) children_.stop(desk_.grading->child);
  if (std::erase(queue_, &desk_) > 0) {
    remove_program(*desk_.grading);
    desk_.grading.reset();
    ++desk_.revision;
  }
  return in_json(json::object());
}

void Server::start_gradings() {
  while (at_work_ < settings_.workers && !queue_.empty()) {
    auto& desk = *queue_.front();
    queue_.pop_front();
    start(desk);
  }
}

std::vector<std::string> Server::words_of(const Desk::Grading& grading,
                                          const std::filesystem::path& verdict) const {
  if (!grading.program.empty())
    return {"course", "--lang",         grading.language,        "play",
            "--json", verdict.string(), grading.program.string()};
  std::vector<std::string> words{"course", "--lang",         grading.language,
                                 "grade",  grading.exercise, "--color",
                                 "always", "--json",         verdict.string()};
  words.insert(words.end(), settings_.grade_with.begin(), settings_.grade_with.end());
  return words;
}

void Server::start(Desk& desk) {
  const auto verdict = verdicts_.path() / fmt::format("{}.json", desk.revision);
  auto& grading = *desk.grading;
  ++at_work_;
  ++desk.revision;
  grading.child = children_.start(
      words_of(grading, verdict), settings_.program.string(), environment(desk), kGradingLimit,
      [this, &desk, verdict](const Children::Ended& ended) { finish(desk, verdict, ended); });
  if (grading.child == 0) finish(desk, verdict, {kNotStarted, "", false, false});
}

void Server::finish(Desk& desk, const std::filesystem::path& verdict,
                    const Children::Ended& ended) {
  const auto read = system::read_file(verdict, kMostVerdict);
  const auto* text = std::get_if<std::string>(&read);
  auto facts = text ? json::parse(*text, nullptr, false) : json();
  if (facts.is_discarded()) facts = nullptr;
  std::error_code none;
  std::filesystem::remove(verdict, none);
  remove_program(*desk.grading);
  --at_work_;
  ++desk.revision;
  desk.results[desk.grading->exercise] = {desk.revision,
                                          {{"number", desk.revision},
                                           {"version", desk.grading->version},
                                           {"code", ended.code},
                                           {"report", ended.text},
                                           {"stopped", ended.stopped},
                                           {"too_long", ended.too_long},
                                           {"verdict", std::move(facts)}}};
  desk.grading.reset();
  start_gradings();
}

std::optional<Reply> Server::act(const Tell& asked, const Request&, Http::Ticket ticket) {
  if (children_.count() >= kMostChildren) return refused(429, "often");
  std::vector<std::string> words{"course", "--lang", asked.language, asked.command};
  if (asked.command != "next") words.push_back(asked.exercise);
  if (asked.command == "hint" && asked.number > 0) words.push_back(fmt::format("{}", asked.number));
  const auto child = children_.start(
      std::move(words), settings_.program.string(), environment(desk_), kTellLimit,
      [this, ticket](const Children::Ended& ended) {
        http_.answer(ticket, with_care(in_json({{"code", ended.code}, {"text", ended.text}})));
      });
  if (child == 0) return refused(500, "not_started");
  return std::nullopt;
}

void Server::run(const std::function<bool()>& goes_on) {
  constexpr std::chrono::milliseconds kLook{200}; // at files that pages show
  constexpr std::chrono::milliseconds kEnd{20};   // at programs that are at their end
  while (goes_on()) {
    std::vector<pollfd> ready{{http_.descriptor(), POLLIN, 0}};
    children_.add_descriptors(ready);
    auto wait = http_.patience();
    if (!waiting_.empty()) wait = std::min(wait, kLook);
    if (children_.count() > 0) wait = std::min(wait, kEnd);
    poll(ready.data(), ready.size(), static_cast<int>(wait.count()));
    children_.work();
    http_.work();
    tell_news();
  }
}

} // namespace course::serve
