#include "cli/mcp/tool_answers.hpp"

#include "build/nvcc_messages.hpp"
#include "device/model/shared.hpp"
#include "language/translate.hpp"
#include "report/sampled_request.hpp"
#include "report/trace/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

namespace course::cli::mcp {
namespace {

constexpr report::Terminal kPage{100, false, true};
constexpr std::uint64_t kSector = 32; // bytes

// The beginning of a text, to the end of a line where there is one, and how much is left out.
std::string beginning(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  auto end = text.rfind('\n', most);
  if (end == text.npos || end < most / 2) end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end; // of UTF-8
  const auto rest = text.size() - end;
  return text.substr(0, end) + fmt::format("\n… {} bytes more are not shown\n", rest);
}

// Leaves the first `most` of a list, and says how many are gone.
void bound(Json& list, std::size_t most, Json& left_out, const char* name) {
  if (list.size() <= most) return;
  left_out[name] = list.size() - most;
  list.erase(list.begin() + static_cast<Json::difference_type>(most), list.end());
}

void bound_report(Json& report, Json& left_out) {
  bound(report["launches"], kMostLaunches, left_out, "launches");
  bound(report["each_launch"], kMostEach, left_out, "each_launch");
  bound(report["findings"], kMostFindings, left_out, "findings");
  std::size_t room = kMostLines, gone = 0;
  for (auto& launch : report["launches"]) {
    auto& lines = launch["lines"];
    const auto here = std::min(room, lines.size());
    gone += lines.size() - here;
    lines.erase(lines.begin() + static_cast<Json::difference_type>(here), lines.end());
    room -= here;
  }
  if (gone > 0) left_out["lines"] = gone;
}

// Of the kernels that were asked for; numbers in each_launch are places in launches.
report::LaunchReport of_kernels(report::LaunchReport report, const std::string& kernel) {
  if (kernel.empty()) return report;
  std::vector<std::size_t> place(report.launches.size(), SIZE_MAX);
  std::vector<device::LaunchSum> kept;
  for (std::size_t i = 0; i < report.launches.size(); ++i) {
    if (report.launches[i].counts.kernel.find(kernel) == std::string::npos) continue;
    place[i] = kept.size();
    kept.push_back(report.launches[i]);
  }
  std::vector<device::OneLaunch> each;
  for (auto one : report.each_launch) {
    if (place.at(one.kind) == SIZE_MAX) continue;
    one.kind = place[one.kind];
    each.push_back(one);
  }
  report.launches = std::move(kept);
  report.each_launch = std::move(each);
  std::erase_if(report.findings, [&](const device::Finding& finding) {
    return finding.kernel.find(kernel) == std::string::npos;
  });
  return report;
}

std::string quoted_stream(const char* title, const std::string& text) {
  return text.empty() ? ""
                      : fmt::format("\n{}:\n{}{}", title, text, text.ends_with('\n') ? "" : "\n");
}

Json dimensions(const device::Dim3& size) {
  return {size.x, size.y, size.z};
}

// ---- a line's requests

bool is_shared(const device::LineCounts& row) {
  return model::has_rule(row.kind.access, static_cast<int>(row.worst.width));
}

Json lanes_of(const device::LineCounts& row) {
  Json lanes = Json::array();
  const auto& sample = row.worst;
  std::uint64_t first = UINT64_MAX;
  for (int lane = 0; lane < model::kLanes; ++lane)
    if (sample.active >> lane & 1) first = std::min(first, sample.offset[lane] / kSector * kSector);
  for (int lane = 0; lane < model::kLanes; ++lane) {
    if ((sample.active >> lane & 1) == 0) continue;
    const auto byte = is_shared(row) ? sample.offset[lane] : sample.offset[lane] - first;
    Json one{{"lane", lane}, {"byte", byte}};
    if (is_shared(row)) {
      one["word"] = byte / model::kWordBytes;
      one["bank"] = byte / model::kWordBytes % model::kBanks;
    } else if (row.sectors > 0) {
      one["sector"] = byte / kSector;
    }
    lanes.push_back(std::move(one));
  }
  return lanes;
}

Json request_of_row(const device::LineCounts& row, const std::string& cost) {
  Json json{{"kernel", row.kernel},
            {"access", name_of(row.kind)},
            {"block", dimensions(row.worst.block)},
            {"warp", row.worst.warp},
            {"width", row.worst.width},
            {"active_lanes", std::popcount(row.worst.active)},
            {"cost", cost},
            {"requests_at_line", row.requests}};
  if (is_shared(row)) {
    const auto passes = model::shared_passes(report::request_of(row.kind, row.worst));
    json["wavefronts"] = passes.wavefronts;
    json["ideal"] = passes.ideal;
    json["conflicts"] = passes.conflicts();
    json["ways"] = passes.ways;
  }
  json["lanes"] = lanes_of(row);
  return json;
}

std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::set<std::uint32_t> lines_with_requests(const report::LaunchReport& report,
                                            const std::string& file) {
  std::set<std::uint32_t> lines;
  for (const auto& launch : report.launches)
    for (const auto& row : launch.lines)
      if (name_of_file(row.file) == file) lines.insert(row.line);
  return lines;
}

bool costs_more(const device::LineCounts& one, const device::LineCounts& other) {
  const auto weight = [](const device::LineCounts& row) {
    return row.requests == 0 ? 0.0
                             : static_cast<double>(row.conflicts() + row.sectors + row.replays) /
                                   static_cast<double>(row.requests);
  };
  return weight(one) > weight(other);
}

// The dearest row of each kernel and kind of access at the line, in the order they came.
std::vector<device::LineCounts> telling_rows(const report::LaunchReport& report,
                                             const std::string& file, std::uint32_t line) {
  std::vector<device::LineCounts> rows;
  for (const auto& launch : report.launches)
    for (const auto& row : launch.lines) {
      if (row.line != line || name_of_file(row.file) != file || row.worst.active == 0) continue;
      const auto same = std::ranges::find_if(rows, [&](const device::LineCounts& known) {
        return known.kernel == row.kernel && known.kind == row.kind;
      });
      if (same == rows.end())
        rows.push_back(row);
      else if (costs_more(row, *same))
        *same = row;
    }
  return rows;
}

std::string on_lines(const report::LaunchReport& report, const ProgramAsk& ask,
                     const std::string& file) {
  const auto lines = lines_with_requests(report, file);
  if (lines.empty())
    return fmt::format("no kernel that ran makes a request to memory in {}. Exit code {}; the tool "
                       "run says more of the program",
                       file, report.exit_code);
  return fmt::format(
      "no request to memory is made at {}:{}. There are some at lines {}: call trace "
      "with one of these",
      file, ask.line.value_or(0), fmt::join(lines, ", "));
}

} // namespace

Answer refusal(const std::string& what) {
  return {beginning(what, kMostText), nullptr, true};
}

Answer run_answer(const report::LaunchReport& whole, const ProgramAsk& ask,
                  const Printed& printed) {
  const language::InEnglish for_programs;
  const auto report = of_kernels(whole, ask.kernel);
  const auto out = beginning(build::plain_text(printed.out), kMostPrinted);
  const auto err = beginning(build::plain_text(printed.err), kMostPrinted);
  auto text = report::launch_text(report, kPage);
  if (report.exit_code != 0)
    text += fmt::format("\nThe program's exit code is {}.\n", report.exit_code);
  text = beginning(std::move(text), kMostText) + quoted_stream("It printed", out) +
         quoted_stream("And on standard error", err);
  Json left_out = Json::object();
  auto json = report::launch_json(report);
  bound_report(json, left_out);
  return {std::move(text),
          {{"report", std::move(json)}, {"stdout", out}, {"stderr", err}, {"left_out", left_out}},
          false};
}

Answer trace_answer(const report::LaunchReport& whole, const ProgramAsk& ask,
                    const std::string& file, std::string_view source) {
  const language::InEnglish for_programs;
  const auto report = of_kernels(whole, ask.kernel);
  const auto name = name_of_file(file);
  const auto line = ask.line.value_or(0);
  const auto rows = telling_rows(report, name, line);
  if (rows.empty()) return refusal(on_lines(report, ask, name));
  Json requests = Json::array();
  std::string text;
  for (const auto& row : rows) {
    const device::WatchedRequest watched{
        0, row.kernel, row.kind, row.bytes / std::max<std::uint64_t>(row.requests, 1), row.worst};
    const auto steps = report::steps_of({watched});
    requests.push_back(request_of_row(row, steps.empty() ? "" : steps.front().cost));
    const report::Trace trace{name, line, source, row.worst.block, row.worst.warp, {watched}, 1};
    text += (text.empty() ? "" : "\n") + report::trace_text(trace, kPage);
  }
  Json left_out = Json::object();
  bound(requests, kMostLaunches, left_out, "requests");
  return {beginning(std::move(text), kMostText),
          {{"file", name},
           {"line", line},
           {"device", report.device},
           {"complete", report.stopped_by.empty()},
           {"requests", std::move(requests)},
           {"left_out", left_out}},
          false};
}

Answer banks_answer(const Question& question) {
  const language::InEnglish for_programs;
  const auto facts = served(question);
  if (const auto* refused = std::get_if<Refusal>(&facts)) return refusal(refused->message);
  const auto& [request, passes, remedies] = std::get<Served>(facts);
  Json lanes = Json::array();
  for (int lane = 0; lane < model::kLanes; ++lane)
    if (request.active >> lane & 1)
      lanes.push_back({{"lane", lane},
                       {"byte", request.offset[lane]},
                       {"bank", model::bank_of(*question.architecture, request.offset[lane])}});
  Json json{{"device", std::string(question.architecture->name)},
            {"wavefronts", passes.wavefronts},
            {"ideal", passes.ideal},
            {"conflicts", passes.conflicts()},
            {"ways", passes.ways},
            {"lanes", std::move(lanes)},
            {"remedies", Json::array()}};
  for (const auto& remedy : remedies)
    json["remedies"].push_back({{"layout", remedy.text},
                                {"wavefronts", remedy.after.wavefronts},
                                {"conflicts", remedy.after.conflicts()}});
  return {std::get<std::string>(answer(question)), std::move(json), false};
}

std::string to_text(const Answer& answer) {
  return Json{{"text", answer.text}, {"structured", answer.structured}, {"error", answer.error}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer answer_of(std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("structured") ||
      !json.value("text", Json()).is_string() || !json.value("error", Json()).is_boolean())
    return refusal("the program's run came to nothing; call again, or with fewer launches");
  return {json["text"].get<std::string>(), json["structured"], json["error"].get<bool>()};
}

} // namespace course::cli::mcp
