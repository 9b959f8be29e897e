// Tools of grading staged for tests: no compiler, no process, no device behind them.
//
// The "compiler" accepts everything, the "recording" holds one launch, and the "device" turns the
// matrix on the host and counts what a padded tile would. A test changes what it wants to see fail.
#pragma once

#include "lab/grade.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

namespace course::lab::hand_made {

inline device::LineCounts row(std::uint32_t line, const std::string& access, std::uint64_t units,
                              std::uint64_t sectors, std::uint64_t passes) {
  device::LineCounts counts;
  counts.kernel = "transpose_tile";
  counts.file = "/tmp/scratch/2_pad.cu";
  counts.line = line;
  counts.kind = model::kind_of(access).value();
  counts.requests = units;
  counts.sectors = sectors;
  counts.wavefronts = passes * units;
  counts.ideal = passes ? units : 0;
  return counts;
}

// What a launcher was called with, as a launch carries it: out, in, rows, columns.
using Arguments = std::array<std::uint64_t, 4>;
inline device::Bytes side_by_side(const std::vector<runtime::Call::Value>& values) {
  device::Bytes bytes(sizeof(Arguments));
  for (std::size_t i = 0; i < Arguments{}.size(); ++i)
    std::memcpy(bytes.data() + i * sizeof values[i].bits, &values[i].bits, sizeof values[i].bits);
  return bytes;
}

// The bytes at an address, among those that a job begins with.
inline std::byte* bytes_at(const device::Job& job, std::vector<device::Bytes>& now,
                           device::Address address) {
  for (std::size_t i = 0; i < now.size(); ++i)
    if (address >= job.buffers[i].address && address - job.buffers[i].address < now[i].size())
      return now[i].data() + (address - job.buffers[i].address);
  return nullptr;
}

struct Stage : device::Device, device::Follower {
  std::uint64_t ways = 1;                 // of the column read
  bool writes = true;                     // false: the kernel does nothing
  std::set<device::Order::Kind> wrong_in; // nor do several blocks in such an order
  bool again = false;                     // it can be called more than once in a process
  std::size_t keeps = 0; // calls, where there are several: what comes later does nothing
  device::Way came = device::way::stored; // all values
  bool order_matters = false;
  std::uint64_t repeats = 1;               // of every instruction
  std::vector<device::Finding> at_liberty; // more that an execution in a drawn order ends with
  std::vector<device::Finding> ends;       // each execution ends with these
  std::vector<device::LineCounts> more;    // rows that each execution has besides
  std::string refuses;                     // a reason: the device cannot execute it
  runtime::Recording recording;
  std::vector<std::string> functions{"transpose(float*, float const*, int, int)"};
  std::optional<build::Rejected> rejected;
  int compilations = 0, recordings = 0, executions = 0;
  runtime::Call last, several; // the last call by itself, and the last behind others
  std::filesystem::path file;

  explicit Stage(const std::string& text = "int x;\n") {
    recording.plan.steps = {device::Launch{}};
    file = std::filesystem::temp_directory_path() / ("staged_" + std::to_string(::getpid()));
    std::filesystem::create_directory(file);
    file /= "2_pad.cu";
    std::ofstream(file) << text;
  }
  ~Stage() override { std::filesystem::remove_all(file.parent_path()); }

  std::string name() const override { return "staged device"; }

  Tools tools() {
    Tools tools;
    tools.device = this;
    tools.follower = this;
    tools.means.device = name();
    tools.compile = [this](const std::filesystem::path&) -> Tools::CompileResult {
      ++compilations;
      if (rejected) return *rejected;
      build::Compiled built;
      built.functions = functions;
      built.modules.emplace_back();
      return built;
    };
    tools.record = [this](const build::Compiled&, const runtime::Call& call) {
      ++recordings;
      (call.before.empty() ? last : several) = call;
      auto made = recording;
      if (call.arguments.size() < 4) return made;
      made.plan.steps.clear();
      const auto add = [&](const std::vector<runtime::Call::Value>& arguments) {
        for (auto step : recording.plan.steps) {
          if (auto* launch = std::get_if<device::Launch>(&step))
            launch->arguments = side_by_side(arguments);
          made.plan.steps.push_back(std::move(step));
        }
      };
      for (std::size_t i = 0; again && i < call.before.size(); ++i) {
        add(call.before[i]);
        made.ends.push_back(made.plan.steps.size());
      }
      add(call.arguments);
      return made;
    };
    return tools;
  }

  device::Followed follow(const device::Job& job) override {
    device::Followed all;
    for (const auto& buffer : job.buffers) all.ways.emplace_back(buffer.bytes.size(), came);
    return all;
  }

  device::Observation execute(const device::Job& job) override {
    ++executions;
    device::Observation observed;
    observed.findings = ends;
    observed.order_matters = order_matters;
    if (job.order.kind == device::Order::Kind::at_liberty)
      observed.findings.insert(observed.findings.end(), at_liberty.begin(), at_liberty.end());
    if (!refuses.empty()) {
      observed.status = device::Observation::Status::unsupported;
      observed.reason = refuses;
      return observed;
    }
    for (const auto& finding : ends) {
      if (finding.fatal) observed.status = device::Observation::Status::failed;
    }
    for (const auto& buffer : job.buffers) observed.buffers.push_back(buffer.bytes);
    const auto [out, in, rows, cols] = called_with(job.plan.steps.back());
    const auto units = rows * cols / 32;
    device::LaunchCounts launch;
    launch.grid.x = static_cast<std::uint32_t>(rows * cols / 1024);
    launch.block.x = 256;
    launch.instructions = repeats * 30 * units;
    observed.launches = {launch};
    if (!writes || (launch.grid.x > 1 && wrong_in.contains(job.order.kind))) return observed;
    do_steps(job, observed.buffers);
    observed.lines = {
        row(22, "global_load_4", units, 4 * units, 0), row(22, "shared_store_4", units, 0, 1),
        row(29, "shared_load_4", units, 0, ways), row(29, "global_store_4", units, 4 * units, 0)};
    observed.lines.insert(observed.lines.end(), more.begin(), more.end());
    return observed;
  }

private:
  // Or as the last call was recorded, where a launch does not say.
  Arguments called_with(const device::Step& step) const {
    Arguments with{};
    const auto* launch = std::get_if<device::Launch>(&step);
    const auto bytes = launch && launch->arguments.size() == sizeof with
                           ? launch->arguments
                           : side_by_side(last.arguments);
    std::memcpy(with.data(), bytes.data(), sizeof with);
    return with;
  }

  void do_steps(const device::Job& job, std::vector<device::Bytes>& now) const {
    std::size_t launches = 0;
    for (const auto& step : job.plan.steps) {
      if (const auto* upload = std::get_if<device::Upload>(&step))
        std::ranges::copy(upload->bytes, bytes_at(job, now, upload->to));
      if (!std::holds_alternative<device::Launch>(step) || (keeps && launches++ >= keeps)) continue;
      const auto [out, in, rows, cols] = called_with(step);
      for (std::uint64_t i = 0; i < rows * cols; ++i)
        std::memcpy(bytes_at(job, now, out + 4 * (i % cols * rows + i / cols)),
                    bytes_at(job, now, in + 4 * i), 4);
    }
  }
};

} // namespace course::lab::hand_made
