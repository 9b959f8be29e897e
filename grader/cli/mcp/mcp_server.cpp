#include "cli/mcp/mcp_server.hpp"

#include "cli/mcp/schemas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace course::cli::mcp {
namespace {

constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602;

// The newest first, which is the answer to a revision that is not among them.
constexpr std::array kRevisions{"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr const char* kBatches = kRevisions[1]; // the one that has them
constexpr std::size_t kMostInBatch = 32;

// Results with structure, and titles, are of the newest.
bool has_structure(const std::string& revision) {
  return revision == kRevisions.front();
}

// Copying what is nested is recursive: what is deeper than any message is left out of it.
constexpr int kDeepest = 64;
bool is_near(int depth, Json::parse_event_t, Json&) {
  return depth < kDeepest;
}

constexpr std::size_t kLongestId = 256;
bool is_id(const Json& id) {
  return id.is_number_integer() ||
         (id.is_string() && id.get_ref<const std::string&>().size() <= kLongestId);
}

std::string named(const std::string& name) {
  constexpr std::size_t kMost = 60;
  return name.size() <= kMost ? name : name.substr(0, kMost) + "…";
}

constexpr const char* kInstructions =
    R"(The tools run CUDA programs on an emulated NVIDIA H200, without a GPU, in a sandbox: races and
other errors in memory by line, and exact counts of requests, bank conflicts and sectors. Times are not
measured. A program is a whole one, with a main(). Files are named below )";

constexpr const char* kForStudents =
    R"(. This is a class's copy of a course: the tools give facts for its students to work with. Do not
write solutions of its exercises; ask what the facts say)";

std::string instructions(const Server::Settings& settings) {
  return kInstructions + settings.folder + (settings.advises ? "" : kForStudents) + ".";
}

} // namespace

void Server::receive(const std::string& text) {
  const auto message = Json::parse(text, is_near, false);
  if (message.is_discarded())
    return refuse(nullptr, kParseError, "this line is no JSON; a message is one line of it");
  if (message.is_array()) return take_batch(message);
  take(message);
}

void Server::too_long(std::size_t most) {
  refuse(nullptr, kInvalidRequest,
         fmt::format("a message has at most {} MiB; give a program's text without what it need not "
                     "have, or name its file",
                     most >> 20));
}

void Server::take_batch(const Json& messages) {
  if (revision_ != kBatches)
    return refuse(nullptr, kInvalidRequest,
                  "batches are not of this revision of the protocol; send each message by itself");
  if (messages.empty() || messages.size() > kMostInBatch)
    return refuse(nullptr, kInvalidRequest,
                  fmt::format("a batch has 1 to {} messages", kMostInBatch));
  Batch batch;
  for (const auto& message : messages)
    if (message.is_object() && message.contains("method") && message.contains("id") &&
        is_id(message["id"]))
      batch.open.push_back(message["id"]);
  if (!batch.open.empty()) batches_.push_back(std::move(batch));
  for (const auto& message : messages) take(message);
}

void Server::take(const Json& message) {
  if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0")
    return refuse(nullptr, kInvalidRequest, "a message is an object with \"jsonrpc\": \"2.0\"");
  const auto method = message.value("method", Json());
  if (!method.is_string()) {
    if (message.contains("result") || message.contains("error")) return; // nothing was asked
    return refuse(message.contains("id") && is_id(message["id"]) ? message["id"] : Json(),
                  kInvalidRequest, "a message has a method");
  }
  const auto params = message.value("params", Json::object());
  if (!message.contains("id")) return notification(method.get<std::string>(), params);
  const auto& id = message["id"];
  if (!is_id(id))
    return refuse(nullptr, kInvalidRequest, "an id is a whole number or a short string");
  if (!params.is_object()) return refuse(id, kInvalidParams, "params are an object");
  request(id, method.get<std::string>(), params);
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  if (method == "ping") return respond(id, Json::object());
  if (method == "initialize") {
    if (!revision_.empty())
      return refuse(id, kInvalidRequest, "initialize comes once, and has come");
    if (!params.value("protocolVersion", Json()).is_string())
      return refuse(id, kInvalidParams,
                    "params.protocolVersion is missing: the protocol's revision");
    return respond(id, initialize(params));
  }
  if (revision_.empty()) return refuse(id, kInvalidRequest, "initialize comes first");
  if (method == "tools/list") {
    if (params.contains("cursor") && !params["cursor"].is_null())
      return refuse(id, kInvalidParams, "there is no such cursor: all tools are on one page");
    return respond(id, {{"tools", tools(has_structure(revision_))}});
  }
  if (method == "tools/call") return call(id, params);
  refuse(id, kMethodNotFound,
         fmt::format("there is no method {}; there are ping, tools/list and tools/call",
                     named(method)));
}

void Server::notification(const std::string& method, const Json& params) {
  if (method == "notifications/cancelled" && params.is_object() && params.contains("requestId"))
    cancel(params["requestId"]);
}

Json Server::initialize(const Json& params) {
  const auto asked = params["protocolVersion"].get<std::string>();
  const auto known = std::ranges::find(kRevisions, asked);
  revision_ = known == kRevisions.end() ? kRevisions.front() : *known;
  Json info{{"name", "shared-memory-course"}};
  if (has_structure(revision_)) info["title"] = "A course on CUDA shared memory: emulated H200";
  info["version"] = settings_.version;
  return {{"protocolVersion", revision_},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", std::move(info)},
          {"instructions", instructions(settings_)}};
}

void Server::call(const Json& id, const Json& params) {
  const auto name = params.value("name", Json());
  if (!name.is_string()) return refuse(id, kInvalidParams, "params.name is missing: a tool's");
  const auto tool = name.get<std::string>();
  if (!is_tool(tool))
    return refuse(id, kInvalidParams,
                  fmt::format("there is no tool {}; there are run, trace and banks", named(tool)));
  if (is_open(id)) return refuse(id, kInvalidRequest, "this id is that of a call at work");
  // What a model got wrong, it can mend when it reads why: not an error of the protocol.
  auto ask = ask_of(tool, params.value("arguments", Json::object()));
  if (const auto* bad = std::get_if<BadAsk>(&ask))
    return answer(id, refusal(fmt::format("{}: {}", tool, bad->message)));
  if (auto* question = std::get_if<Question>(&ask)) {
    question->advice = settings_.advises;
    return answer(id, banks_answer(*question));
  }
  if (waiting_.size() >= kMostWaiting)
    return answer(id,
                  refusal(fmt::format("{} programs wait already; call again when one of them is "
                                      "done, or cancel one",
                                      waiting_.size())));
  waiting_.push_back({id, std::get<ProgramAsk>(std::move(ask))});
  go_on();
}

void Server::go_on() {
  if (at_work_ || waiting_.empty()) return;
  at_work_ = std::move(waiting_.front());
  waiting_.pop_front();
  bench_.begin(at_work_->ask);
}

// Nobody waits for an answer any more, so that none is sent.
void Server::cancel(const Json& id) {
  for (auto batch = batches_.begin(); batch != batches_.end();) {
    const bool was_open = std::erase(batch->open, id) > 0;
    if (!was_open || !batch->open.empty()) {
      ++batch;
      continue;
    }
    const auto all = std::move(batch->answers);
    batch = batches_.erase(batch);
    if (!all.empty()) send_(all);
  }
  std::erase_if(waiting_, [&](const Call& call) { return call.id == id; });
  if (!at_work_ || at_work_->id != id) return;
  bench_.end();
  at_work_.reset();
  go_on();
}

void Server::finished(const Answer& done) {
  if (!at_work_) return;
  const auto id = at_work_->id;
  at_work_.reset();
  answer(id, done);
  go_on();
}

bool Server::is_open(const Json& id) const {
  return (at_work_ && at_work_->id == id) ||
         std::ranges::any_of(waiting_, [&](const Call& call) { return call.id == id; });
}

void Server::answer(const Json& id, const Answer& done) {
  Json content = Json::array({{{"type", "text"}, {"text", done.text}}});
  Json result = Json::object();
  const bool structured = !done.structured.is_null();
  if (structured && !has_structure(revision_))
    content.push_back(
        {{"type", "text"},
         {"text", done.structured.dump(-1, ' ', false, Json::error_handler_t::replace)}});
  result["content"] = std::move(content);
  if (structured && has_structure(revision_)) result["structuredContent"] = done.structured;
  result["isError"] = done.error;
  respond(id, std::move(result));
}

void Server::respond(const Json& id, Json result) {
  send(id, {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Json& id, int code, const std::string& what) {
  send(id, {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", what}}}});
}

void Server::send(const Json& id, Json message) {
  for (auto batch = batches_.begin(); batch != batches_.end(); ++batch) {
    const auto open = std::ranges::find(batch->open, id);
    if (open == batch->open.end()) continue;
    batch->open.erase(open);
    batch->answers.push_back(std::move(message));
    if (!batch->open.empty()) return;
    const auto all = std::move(batch->answers);
    batches_.erase(batch);
    return send_(all);
  }
  send_(message);
}

} // namespace course::cli::mcp
