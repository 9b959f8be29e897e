// Any bytes as what an editor sends: each message that is one gets its answer, and what is sent
// is JSON that can be framed and read again.
#include "cli/lsp/framing.hpp"
#include "cli/lsp/language_server.hpp"
#include "cli/lsp/program_text.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using namespace course::cli;

// Every file is an exercise, and each task is done at once.
class Idle : public Workshop {
public:
  Kind kind_of(const std::string& path) override {
    return path.ends_with(".cu") ? Kind::exercise : Kind::program;
  }
  void begin(const Task&) override { begun = true; }
  void end() override { begun = false; }
  std::string next_hint(const std::string&) override { return "a hint"; }

  bool begun = false;
};

course::report::EditorView some_view() {
  course::report::EditorView view;
  course::report::EditorFile file;
  for (std::uint32_t line = 1; line < 6; ++line) {
    file.marks.push_back(
        {line, 0, 4, course::report::MarkLevel::error, "race", "both", 2, "there"});
    file.words.push_back({line, 9, "31 conflicts a request", "more"});
    file.pages.push_back({line, "lane 0\n"});
  }
  view.files.push_back(file);
  return view;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  has_main(input);
  Idle idle;
  LanguageServer server({LanguageServer::RunWhen::opened, "1"}, idle, [](const Json& message) {
    const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    MessageReader again;
    again.add(framed(text));
    if (again.next() != text || !Json::accept(text)) __builtin_trap();
  });
  server.receive(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  // The same bytes in two pieces, and as the JSON of one message.
  MessageReader reader;
  for (const auto piece : {input.substr(0, size / 2), input.substr(size / 2)}) {
    reader.add(piece);
    while (const auto message = reader.next()) server.receive(*message);
    if (idle.begun) server.finished(some_view(), "printed");
  }
  server.receive(std::string(input));
  if (idle.begun) server.finished(some_view());
  return 0;
}
