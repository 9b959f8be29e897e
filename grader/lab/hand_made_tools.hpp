// Tools of grading staged for tests: no compiler, no process, no device behind them.
//
// The "compiler" accepts everything, the "recording" holds one launch, and the "device" turns the
// matrix on the host and counts what a padded tile would. A test changes what it wants to see fail.
#pragma once

#include "lab/grade.hpp"

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

// The rows and columns that a launcher was called with, as a launch carries them.
inline device::Bytes side_by_side(const runtime::Call& call) {
  device::Bytes bytes(2 * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t bits = call.arguments[2 + i].bits;
    std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return bytes;
}

struct Stage : device::Device, device::Follower {
  std::uint64_t ways = 1;                 // of the column read
  bool writes = true;                     // false: the kernel does nothing
  std::set<device::Order::Kind> wrong_in; // nor do several blocks in such an order
  bool keeps = false; // what a process did at the first call stays: the second does nothing
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
  runtime::Call last;
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
      last = call;
      auto made = recording;
      for (auto& step : made.plan.steps) {
        auto* launch = std::get_if<device::Launch>(&step);
        if (launch && call.arguments.size() > 3) launch->arguments = side_by_side(call);
      }
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
    std::array<std::uint64_t, 2> shape{last.arguments[2].bits, last.arguments[3].bits};
    if (const auto* launch = std::get_if<device::Launch>(&job.plan.steps.at(0));
        launch && launch->arguments.size() == sizeof shape)
      std::memcpy(shape.data(), launch->arguments.data(), sizeof shape);
    const auto [rows, cols] = shape;
    const auto units = rows * cols / 32;
    device::LaunchCounts launch;
    launch.grid.x = static_cast<std::uint32_t>(rows * cols / 1024);
    launch.block.x = 256;
    launch.instructions = repeats * 30 * units;
    observed.launches = {launch};
    if (keeps && std::holds_alternative<device::Upload>(job.plan.steps.at(0))) return observed;
    if (!writes || (launch.grid.x > 1 && wrong_in.contains(job.order.kind))) return observed;
    for (std::uint64_t i = 0; i < rows * cols; ++i)
      std::memcpy(observed.buffers[0].data() + 4 * (i % cols * rows + i / cols),
                  job.buffers[1].bytes.data() + 4 * i, 4);
    observed.lines = {
        row(22, "global_load_4", units, 4 * units, 0), row(22, "shared_store_4", units, 0, 1),
        row(29, "shared_load_4", units, 0, ways), row(29, "global_store_4", units, 4 * units, 0)};
    observed.lines.insert(observed.lines.end(), more.begin(), more.end());
    return observed;
  }
};

} // namespace course::lab::hand_made
