// The programs that `course mcp` runs: each compiled and started in the sandbox, and executed on
// the emulated device in a process of its own with limits, which can be given up at any time.
#pragma once

#include "cli/mcp/mcp_server.hpp"
#include "cli/mcp/working_folder.hpp"
#include "system/descriptor.hpp"
#include "system/temporary_folder.hpp"

#include <chrono>
#include <optional>
#include <sys/types.h>

namespace course::cli {

class McpWork : public mcp::Bench {
public:
  // `quotes`: source lines stand beside their requests; not in a class's copy of the course.
  McpWork(mcp::WorkingFolder folder, bool quotes) : folder_(std::move(folder)), quotes_(quotes) {}
  McpWork(const McpWork&) = delete; // one process, one owner
  McpWork& operator=(const McpWork&) = delete;
  ~McpWork() override { end(); }

  // From a process of one thread.
  void begin(const mcp::ProgramAsk&) override;
  void end() override;

  bool at_work() const { return process_ > 0 || failed_; }
  int descriptor() const { return words_.get(); } // readable when there is something to look at
  // Call it when that is so, and every kLook as well: what it came to, by its end or by a limit.
  std::optional<mcp::Answer> look();
  static constexpr std::chrono::milliseconds kLook{50};

private:
  mcp::WorkingFolder folder_;
  bool quotes_;
  std::optional<system::TemporaryFolder> copies_;
  system::Descriptor words_;
  pid_t process_ = -1;
  bool failed_ = false; // to start it
  std::string so_far_;
  std::chrono::steady_clock::time_point most_;
};

} // namespace course::cli
