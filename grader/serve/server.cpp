#include "serve/server.hpp"

#include "lab/labs.hpp"
#include "progress/log.hpp"
#include "progress/standing.hpp"
#include "serve/replies.hpp"
#include "system/environment.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

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
constexpr int kNotStarted = 127;          // as a shell says it
constexpr std::size_t kMostChildren = 16; // besides gradings
constexpr unsigned kMostTelling = 4;      // of these, of one person
constexpr int kMostPages = 16;            // of one person that wait for news

} // namespace

Server::Server(Settings settings, std::unique_ptr<Login> login, ServedClass* of)
    : settings_(std::move(settings)), login_(std::move(login)), class_(of), book_(settings_.book),
      scratch_("course_serve"), http_(settings_.listen, settings_.limits,
                                      [this](const Request& request, Http::Ticket ticket) {
                                        return handle(request, ticket);
                                      }),
      site_(settings_.site.value_or(site_at(http_.port()))) {}

std::optional<Reply> Server::turned_away(const Request& request, const Refused& no) {
  if (!strangers_.allows(settings_.requests_per_second)) return refused(429, "often");
  if (no.status == 403 && request.method != "POST") return in_words(403, settings_.refused);
  return refused(no.status, no.why);
}

Desk& Server::desk_of(const std::string& id) {
  auto& desk = desks_[id];
  if (class_) {
    const auto& who = *class_->find(id);
    if (desk && desk->work != class_->home_of(who)) left_.push_back(std::exchange(desk, nullptr));
    if (!desk) desk = class_->desk(who);
  }
  if (!desk) desk = std::make_unique<Desk>(id, settings_.root, settings_.progress_file);
  return *desk;
}

std::optional<Reply> Server::handle(const Request& request, Http::Ticket ticket) {
  const auto answer = [&]() -> std::optional<Reply> {
    const auto who = admit(request, site_, *login_);
    if (const auto* no = std::get_if<Refused>(&who)) return turned_away(request, *no);
    const auto& visitor = std::get<Visitor>(who);
    // Somebody who has left the class since.
    if (class_ && !class_->find(visitor.id)) return turned_away(request, {403, "unknown"});
    if (!visitor.cookie.empty()) return let_in(site_, visitor.cookie);
    auto& desk = desk_of(visitor.id);
    if (!desk.rate.allows(settings_.requests_per_second)) return refused(429, "often");
    const auto asked = route(request);
    if (const auto* no = std::get_if<Refused>(&asked)) return refused(no->status, no->why);
    if (class_) last_seen_[desk.id] = class_->now();
    return std::visit(
        [&](const auto& one) -> std::optional<Reply> {
          if constexpr (requires { one.exercise; })
            if (!exercise_of(one.exercise)) return refused(404, "exercise");
          return act(one, {desk, request, ticket});
        },
        std::get<Asked>(asked));
  };
  std::optional<Reply> reply;
  try {
    reply = answer();
  } catch (const std::filesystem::filesystem_error& error) {
    reply = not_written(error);
  } catch (const LedgerError& error) {
    reply = not_noted(error, brings_key(request) ? settings_.not_noted : "");
  }
  if (reply) reply = with_care(std::move(*reply));
  return reply;
}

const lab::Exercise* Server::exercise_of(const std::string& id) const {
  const auto& all = lab::exercises(settings_.root);
  const auto at = std::ranges::find(all, id, &lab::Exercise::id);
  return at == all.end() ? nullptr : &*at;
}

bool Server::instructs(const Desk& desk) const {
  const auto* who = class_ ? class_->find(desk.id) : nullptr;
  return who && who->instructs;
}

std::optional<Reply> Server::act(const Page& page, const Asking& by) {
  auto file = book_.find(page.name);
  if (!file) return refused(404, "path");
  if (by.request.known == file->tag) return Reply{304, "", "", {{"ETag", file->tag}}};
  return Reply{200, file->type, std::move(file->text), {{"ETag", file->tag}}};
}

std::optional<Reply> Server::act(const StateOf&, const Asking& by) {
  const auto remembered = progress::Log(by.desk.progress_file).read();
  const auto all = progress::standings(lab::exercises(settings_.root), remembered.events);
  json exercises = json::object();
  for (const auto& one : all)
    exercises[one.exercise->id] = {{"solved", one.solved},
                                   {"runs", one.runs},
                                   {"hints", one.hints_read},
                                   {"title", one.exercise->title}};
  const auto* current = progress::current(all);
  json state{{"exercises", exercises}, {"next", current ? current->exercise->id : ""}};
  if (class_) state["class"] = class_->state_for(*class_->find(by.desk.id));
  return in_json(state);
}

std::optional<Reply> Server::act(const TextOf& asked, const Asking& by) {
  if (class_) class_->begin(by.desk, *exercise_of(asked.exercise));
  return in_json(json_of(by.desk.files.read(asked.exercise)));
}

std::optional<Reply> Server::act(const Save& asked, const Asking& by) {
  const auto saved = by.desk.files.save(asked.exercise, asked.text, asked.base);
  const auto* there = std::get_if<Text>(&saved);
  if (there && there->text == asked.text) return in_json({{"version", there->version}});
  return in_json(json_of(saved), 409);
}

std::optional<Reply> Server::act(const Keep& asked, const Asking& by) {
  const auto kept = by.desk.files.keep(asked.exercise, asked.text);
  return kept ? in_json({{"kept", kept->string()}}) : refused(429, "often");
}

std::optional<Reply> Server::act(const News& asked, const Asking& by) {
  for (const auto& [exercise, version] : asked.versions) {
    const auto* known = exercise_of(exercise);
    if (!known) return refused(404, "exercise");
    if (class_) class_->begin(by.desk, *known);
  }
  if (auto news = by.desk.news(asked.revision, asked.versions, place_of(by.desk)))
    return in_news(std::move(*news));
  const auto is_of_this = [&](const Waiting& one) { return one.desk == &by.desk; };
  if (std::ranges::count_if(waiting_, is_of_this) >= kMostPages) {
    const auto oldest = std::ranges::find_if(waiting_, is_of_this);
    http_.answer(oldest->ticket, with_care(refused(429, "often")));
    waiting_.erase(oldest);
  }
  if (waiting_.size() >= settings_.most_waiting) return refused(429, "often");
  waiting_.push_back({by.ticket, &by.desk, asked, Clock::now() + settings_.news_wait});
  return std::nullopt;
}

// Of the class a page asks again where the number is another one.
Reply Server::in_news(json news) const {
  if (class_) news["class"] = class_->version();
  return in_json(news);
}

void Server::tell_news() {
  const auto now = Clock::now();
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    auto& [ticket, desk, asked, until] = *at;
    auto news = desk->news(asked.revision, asked.versions, place_of(*desk));
    if (!news && now >= until)
      news = desk->news_now(asked.revision, asked.versions, place_of(*desk));
    const auto next = std::next(at);
    if (news) {
      http_.answer(ticket, with_care(in_news(std::move(*news))));
      waiting_.erase(at);
    }
    at = next;
  }
}

std::size_t Server::place_of(const Desk& desk) const {
  return std::ranges::find(queue_, &desk) - queue_.begin() + 1;
}

std::vector<std::string> Server::environment(const Desk& desk,
                                             const std::filesystem::path& work) const {
  return system::environment_with({{"COURSE_ROOT", settings_.root.string()},
                                   {"COURSE_WORK", work.string()},
                                   {"COURSE_STATE", desk.progress_file.string()},
                                   {"COLUMNS", "72"}});
}

std::optional<Reply> Server::act(const Grade& asked, const Asking& by) {
  const auto read = by.desk.files.read(asked.exercise);
  const auto* there = std::get_if<Text>(&read);
  if (!there) return in_json(json_of(read), 409);
  Desk::Grading grading{asked.exercise, asked.language, {}, there->text, there->version};
  if (class_)
    grading.key = class_->key_of(*exercise_of(asked.exercise), there->text, asked.language);
  return queue(by.desk, std::move(grading));
}

std::optional<Reply> Server::act(const Play& asked, const Asking& by) {
  Desk::Grading grading{kPlayground, asked.language, {}, asked.text, version_of(asked.text)};
  const auto& block = asked.block;
  grading.with = {"--block", fmt::format("{},{},{}", block.at(0), block.at(1), block.at(2)),
                  "--warp", fmt::format("{}", asked.warp)};
  return queue(by.desk, std::move(grading));
}

std::optional<Reply> Server::queue(Desk& desk, Desk::Grading grading) {
  if (desk.grading) return refused(409, "busy");
  grading.since = Clock::now();
  desk.grading = std::move(grading);
  ++desk.revision;
  if (answer_as_known(desk)) return in_json(json::object());
  queue_.push_back(&desk);
  start_gradings();
  return in_json(json::object());
}

std::optional<Reply> Server::act(const Stop&, const Asking& by) {
  auto& desk = by.desk;
  if (desk.grading && desk.grading->child != 0) children_.stop(desk.grading->child);
  if (std::erase(queue_, &desk) > 0) {
    desk.grading.reset();
    ++desk.revision;
  }
  return in_json(json::object());
}

void Server::start_gradings() {
  while (at_work_ < settings_.workers && !queue_.empty()) {
    auto& desk = *queue_.front();
    queue_.pop_front();
    if (!answer_as_known(desk)) start(desk);
  }
}

// What others have graded while this one waited is known by now.
bool Server::answer_as_known(Desk& desk) {
  if (!class_ || desk.grading->exercise == kPlayground) return false;
  try {
    auto facts = class_->known(desk, *desk.grading);
    if (!facts) return false;
    show(desk, std::move(*facts));
    return true;
  } catch (const LedgerError&) {
    return false; // it is graded, then
  }
}

// `job`: a folder of this grading alone, with a copy of the text.
std::vector<std::string> Server::words_of(const Desk::Grading& grading,
                                          const std::filesystem::path& job) const {
  const auto verdict = (job / "verdict.json").string();
  auto words = settings_.through;
  const auto put = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  put({words.empty() ? "course" : settings_.program.string(), "--lang", grading.language});
  if (grading.exercise == kPlayground) {
    put({"play", "--json", verdict, (job / "program.cu").string()});
    words.insert(words.end(), grading.with.begin(), grading.with.end());
    return words;
  }
  put({"grade", grading.exercise, "--color", "always", "--json", verdict, "--no-next"});
  words.insert(words.end(), settings_.grade_with.begin(), settings_.grade_with.end());
  return words;
}

void Server::start(Desk& desk) {
  auto& grading = *desk.grading;
  const auto folder = class_ ? class_->scratch() : scratch_.path();
  const auto job = folder / fmt::format("{}", ++jobs_);
  const auto file = grading.exercise == kPlayground ? job / "program.cu"
                                                    : job / "labs" / (grading.exercise + ".cu");
  ++at_work_;
  ++desk.revision;
  try {
    system::publish(file, grading.text);
  } catch (const std::filesystem::filesystem_error&) {
    return finish(desk, job, {kNotStarted, "", false, false});
  }
  grading.child = children_.start(
      words_of(grading, job),
      settings_.through.empty() ? settings_.program.string() : settings_.through.front(),
      environment(desk, job), kGradingLimit,
      [this, &desk, job](const Children::Ended& ended) { finish(desk, job, ended); });
  if (grading.child == 0) finish(desk, job, {kNotStarted, "", false, false});
}

void Server::finish(Desk& desk, const std::filesystem::path& job, const Children::Ended& ended) {
  const auto read = system::read_file(job / "verdict.json", kMostVerdict);
  const auto* text = std::get_if<std::string>(&read);
  auto verdict = text ? json::parse(*text, nullptr, false) : json();
  if (verdict.is_discarded()) verdict = nullptr;
  std::error_code none;
  std::filesystem::remove_all(job, none);
  --at_work_;
  const auto& grading = *desk.grading;
  json facts{{"version", grading.version}, {"code", ended.code},
             {"report", ended.text},       {"stopped", ended.stopped},
             {"too_long", ended.too_long}, {"verdict", std::move(verdict)}};
  const bool counts = class_ && grading.exercise != kPlayground && !ended.stopped;
  // It is remembered before it is told.
  if (counts && !class_->keep(desk, grading, facts)) facts["not_kept"] = true;
  show(desk, std::move(facts));
  start_gradings();
}

void Server::show(Desk& desk, json facts) {
  ++desk.revision;
  facts["number"] = desk.revision;
  desk.results[desk.grading->exercise] = {desk.revision, std::move(facts)};
  desk.grading.reset();
}

std::optional<Reply> Server::act(const Tell& asked, const Asking& by) {
  auto& desk = by.desk;
  if (desk.telling >= kMostTelling || children_.count() >= kMostChildren + settings_.workers)
    return refused(429, "often");
  std::vector<std::string> words{"course", "--lang", asked.language, asked.command};
  if (asked.command != "next") words.push_back(asked.exercise);
  if (asked.command == "hint" && asked.number > 0) words.push_back(fmt::format("{}", asked.number));
  const auto child = children_.start(
      std::move(words), settings_.program.string(), environment(desk, desk.work), kTellLimit,
      [this, &desk, ticket = by.ticket](const Children::Ended& ended) {
        --desk.telling;
        http_.answer(ticket, with_care(in_json({{"code", ended.code}, {"text", ended.text}})));
      });
  if (child == 0) return refused(500, "not_started");
  ++desk.telling;
  return std::nullopt;
}

std::optional<Reply> Server::act(const HandIn& asked, const Asking& by) {
  if (!class_) return refused(404, "path");
  const auto kept = class_->hand_in(by.desk, asked.exercise);
  if (!kept) return refused(429, "often");
  if (const auto* why = std::get_if<NoText>(&*kept)) return in_json(json_of(*why), 409);
  return in_json(class_->state_for(*class_->find(by.desk.id)));
}

std::optional<Reply> Server::act(const ClassState&, const Asking& by) {
  if (!instructs(by.desk)) return refused(404, "path");
  auto all = class_->overview();
  all["queue"] = queue_.size();
  all["at_work"] = at_work_;
  for (auto& student : all["students"]) {
    const auto id = student["id"].get<std::string>();
    if (const auto at = last_seen_.find(id); at != last_seen_.end())
      student["seen_ago"] = class_->now() - at->second;
    const auto desk = desks_.find(id);
    if (desk == desks_.end() || !desk->second->grading) continue;
    const auto& grading = *desk->second->grading;
    student["grading"] = {{"exercise", grading.exercise},
                          {"place", grading.child == 0 ? place_of(*desk->second) : 0}};
  }
  return in_json(all);
}

std::optional<Reply> Server::act(const Seen& asked, const Asking& by) {
  if (!instructs(by.desk)) return refused(404, "path");
  if (!class_->find(asked.student)) return refused(404, "unknown");
  const auto all = class_->ledger().last_of(asked.student);
  const auto at = all.find(asked.exercise);
  if (at == all.end()) return refused(404, "missing");
  return in_json(json::parse(at->second, nullptr, false));
}

// What an instructor has written holds without a start.
void Server::look_at_class() {
  constexpr std::chrono::seconds kBetween{1};
  if (!class_ || Clock::now() - looked_ < kBetween) return;
  looked_ = Clock::now();
  if (class_->look())
    for (const auto& [id, desk] : desks_) ++desk->revision;
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
    look_at_class();
    children_.work();
    http_.work();
    tell_news();
  }
}

} // namespace course::serve
