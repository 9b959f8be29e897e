// What the server answers to an editor.
// Over 400 lines, as each test is a short talk between the same two.
#include "cli/lsp/language_server.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace course::cli {
namespace {

constexpr const char *kExercise = "file:///course/labs/2_pad.cu",
                     *kProgram = "file:///home/turn.cu", *kNeither = "file:///home/notes.txt";

// Remembers what it was asked for.
class FakeWorkshop : public Workshop {
public:
  Kind kind_of(const std::string& path) override {
    return path.ends_with("2_pad.cu") || path.ends_with("3_max.cu") ? Kind::exercise
           : path.ends_with(".cu")                                  ? Kind::program
                                                                    : Kind::other;
  }
  void begin(const Task& task) override { begun.push_back(task); }
  void end() override { ++ended; }
  std::string next_hint(const std::string& path) override { return "a hint for " + path; }

  std::vector<Task> begun;
  int ended = 0;
};

// A server that has been told hello, and an editor that keeps what it is sent.
struct Editor {
  FakeWorkshop workshop;
  std::vector<Json> sent;
  LanguageServer server;
  int id = 100;

  explicit Editor(const Json& capabilities = Json::object(),
                  LanguageServer::RunWhen run = LanguageServer::RunWhen::saved)
      : server({run, "1.0"}, workshop, [this](const Json& message) { sent.push_back(message); }) {
    ask("initialize", {{"capabilities", capabilities}});
    tell("initialized", Json::object());
  }

  Json ask(const std::string& method, const Json& params) {
    const auto number = ++id;
    server.receive(
        Json{{"jsonrpc", "2.0"}, {"id", number}, {"method", method}, {"params", params}}.dump());
    for (const auto& message : sent)
      if (message.contains("id") && message["id"] == number && !message.contains("method"))
        return message;
    return nullptr;
  }
  void tell(const std::string& method, const Json& params) {
    server.receive(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  void tell_of(const std::string& method, const std::string& uri) {
    tell("textDocument/" + method, {{"textDocument", {{"uri", uri}, {"text", "x"}}}});
  }
  void type(const std::string& uri, std::uint32_t line, const std::string& text) {
    const Json at{{"line", line}, {"character", 0}};
    tell("textDocument/didChange",
         {{"textDocument", {{"uri", uri}}},
          {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}});
  }
  // The parameters of the last notification of this kind; null without any.
  Json last(const std::string& method) const {
    for (auto message = sent.rbegin(); message != sent.rend(); ++message)
      if (message->value("method", "") == method) return message->at("params");
    return nullptr;
  }
};

report::EditorView counted_view(const std::string& path = "") {
  report::EditorView view;
  report::EditorFile file;
  file.path = path;
  file.marks = {{3, 2, 9, report::MarkLevel::error, "race", "a race", 2, "the other access"}};
  file.words = {{3, 20, "31 conflicts per request", "in sentences"}};
  file.pages = {{3, "lane 0 1 2\n"}};
  view.files = {file};
  view.summary = "Not solved yet.";
  return view;
}

Json at_line(const std::string& uri, int line) {
  return {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", 0}}}};
}

Json whole_of(const std::string& uri) {
  return {
      {"textDocument", {{"uri", uri}}},
      {"range",
       {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}}}};
}

const Json kModern = Json::parse(R"({
  "textDocument": {"inlayHint": {}, "hover": {"contentFormat": ["markdown"]},
                   "publishDiagnostics": {"relatedInformation": true}},
  "workspace": {"inlayHint": {"refreshSupport": true}}, "window": {"workDoneProgress": true}})");

} // namespace

TEST_CASE("an exercise is graded when it is opened, and that is not remembered") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  REQUIRE(editor.workshop.begun.size() == 1);
  CHECK(editor.workshop.begun[0].what == Task::What::grade);
  CHECK(editor.workshop.begun[0].path == "/course/labs/2_pad.cu");
  CHECK_FALSE(editor.workshop.begun[0].remembered);
}

TEST_CASE("a save is graded and remembered, and one that changed nothing is not graded again") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  editor.tell_of("didSave", kExercise); // the first that anybody asked for
  REQUIRE(editor.workshop.begun.size() == 2);
  CHECK(editor.workshop.begun[1].remembered);
  editor.server.finished(counted_view());
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.begun.size() == 2);
  editor.type(kExercise, 0, "//\n");
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.begun.size() == 3);
}

TEST_CASE("a newer save ends the grading of an older one") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.type(kExercise, 0, "//\n");
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.ended == 1);
  CHECK(editor.workshop.begun.size() == 2);
  editor.type(kExercise, 0, "//\n");
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.ended == 2);
  CHECK(editor.workshop.begun.size() == 3);
}

TEST_CASE("files wait for each other, the one saved last goes first, and each waits once") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.tell_of("didOpen", "file:///course/labs/3_max.cu");
  editor.tell_of("didOpen", kProgram);
  editor.tell_of("didSave", kProgram);
  editor.tell_of("didSave", kProgram);
  CHECK(editor.workshop.begun.size() == 1);
  CHECK(editor.workshop.ended == 0);
  editor.server.finished(counted_view());
  REQUIRE(editor.workshop.begun.size() == 2);
  CHECK(editor.workshop.begun[1].what == Task::What::run);
  editor.server.finished(counted_view());
  REQUIRE(editor.workshop.begun.size() == 3);
  CHECK(editor.workshop.begun[2].path == "/course/labs/3_max.cu");
  editor.server.finished(counted_view());
  CHECK(editor.workshop.begun.size() == 3);
}

TEST_CASE("a program is run when it is saved, and not because somebody looks at it") {
  Editor editor;
  editor.tell_of("didOpen", kProgram);
  CHECK(editor.workshop.begun.empty());
  editor.tell_of("didSave", kProgram);
  CHECK(editor.workshop.begun.size() == 1);
  editor.server.finished(counted_view());
  editor.tell_of("didSave", kProgram); // a header of it may have changed
  CHECK(editor.workshop.begun.size() == 2);
}

TEST_CASE("programs are run at other times where that is asked for") {
  Editor eager({}, LanguageServer::RunWhen::opened);
  eager.tell_of("didOpen", kProgram);
  CHECK(eager.workshop.begun.size() == 1);
  Editor careful({}, LanguageServer::RunWhen::asked);
  careful.tell_of("didOpen", kProgram);
  careful.tell_of("didSave", kProgram);
  CHECK(careful.workshop.begun.empty());
  careful.ask("workspace/executeCommand", {{"command", "course.run"}, {"arguments", {kProgram}}});
  CHECK(careful.workshop.begun.size() == 1);
}

TEST_CASE("other files are left alone") {
  Editor editor;
  editor.tell_of("didOpen", kNeither);
  editor.tell_of("didSave", kNeither);
  editor.tell_of("didSave", "file:///never/opened.cu");
  editor.tell_of("didOpen", "untitled:Untitled-1");
  CHECK(editor.workshop.begun.empty());
  CHECK(editor.ask("textDocument/hover", at_line(kNeither, 0))["result"].is_null());
  CHECK(editor.ask("textDocument/codeAction", whole_of(kNeither))["result"].empty());
}

TEST_CASE("what was found is published as diagnostics, with the other place") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  const auto published = editor.last("textDocument/publishDiagnostics");
  CHECK(published["uri"] == kExercise);
  REQUIRE(published["diagnostics"].size() == 1);
  const auto& one = published["diagnostics"][0];
  CHECK(one["range"]["start"] == Json{{"line", 2}, {"character", 2}});
  CHECK(one["range"]["end"] == Json{{"line", 2}, {"character", 9}});
  CHECK(one["severity"] == 1);
  CHECK(one["code"] == "race");
  CHECK(one["message"] == "a race");
  const auto& other = one["relatedInformation"][0];
  CHECK(other["location"]["uri"] == kExercise);
  CHECK(other["location"]["range"]["start"]["line"] == 1);
}

TEST_CASE("an editor that shows no related places is told of the other line in words") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  const auto one = editor.last("textDocument/publishDiagnostics")["diagnostics"][0];
  CHECK(one["message"] == "a race (the other access: line 2)");
  CHECK_FALSE(one.contains("relatedInformation"));
}

TEST_CASE("diagnostics go when the file is mended, and when it is closed") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  editor.type(kExercise, 0, "//\n");
  editor.tell_of("didSave", kExercise);
  report::EditorView mended;
  mended.files = {{}};
  editor.server.finished(mended);
  CHECK(editor.last("textDocument/publishDiagnostics")["diagnostics"].empty());
  editor.type(kExercise, 0, "//\n");
  editor.tell_of("didSave", kExercise);
  editor.server.finished(counted_view());
  editor.tell_of("didClose", kExercise);
  CHECK(editor.last("textDocument/publishDiagnostics")["diagnostics"].empty());
}

TEST_CASE("words behind lines are inlay hints, of the lines that are asked for") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  CHECK(editor.last("workspace/inlayHint/refresh").is_null()); // it has no parameters
  const auto hints = editor.ask("textDocument/inlayHint", whole_of(kExercise))["result"];
  REQUIRE(hints.size() == 1);
  CHECK(hints[0]["label"] == "31 conflicts per request");
  CHECK(hints[0]["tooltip"] == "in sentences");
  CHECK(hints[0]["position"] == Json{{"line", 2}, {"character", 20}});
  auto above = whole_of(kExercise);
  above["range"]["end"]["line"] = 1;
  CHECK(editor.ask("textDocument/inlayHint", above)["result"].empty());
}

TEST_CASE("an editor without inlay hints has code lenses, and is offered one of both") {
  Editor old;
  const auto can = old.sent[0]["result"]["capabilities"];
  CHECK(can.contains("codeLensProvider"));
  CHECK_FALSE(can.contains("inlayHintProvider"));
  Editor modern(kModern);
  CHECK(modern.sent[0]["result"]["capabilities"].contains("inlayHintProvider"));
  CHECK_FALSE(modern.sent[0]["result"]["capabilities"].contains("codeLensProvider"));
  old.tell_of("didOpen", kExercise);
  old.server.finished(counted_view());
  const auto lenses = old.ask("textDocument/codeLens", whole_of(kExercise))["result"];
  REQUIRE(lenses.size() == 1);
  CHECK(lenses[0]["command"]["title"] == "31 conflicts per request");
  CHECK(lenses[0]["range"]["start"]["line"] == 2);
}

TEST_CASE("what is beside lines moves with them while somebody writes") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  editor.type(kExercise, 0, "one\ntwo\n");
  const auto hints = editor.ask("textDocument/inlayHint", whole_of(kExercise))["result"];
  REQUIRE(hints.size() == 1);
  CHECK(hints[0]["position"]["line"] == 4);
  editor.type(kExercise, 4, "x");
  CHECK(editor.ask("textDocument/inlayHint", whole_of(kExercise))["result"].empty());
}

TEST_CASE("what comes of an older text is put where its lines are by then") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  editor.type(kExercise, 0, "one\n");
  editor.server.finished(counted_view());
  const auto one = editor.last("textDocument/publishDiagnostics")["diagnostics"][0];
  CHECK(one["range"]["start"]["line"] == 3);
  const auto hints = editor.ask("textDocument/inlayHint", whole_of(kExercise))["result"];
  CHECK(hints[0]["position"]["line"] == 3);
}

TEST_CASE("a line's page is its hover, in the form that the editor shows") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  const auto there = editor.ask("textDocument/hover", at_line(kExercise, 2))["result"]["contents"];
  CHECK(there["kind"] == "markdown");
  CHECK(there["value"] == "```text\nlane 0 1 2\n```");
  CHECK(editor.ask("textDocument/hover", at_line(kExercise, 1))["result"].is_null());
  Editor plain;
  plain.tell_of("didOpen", kExercise);
  plain.server.finished(counted_view());
  CHECK(plain.ask("textDocument/hover", at_line(kExercise, 2))["result"]["contents"]["value"] ==
        "lane 0 1 2\n");
}

TEST_CASE("code actions are the next hint and a grading, or a run") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.tell_of("didOpen", kProgram);
  const auto of_exercise = editor.ask("textDocument/codeAction", whole_of(kExercise))["result"];
  REQUIRE(of_exercise.size() == 2);
  CHECK(of_exercise[0]["title"] == "Next hint for 2_pad.cu");
  CHECK(of_exercise[1]["command"] == "course.grade");
  const auto of_program = editor.ask("textDocument/codeAction", whole_of(kProgram))["result"];
  REQUIRE(of_program.size() == 1);
  CHECK(of_program[0]["title"] == "Run turn.cu and count");
  auto on_save = whole_of(kExercise);
  on_save["context"]["only"] = {"source.organizeImports"};
  CHECK(editor.ask("textDocument/codeAction", on_save)["result"].empty());
}

TEST_CASE("a hint is shown, and a grading that is asked for is remembered") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  editor.ask("workspace/executeCommand", {{"command", "course.hint"}, {"arguments", {kExercise}}});
  CHECK(editor.last("window/showMessage")["message"] == "a hint for /course/labs/2_pad.cu");
  editor.ask("workspace/executeCommand", {{"command", "course.grade"}, {"arguments", {kExercise}}});
  REQUIRE(editor.workshop.begun.size() == 2);
  CHECK(editor.workshop.begun[1].remembered);
  // What does not go with the file does nothing.
  editor.ask("workspace/executeCommand", {{"command", "course.run"}, {"arguments", {kExercise}}});
  editor.ask("workspace/executeCommand", {{"command", "rm"}, {"arguments", {kExercise}}});
  CHECK(editor.workshop.begun.size() == 2);
}

TEST_CASE("marks in a header go with those of its program") {
  Editor editor;
  editor.tell_of("didOpen", kProgram);
  editor.tell_of("didSave", kProgram);
  auto view = counted_view("/home/turn.cu");
  view.files.push_back(counted_view("/home/part.cuh").files[0]);
  editor.server.finished(view);
  int of_header = 0;
  for (const auto& message : editor.sent)
    if (message.value("method", "") == "textDocument/publishDiagnostics" &&
        message["params"]["uri"] == "file:///home/part.cuh")
      ++of_header;
  CHECK(of_header == 1);
  const auto hover = editor.ask("textDocument/hover", at_line("file:///home/part.cuh", 2));
  CHECK_FALSE(hover["result"].is_null());
  editor.tell_of("didSave", kProgram);
  editor.server.finished(counted_view("/home/turn.cu"));
  const auto& cleared = editor.sent[editor.sent.size() - 2]["params"];
  CHECK(cleared["uri"] == "file:///home/part.cuh");
  CHECK(cleared["diagnostics"].empty());
}

TEST_CASE("trouble is said, leaves what is shown, and the next save tries again") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.server.finished(counted_view());
  editor.tell_of("didSave", kExercise);
  report::EditorView trouble;
  trouble.trouble = "There is no nvcc.";
  editor.server.finished(trouble);
  CHECK(editor.last("window/showMessage")["message"] == "There is no nvcc.");
  CHECK(editor.last("textDocument/publishDiagnostics")["diagnostics"].size() == 1);
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.begun.size() == 3);
}

TEST_CASE("work is shown as progress where an editor can, from its begin to its end") {
  Editor editor(kModern);
  editor.tell_of("didOpen", kExercise);
  const auto begin = editor.last("$/progress");
  CHECK(begin["value"]["title"] == "grading 2_pad.cu");
  editor.server.finished(counted_view());
  const auto end = editor.last("$/progress");
  CHECK(end["token"] == begin["token"]);
  CHECK(end["value"]["kind"] == "end");
  CHECK(end["value"]["message"] == "Not solved yet.");
  Editor plain;
  plain.tell_of("didOpen", kExercise);
  CHECK(plain.last("$/progress").is_null());
}

TEST_CASE("what a program printed goes to the editor's log") {
  Editor editor;
  editor.tell_of("didOpen", kProgram);
  editor.tell_of("didSave", kProgram);
  editor.server.finished(counted_view("/home/turn.cu"), "turned\n");
  CHECK(editor.last("window/logMessage")["message"] == "turned\n");
}

TEST_CASE("closing a file ends what is done for it, and lets others go on") {
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  editor.tell_of("didOpen", "file:///course/labs/3_max.cu");
  editor.tell_of("didClose", kExercise);
  CHECK(editor.workshop.ended == 1);
  REQUIRE(editor.workshop.begun.size() == 2);
  CHECK(editor.workshop.begun[1].path == "/course/labs/3_max.cu");
}

TEST_CASE("what is no message is refused, and the next one is answered") {
  Editor editor;
  for (const char* bytes :
       {"", "{", "[]", "null", "\"x\"", "1e999", R"({"id":{},"method":"x"})", R"({"method":1})",
        R"({"id":1})", R"({"id":7,"method":"textDocument/hover"})",
        R"({"id":8,"method":"textDocument/hover","params":{"textDocument":[]}})",
        R"({"id":9,"method":"initialize","params":[]})",
        R"({"method":"textDocument/didOpen","params":[1]})",
        R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":3}}})"})
    editor.server.receive(bytes);
  CHECK(editor.ask("workspace/executeCommand", {{"command", "course.hint"}})["error"]["code"] ==
        -32602);
  CHECK(editor.ask("textDocument/rename", Json::object())["error"]["code"] == -32601);
  CHECK(editor.ask("textDocument/hover", at_line(kExercise, 0)).contains("result"));
  CHECK_FALSE(editor.server.over());
}

TEST_CASE("what is nested deeper than any message is left out of it") {
  Editor editor;
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  editor.server.receive(R"({"id":5,"method":"nothing","params":)" + deep + "}");
  CHECK(editor.sent.back()["error"]["code"] == -32601);
  editor.server.receive(deep);
  CHECK(editor.sent.back()["error"]["code"] == -32600);
}

TEST_CASE("nothing is answered before initialize, and nothing done after shutdown") {
  FakeWorkshop workshop;
  std::vector<Json> sent;
  LanguageServer server({}, workshop, [&](const Json& message) { sent.push_back(message); });
  server.receive(R"({"id":1,"method":"shutdown"})");
  CHECK(sent[0]["error"]["code"] == -32002);
  Editor editor;
  editor.tell_of("didOpen", kExercise);
  CHECK(editor.ask("shutdown", nullptr)["result"].is_null());
  CHECK(editor.workshop.ended == 1);
  editor.tell_of("didSave", kExercise);
  CHECK(editor.workshop.begun.size() == 1);
  CHECK(editor.ask("textDocument/hover", at_line(kExercise, 0))["error"]["code"] == -32600);
}

TEST_CASE("its exit code says whether it was shut down in order") {
  Editor editor;
  editor.ask("shutdown", nullptr);
  CHECK_FALSE(editor.server.over());
  editor.tell("exit", nullptr);
  CHECK(editor.server.over());
  CHECK(editor.server.exit_code() == 0);
  Editor hasty;
  hasty.tell("exit", nullptr);
  CHECK(hasty.server.over());
  CHECK(hasty.server.exit_code() == 1);
}

} // namespace course::cli
