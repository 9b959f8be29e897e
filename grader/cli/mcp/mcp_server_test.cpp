// What the server answers to a client.
#include "cli/mcp/mcp_server.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace course::cli::mcp {
namespace {

class FakeBench : public Bench {
public:
  void begin(const ProgramAsk& ask) override { begun.push_back(ask); }
  void end() override { ++ended; }

  std::vector<ProgramAsk> begun;
  int ended = 0;
};

struct Client {
  FakeBench bench;
  std::vector<Json> sent;
  Server server;

  explicit Client(bool advises = true)
      : server({"1.0", advises, "/home/me"}, bench,
               [this](const Json& message) { sent.push_back(message); }) {}
  // The answer; null when there is none.
  Json say(const std::string& message) {
    const auto before = sent.size();
    server.receive(message);
    return sent.size() > before ? sent.back() : Json();
  }
  Json ask(const Json& id, const std::string& method, const Json& params = Json::object()) {
    return say(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
  }
  Json call(const Json& id, const std::string& tool, const Json& arguments) {
    return ask(id, "tools/call", {{"name", tool}, {"arguments", arguments}});
  }
  Json hello(const std::string& revision = "2025-06-18") {
    return ask(0, "initialize",
               {{"protocolVersion", revision},
                {"capabilities", Json::object()},
                {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
  }
  void cancel(const Json& id) {
    say(Json{
        {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}}
            .dump());
  }
};

int code(const Json& answer) {
  return answer.is_object() && answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

const Json kProgram{{"source", "int main() {}"}};

} // namespace

TEST_CASE("a server says who it is, and that it has tools") {
  Client client;
  const auto answer = client.hello();
  CHECK(answer["jsonrpc"] == "2.0");
  CHECK(answer["id"] == 0);
  CHECK(answer["result"]["protocolVersion"] == "2025-06-18");
  CHECK(answer["result"]["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(answer["result"]["serverInfo"]["name"] == "shared-memory-course");
  CHECK(client.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").is_null());
}

TEST_CASE("a client of an older revision is answered in its own, any other in the newest") {
  for (const auto& [asked, answered] :
       {std::pair{"2024-11-05", "2024-11-05"}, std::pair{"2025-03-26", "2025-03-26"},
        std::pair{"2099-01-01", "2025-06-18"}, std::pair{"", "2025-06-18"}}) {
    Client client;
    CHECK(client.hello(asked)["result"]["protocolVersion"] == answered);
  }
}

TEST_CASE("an older client gets no schemas of answers, and structure as text") {
  Client client;
  client.hello("2024-11-05");
  for (const auto& tool : client.ask(1, "tools/list")["result"]["tools"]) {
    CHECK(tool.contains("inputSchema"));
    CHECK_FALSE(tool.contains("outputSchema"));
    CHECK_FALSE(tool.contains("title"));
  }
  const auto result = client.call(2, "banks", {{"index", "t"}})["result"];
  CHECK_FALSE(result.contains("structuredContent"));
  CHECK(Json::parse(result["content"][1]["text"].get<std::string>())["conflicts"] == 0);
}

TEST_CASE("initialize comes first, and once; a ping may come at any time") {
  Client client;
  CHECK(client.ask(1, "ping")["result"] == Json::object());
  CHECK(code(client.ask(2, "tools/list")) == -32600);
  CHECK(code(client.ask(3, "initialize")) == -32602);
  client.hello();
  CHECK(code(client.hello()) == -32600);
  CHECK(client.ask("a", "ping")["id"] == "a");
}

TEST_CASE("tools are listed with schemas of what they take and answer") {
  Client client;
  client.hello();
  const auto tools = client.ask(1, "tools/list")["result"]["tools"];
  REQUIRE(tools.size() == 3);
  for (const auto& tool : tools) {
    CHECK(is_tool(tool["name"].get<std::string>()));
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    CHECK(tool["outputSchema"]["type"] == "object");
  }
  CHECK(code(client.ask(2, "tools/list", {{"cursor", "more"}})) == -32602);
}

TEST_CASE("what is no message is refused as JSON-RPC has it") {
  Client client;
  client.hello();
  auto answer = client.say("{\"jsonrpc\":");
  CHECK(code(answer) == -32700);
  CHECK(answer["id"].is_null());
  CHECK(code(client.say("\xff\xfe")) == -32700);
  CHECK(code(client.say("3")) == -32600);
  CHECK(code(client.say("{}")) == -32600);
  CHECK(code(client.say(R"({"jsonrpc":"1.0","id":1,"method":"ping"})")) == -32600);
  CHECK(code(client.say(R"({"jsonrpc":"2.0","id":null,"method":"ping"})")) == -32600);
  CHECK(code(client.say(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})")) == -32600);
  CHECK(code(client.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]})")) ==
        -32602);
  CHECK(client.say(R"({"jsonrpc":"2.0","id":1,"result":{}})").is_null());
  CHECK(client.say(R"({"jsonrpc":"2.0","method":"notifications/unheard"})").is_null());
  CHECK(code(client.say(std::string(100'000, '['))) == -32700);
}

TEST_CASE("an unknown method and an unknown tool are errors of the protocol") {
  Client client;
  client.hello();
  CHECK(code(client.ask(1, "resources/list")) == -32601);
  CHECK(code(client.call(2, "solution", Json::object())) == -32602);
  CHECK(code(client.ask(3, "tools/call")) == -32602);
}

TEST_CASE("a message that is too long is refused with what to do") {
  Client client;
  client.hello();
  client.server.too_long(8u << 20);
  CHECK(code(client.sent.back()) == -32600);
  CHECK(client.sent.back()["error"]["message"].get<std::string>().find("8 MiB") !=
        std::string::npos);
}

TEST_CASE("batches are refused, but for the one revision that has them") {
  const auto two =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}])";
  Client client;
  client.hello();
  CHECK(code(client.say(two)) == -32600);
  Client older;
  older.hello("2025-03-26");
  const auto answers = older.say(two);
  REQUIRE(answers.is_array());
  CHECK(answers.size() == 2);
  CHECK(code(older.say("[]")) == -32600);
}

TEST_CASE("a batch's answers come together, also when a program among it was cancelled") {
  Client client;
  client.hello("2025-03-26");
  const auto batch = Json::array({{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}},
                                  {{"jsonrpc", "2.0"},
                                   {"id", 2},
                                   {"method", "tools/call"},
                                   {"params", {{"name", "run"}, {"arguments", kProgram}}}}});
  CHECK(client.say(batch.dump()).is_null());
  client.server.finished(refusal("not compiled"));
  CHECK(client.sent.back().size() == 2);
  CHECK(client.say(batch.dump()).is_null());
  client.cancel(2);
  CHECK(client.sent.back().size() == 1);
}

TEST_CASE("what a model got wrong is a result that says so, and no program is begun") {
  Client client;
  client.hello();
  const auto result = client.call(1, "run", {{"sauce", "int main() {}"}})["result"];
  CHECK(result["isError"] == true);
  CHECK_FALSE(result.contains("structuredContent"));
  CHECK(client.bench.begun.empty());
}

TEST_CASE("a program is answered when it is done, and meanwhile others wait") {
  Client client;
  client.hello();
  CHECK(client.call(1, "run", kProgram).is_null());
  CHECK(client.call(2, "run", {{"file", "a.cu"}}).is_null());
  CHECK(client.bench.begun.size() == 1);
  CHECK(client.ask(3, "ping")["result"] == Json::object());
  CHECK(code(client.call(1, "run", kProgram)) == -32600);
  client.server.finished({"words", Json{{"a", 1}}, false});
  CHECK(client.sent.back()["id"] == 1);
  CHECK(client.sent.back()["result"]["content"][0]["text"] == "words");
  CHECK(client.sent.back()["result"]["structuredContent"] == Json{{"a", 1}});
  CHECK(client.sent.back()["result"]["isError"] == false);
  CHECK(client.bench.begun.size() == 2);
}

TEST_CASE("no more than a few programs wait") {
  Client client;
  client.hello();
  for (std::size_t i = 0; i <= Server::kMostWaiting; ++i)
    CHECK(client.call(i + 1, "run", kProgram).is_null());
  CHECK(client.call(100, "run", kProgram)["result"]["isError"] == true);
}

TEST_CASE("a call that was cancelled is ended, or not begun, and has no answer") {
  Client client;
  client.hello();
  client.call(1, "run", kProgram);
  client.call(2, "run", kProgram);
  client.call(3, "run", {{"file", "three.cu"}});
  const auto before = client.sent.size();
  client.cancel(2);
  CHECK(client.bench.ended == 0);
  client.cancel(1);
  CHECK(client.bench.ended == 1);
  CHECK(client.bench.begun.size() == 2);
  CHECK(*client.bench.begun.back().file == "three.cu");
  client.cancel(77);
  CHECK(client.sent.size() == before);
}

TEST_CASE("in a class's copy no remedy is said") {
  Client client(false);
  const auto hello = client.hello();
  CHECK(hello["result"]["instructions"].get<std::string>().find("class's copy") !=
        std::string::npos);
  const auto result = client.call(1, "banks", {{"index", "32*t"}})["result"];
  CHECK(result["structuredContent"]["conflicts"] == 31);
  CHECK(result["structuredContent"]["remedies"].empty());
}

} // namespace course::cli::mcp
