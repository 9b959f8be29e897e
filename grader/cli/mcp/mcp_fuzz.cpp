// Any bytes as what a client sends: each line gets its answers, and what is sent is one line of
// JSON.
#include "cli/mcp/mcp_server.hpp"
#include "cli/mcp/message_lines.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using namespace course::cli::mcp;

class Idle : public Bench {
public:
  void begin(const ProgramAsk&) override { begun = true; }
  void end() override { begun = false; }

  bool begun = false;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  Idle idle;
  const auto keep = [](const Json& message) {
    const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.find('\n') != text.npos || !Json::accept(text)) __builtin_trap();
  };
  for (const char* revision : {"2025-06-18", "2025-03-26"}) {
    Server server({"1", true, "/folder"}, idle, keep);
    server.receive(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
        std::string(revision) + "\"}}");
    MessageLines lines(4096);
    for (const auto piece : {input.substr(0, size / 2), input.substr(size / 2)}) {
      lines.add(piece);
      while (const auto line = lines.next()) {
        if (line->too_long)
          server.too_long(4096);
        else
          server.receive(line->text);
      }
      if (idle.begun) server.finished(answer_of(input));
    }
    server.receive(std::string(input));
    while (idle.begun) {
      idle.begun = false;
      server.finished(refusal(std::string(input)));
    }
  }
  return 0;
}
