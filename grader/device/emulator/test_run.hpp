// For tests and benchmarks: runs kernels of one PTX file on the emulated device.
#pragma once

#include "device/code/inspect/display_name.hpp"
#include "device/emulator/emulator.hpp"
#include "device/model/counted.hpp"
#include "device/spelled.hpp"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::emulator {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no file " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// PTX of a kernel file of the tests (cmake/Kernels.cmake).
inline std::string ptx_of(const std::string& name) {
  return read_file(COURSE_BINARY_DIR "/kernels/" + name + ".ptx");
}

// A job under construction. Buffers lie 2 MiB apart or more.
class TestRun {
public:
  // `ptx`: the text, or NAME.ptx of the NAME.cu in data/.
  explicit TestRun(std::string ptx) {
    std::string source; // beside it, for the names of its arrays' elements
    if (ptx.ends_with(".ptx")) {
      const auto name = ptx.substr(0, ptx.size() - 4);
      source = read_file(COURSE_SOURCE_DIR "/grader/device/emulator/data/" + name + ".cu");
      ptx = ptx_of(name);
    }
    job.modules.push_back({std::move(ptx), {}, std::move(source)});
  }

  template <typename T>
  device::Address buffer(const std::string& name, const std::vector<T>& contents,
                         bool initialised = true) {
    device::Buffer made{name, next_, device::Bytes(contents.size() * sizeof(T)), initialised};
    if (!contents.empty()) std::memcpy(made.bytes.data(), contents.data(), made.bytes.size());
    next_ += (made.bytes.size() / (2u << 20) + 1) * (2u << 20);
    job.buffers.push_back(std::move(made));
    return job.buffers.back().address;
  }

  // `kernel`: as display_name gives it. Arguments are laid out as CUDA lays out parameters.
  template <typename... Arguments>
  TestRun& launch(const std::string& kernel, device::Dim3 grid, device::Dim3 block,
                  std::uint32_t dynamic_shared, Arguments... arguments) {
    device::Launch step;
    step.kernel = mangled(kernel);
    step.grid = grid;
    step.block = block;
    step.dynamic_shared = dynamic_shared;
    [[maybe_unused]] const auto append = [&](auto argument) {
      const std::size_t size = sizeof argument;
      step.arguments.resize((step.arguments.size() + size - 1) / size * size + size);
      std::memcpy(step.arguments.data() + step.arguments.size() - size, &argument, size);
    };
    (append(arguments), ...);
    job.plan.steps.push_back(std::move(step));
    return *this;
  }

  const device::Observation& run(const Options& options = {}) {
    seen = make_device(options)->execute(job);
    return seen;
  }

  // Contents of a buffer after the run, by the order of buffer().
  template <typename T>
  std::vector<T> result(std::size_t index) const {
    const device::Bytes& bytes = seen.buffers.at(index);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  // The counts of one kind of access, over all lines.
  device::LineCounts counts(const std::string& access) const {
    device::LineCounts sum;
    for (const device::LineCounts& line : seen.lines) {
      if (name_of(line.kind) != access) continue;
      model::add_counts(sum, line);
    }
    return sum;
  }

  // Why it was not completed, as facts; empty where it was.
  std::string why() const { return device::spelled(seen.reason); }

  // Findings as lines: "race 12 (other 15): …".
  std::string findings() const {
    std::string all;
    for (const device::Finding& finding : seen.findings)
      all += std::string(device::name(finding.kind)) + " line " + std::to_string(finding.line) +
             (finding.other_line ? " and " + std::to_string(finding.other_line) : "") + ": " +
             device::spelled(finding.message) + "\n";
    return all;
  }
  // All that was seen, to be compared with what was seen at another time: findings with whom they
  // name and how often, counts, outputs.
  std::string everything() const {
    std::stringstream all;
    const auto place = [&all](const char* what, const device::Dim3& at) {
      all << ' ' << what << ' ' << at.x << ',' << at.y << ',' << at.z;
    };
    for (const device::Finding& one : seen.findings) {
      all << "finding " << device::name(one.kind) << ' ' << static_cast<int>(one.meeting) << ' '
          << one.kernel << ' ' << one.file << ':' << one.line << ',' << one.other_line;
      for (const std::uint32_t line : one.called_from) all << " from " << line;
      place("block", one.block);
      place("thread", one.thread);
      all << " times " << one.count << (one.fatal ? " fatal" : "")
          << (one.survived ? " survived" : "") << ": " << device::spelled(one.message) << '\n';
    }
    all << "status " << static_cast<int>(seen.status) << ' ' << why() << '\n'
        << "order matters " << seen.order_matters << '\n'
        << seen.printed << '\n';
    for (const device::LineCounts& one : seen.lines) {
      all << "line " << one.kernel << ' ' << one.line << ' ' << name_of(one.kind);
#define COURSE_COUNT(member, word, leave_out, of) all << ' ' << one.member;
#include "device/model/counts.def"
      place("worst", one.worst.block);
      all << " warp " << one.worst.warp << '\n';
    }
    for (const device::LaunchCounts& one : seen.launches)
      all << "launch " << one.kernel << ' ' << one.instructions << ' ' << one.barriers << '\n';
    for (const device::Bytes& buffer : seen.buffers)
      all << std::hash<std::string_view>()(
                 {reinterpret_cast<const char*>(buffer.data()), buffer.size()})
          << '\n';
    return all.str();
  }
  bool found(device::FindingKind kind) const {
    for (const device::Finding& finding : seen.findings)
      if (finding.kind == kind) return true;
    return false;
  }

  device::Job job;
  device::Observation seen;

private:
  std::string mangled(const std::string& kernel) const {
    const std::string& text = job.modules[0].ptx;
    for (std::size_t at = text.find(".entry "); at != std::string::npos;
         at = text.find(".entry ", at + 1)) {
      const std::size_t begin = at + 7;
      const std::string name = text.substr(begin, text.find_first_of("( \n", begin) - begin);
      if (code::display_name(name) == kernel) return name;
    }
    return kernel;
  }

  device::Address next_ = 0x10'0000'0000;
};

} // namespace course::emulator
