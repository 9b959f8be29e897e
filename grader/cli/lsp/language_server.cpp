#include "cli/lsp/language_server.hpp"

#include "cli/lsp/document_uri.hpp"
#include "language/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace course::cli {
namespace {

constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kNotInitialized = -32002;
constexpr const char *kHint = "course.hint", *kGrade = "course.grade", *kRun = "course.run";

enum MessageType { kError = 1, kInformation = 3, kLog = 4 };

std::string uri_in(const Json& params) {
  return params.at("textDocument").at("uri").get<std::string>();
}

std::uint32_t line_in(const Json& position) {
  return position.at("line").get<std::uint32_t>();
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Copying what is nested is recursive: what is deeper than any message is left out of it.
constexpr int kDeepest = 64;
bool is_near(int depth, Json::parse_event_t, Json&) {
  return depth < kDeepest;
}

bool is_id(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

// Every line is another one.
const Edit kAllOfIt{0, 0, UINT32_MAX, 1, ""};

Edit edit_of(const Json& change) {
  const auto& range = change.at("range");
  const auto &start = range.at("start"), &end = range.at("end");
  return {line_in(start), start.at("character").get<std::uint32_t>(), line_in(end),
          end.at("character").get<std::uint32_t>(), change.at("text").get<std::string>()};
}

} // namespace

// ---- messages

void LanguageServer::receive(const std::string& text) {
  const auto message = Json::parse(text, is_near, false);
  if (message.is_discarded()) return refuse(nullptr, kParseError, tr("this is no JSON"));
  if (!message.is_object()) return refuse(nullptr, kInvalidRequest, tr("this is no message"));
  try {
    answer(message);
  } catch (const Json::exception&) {
    if (message.contains("id") && is_id(message["id"]))
      refuse(message["id"], kInvalidParams, tr("parameters that cannot be meant"));
  }
}

void LanguageServer::answer(const Json& message) {
  const auto method = message.value("method", Json());
  const bool is_request = message.contains("id");
  if (!method.is_string()) return; // an answer to a request of ours
  if (is_request && !is_id(message["id"]))
    return refuse(nullptr, kInvalidRequest, tr("an id is a string or a number"));
  const auto name = method.get<std::string>();
  const auto params = message.value("params", Json::object());
  if (name == "exit") {
    over_ = true;
  } else if (!is_request) {
    if (initialized_ && !shut_down_) take(name, params);
  } else if (!initialized_ && name != "initialize") {
    refuse(message["id"], kNotInitialized, tr("initialize comes first"));
  } else if (shut_down_ || (initialized_ && name == "initialize")) {
    refuse(message["id"], kInvalidRequest, tr("{} comes too late", name));
  } else if (const auto result = result_of(name, params)) {
    respond(message["id"], *result);
  } else {
    refuse(message["id"], kMethodNotFound, tr("no such method"));
  }
}

std::optional<Json> LanguageServer::result_of(const std::string& method, const Json& params) {
  if (method == "initialize") return initialize(params);
  if (method == "shutdown") {
    shut_down_ = true;
    workshop_.end();
    return Json(nullptr);
  }
  if (method == "textDocument/hover")
    return hover(known_of(params), line_in(params.at("position")), skills_);
  if (method == "textDocument/inlayHint") {
    const auto& range = params.at("range");
    return inlay_hints(known_of(params), line_in(range.at("start")), line_in(range.at("end")));
  }
  if (method == "textDocument/codeLens") {
    const auto* one = document(uri_in(params));
    const bool is_exercise = one && one->kind == Workshop::Kind::exercise;
    return code_lenses(known_of(params), is_exercise ? kGrade : kRun, uri_in(params));
  }
  if (method == "textDocument/codeAction") return actions(params);
  if (method == "workspace/executeCommand") return execute(params);
  return std::nullopt;
}

void LanguageServer::take(const std::string& method, const Json& params) {
  if (method == "textDocument/didOpen") open(params);
  if (method == "textDocument/didChange") change(params);
  if (method == "textDocument/didSave") save(params);
  if (method == "textDocument/didClose") close(params);
}

void LanguageServer::respond(const Json& id, const Json& result) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void LanguageServer::refuse(const Json& id, int code, const std::string& what) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", what}}}});
}

void LanguageServer::notify(const std::string& method, const Json& params) {
  send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

void LanguageServer::request(const std::string& method, const Json& params) {
  send_({{"jsonrpc", "2.0"},
         {"id", fmt::format("course-{}", ++requests_)},
         {"method", method},
         {"params", params}});
}

// ---- requests

Json LanguageServer::initialize(const Json& params) {
  skills_ = skills_of(params.value("capabilities", Json::object()));
  initialized_ = true;
  Json can{{"positionEncoding", "utf-16"},
           {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
           {"hoverProvider", true},
           {"codeActionProvider", true},
           {"executeCommandProvider", {{"commands", {kHint, kGrade, kRun}}}}};
  if (skills_.inlay_hints) {
    can["inlayHintProvider"] = true;
  } else {
    can["codeLensProvider"] = {{"resolveProvider", false}};
  }
  return {{"capabilities", can},
          {"serverInfo", {{"name", "course"}, {"version", settings_.version}}}};
}

Json LanguageServer::actions(const Json& params) const {
  Json all = Json::array();
  const auto& context = params.value("context", Json::object());
  const bool of_a_kind = context.contains("only") && !context["only"].empty();
  const auto uri = uri_in(params);
  const auto found = documents_.find(uri);
  if (of_a_kind || found == documents_.end()) return all; // a save's "organise imports", say
  const auto kind = found->second.kind;
  const auto name = name_of(found->second.path);
  if (kind == Workshop::Kind::exercise) {
    all.push_back(command(tr("Next hint for {}", name), kHint, uri));
    all.push_back(command(tr("Grade {}", name), kGrade, uri));
  } else if (kind == Workshop::Kind::program) {
    all.push_back(command(tr("Run {} and count", name), kRun, uri));
  }
  return all;
}

Json LanguageServer::execute(const Json& params) {
  const auto name = params.at("command").get<std::string>();
  const auto uri = params.at("arguments").at(0).get<std::string>();
  const auto* one = document(uri);
  if (!one) return nullptr;
  if (name == kHint && one->kind == Workshop::Kind::exercise)
    notify("window/showMessage",
           {{"type", kInformation}, {"message", workshop_.next_hint(one->path)}});
  if (name == kGrade && one->kind == Workshop::Kind::exercise) want(uri, Task::What::grade, true);
  if (name == kRun && one->kind == Workshop::Kind::program) want(uri, Task::What::run, false);
  return nullptr;
}

const report::EditorFile& LanguageServer::known_of(const Json& params) const {
  static const report::EditorFile nothing;
  const auto path = path_of_uri(uri_in(params));
  const auto found = path ? known_.find(*path) : known_.end();
  return found == known_.end() ? nothing : found->second;
}

LanguageServer::Document* LanguageServer::document(const std::string& uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

// ---- documents

void LanguageServer::open(const Json& params) {
  const auto uri = uri_in(params);
  const auto path = path_of_uri(uri);
  if (!path) return; // not saved yet, or not a file
  Document one;
  one.path = *path;
  one.kind = workshop_.kind_of(*path);
  documents_[uri] = one;
  if (one.kind == Workshop::Kind::exercise) want(uri, Task::What::grade, false);
  if (one.kind == Workshop::Kind::program && settings_.run == RunWhen::opened)
    want(uri, Task::What::run, false);
}

void LanguageServer::change(const Json& params) {
  auto* one = document(uri_in(params));
  if (!one) return;
  one->stands = false;
  auto& known = known_[one->path];
  for (const auto& part : params.at("contentChanges")) {
    const auto edit = part.contains("range") ? edit_of(part) : kAllOfIt;
    move_with(known, edit);
    if (at_work_) one->since.push_back(edit);
  }
}

void LanguageServer::save(const Json& params) {
  const auto uri = uri_in(params);
  auto* one = document(uri);
  if (!one) return;
  one->kind = workshop_.kind_of(one->path); // it may have got a main() since
  if (one->kind == Workshop::Kind::exercise && !one->stands) want(uri, Task::What::grade, true);
  if (one->kind == Workshop::Kind::program && settings_.run != RunWhen::asked)
    want(uri, Task::What::run, false);
}

void LanguageServer::close(const Json& params) {
  const auto uri = uri_in(params);
  auto* one = document(uri);
  if (!one) return;
  drop(uri);
  show(uri, *one, {});
  known_.erase(one->path);
  documents_.erase(uri);
  go_on();
}

// ---- work

void LanguageServer::want(const std::string& uri, Task::What what, bool remembered) {
  auto* one = document(uri);
  drop(uri);
  one->stands = remembered; // until it is changed, or comes to nothing
  waiting_.push_front({uri, {what, one->path, remembered}});
  go_on();
}

void LanguageServer::drop(const std::string& uri) {
  std::erase_if(waiting_, [&](const Waiting& one) { return one.uri == uri; });
  if (!at_work_ || at_work_->uri != uri) return;
  workshop_.end();
  at_work_.reset();
  end_progress("");
}

void LanguageServer::go_on() {
  if (at_work_ || waiting_.empty()) return;
  at_work_ = std::move(waiting_.front());
  waiting_.pop_front();
  if (auto* one = document(at_work_->uri)) one->since.clear();
  begin_progress(*at_work_);
  workshop_.begin(at_work_->task);
}

void LanguageServer::finished(const report::EditorView& view, const std::string& printed) {
  if (!at_work_) return;
  const auto work = *at_work_;
  at_work_.reset();
  end_progress(view.summary);
  if (!printed.empty()) notify("window/logMessage", {{"type", kLog}, {"message", printed}});
  if (auto* one = document(work.uri)) {
    if (view.trouble.empty()) {
      show(work.uri, *one, view);
    } else {
      one->stands = false;
      notify("window/showMessage", {{"type", kError}, {"message", view.trouble}});
    }
  }
  go_on();
}

void LanguageServer::show(const std::string& uri, Document& one, const report::EditorView& view) {
  std::set<std::string> others;
  report::EditorFile own;
  for (const auto& file : view.files) {
    if (file.path.empty() || file.path == one.path) {
      own = file;
      continue;
    }
    known_[file.path] = file;
    if (file.marks.empty()) continue;
    const auto other = uri_of_path(file.path);
    publish(other, file);
    others.insert(other);
  }
  for (const auto& old : one.others)
    if (!others.contains(old)) publish(old, {});
  one.others = std::move(others);
  for (const auto& edit : one.since) move_with(own, edit);
  publish(uri, own);
  known_[one.path] = std::move(own);
  if (skills_.inlay_hints && skills_.refreshes_hints)
    request("workspace/inlayHint/refresh", nullptr);
  if (!skills_.inlay_hints && skills_.refreshes_lenses)
    request("workspace/codeLens/refresh", nullptr);
}

void LanguageServer::publish(const std::string& uri, const report::EditorFile& file) {
  notify("textDocument/publishDiagnostics", diagnostics(uri, file, skills_));
}

void LanguageServer::begin_progress(const Waiting& work) {
  if (!skills_.progress) return;
  progress_ = fmt::format("course-work-{}", ++requests_);
  request("window/workDoneProgress/create", {{"token", progress_}});
  const auto name = name_of(work.task.path);
  const auto title = work.task.what == Task::What::grade ? trc("at work", "grading {}", name)
                                                         : trc("at work", "running {}", name);
  notify("$/progress", {{"token", progress_}, {"value", {{"kind", "begin"}, {"title", title}}}});
}

void LanguageServer::end_progress(const std::string& summary) {
  if (progress_.empty()) return;
  Json value{{"kind", "end"}};
  if (!summary.empty()) value["message"] = summary;
  notify("$/progress", {{"token", progress_}, {"value", value}});
  progress_.clear();
}

} // namespace course::cli
