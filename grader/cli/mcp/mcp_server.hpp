// What `course mcp` answers: the Model Context Protocol, from message to messages.
//
// It was written by revision 2025-06-18; clients of the two before it are answered in theirs.
// Nothing is read, written or run here: that is the bench's and the sender's. One program is at
// work at a time, a few wait.
#pragma once

#include "cli/mcp/ask.hpp"
#include "cli/mcp/tool_answers.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace course::cli::mcp {

// Where programs are run, one at a time, while the server listens.
class Bench {
public:
  virtual ~Bench() = default;
  // Server::finished() is told when it has come to its end.
  virtual void begin(const ProgramAsk&) = 0;
  // Ends what was begun last, and nobody is told.
  virtual void end() = 0;
};

class Server {
public:
  struct Settings {
    std::string version;  // of the grader
    bool advises = true;  // what would fix an access is said; not in a class's copy of the course
    std::string folder{}; // where files are, for what is said of it
  };
  using Send = std::function<void(const Json& message)>;

  Server(Settings settings, Bench& bench, Send send)
      : settings_(std::move(settings)), bench_(bench), send_(std::move(send)) {}

  // A message of the client's, whatever bytes it is.
  void receive(const std::string& message);
  // One came that had more bytes than any may have.
  void too_long(std::size_t most);

  // The program that was begun last is done.
  void finished(const Answer&);

  static constexpr std::size_t kMostWaiting = 8;

private:
  struct Call {
    Json id;
    ProgramAsk ask;
  };
  // Those of a batch, which only revision 2025-03-26 has, are sent together.
  struct Batch {
    std::vector<Json> open; // ids that have no answer yet
    Json answers = Json::array();
  };

  void take_batch(const Json& messages);
  void take(const Json& message);
  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  Json initialize(const Json& params);
  void call(const Json& id, const Json& params);
  void cancel(const Json& id);
  void go_on();

  void respond(const Json& id, Json result);
  void refuse(const Json& id, int code, const std::string& what);
  void answer(const Json& id, const Answer&);
  void send(const Json& id, Json message);
  bool is_open(const Json& id) const;

  Settings settings_;
  Bench& bench_;
  Send send_;
  std::string revision_; // empty before it was negotiated
  std::optional<Call> at_work_;
  std::deque<Call> waiting_;
  std::vector<Batch> batches_;
};

} // namespace course::cli::mcp
