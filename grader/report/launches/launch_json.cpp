#include "judge/counts.hpp"
#include "report/json.hpp"
#include "report/launches/launches.hpp"

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

Json launch(const device::LaunchSum& sum) {
  device::Observation all;
  all.lines = sum.lines;
  all.launches = {sum.counts};
  const auto counts = judge::count(all);
  std::uint64_t wavefronts = 0, ideal = 0;
  for (const auto& line : sum.lines) {
    wavefronts += line.wavefronts;
    ideal += line.ideal;
  }
  Json json{{"kernel", sum.counts.kernel},
            {"grid", {sum.counts.grid.x, sum.counts.grid.y, sum.counts.grid.z}},
            {"block", {sum.counts.block.x, sum.counts.block.y, sum.counts.block.z}},
            {"count", sum.launches},
            {"shared_bytes", sum.counts.shared_bytes},
            {"shared_load_requests", counts.shared_loads.requests},
            {"shared_store_requests", counts.shared_stores.requests},
            {"shared_atomic_requests", counts.shared_atomics.requests},
            {"wavefronts", wavefronts},
            {"ideal", ideal},
            {"conflicts", wavefronts - ideal},
            {"sectors_load", counts.global_loads.sectors},
            {"sectors_store", counts.global_stores.sectors},
            {"replays", counts.replays},
            {"instructions", sum.counts.instructions},
            {"barriers", sum.counts.barriers},
            {"shuffles", sum.counts.shuffles},
            {"divergent_branches", sum.counts.divergent_branches}};
  json["lines"] = Json::array();
  for (const auto& line : sum.lines) json["lines"].push_back(report::json(line));
  return json;
}

} // namespace

nlohmann::ordered_json launch_json(const LaunchReport& report) {
  Json json{{"program", report.program},
            {"device", report.device},
            {"banks", std::string(model::name_of(report.banks))},
            {"exit_code", report.exit_code},
            {"complete", report.stopped_by.empty()}};
  if (!report.stopped_by.empty()) json["stopped_by"] = report.stopped_by;
  json["launches"] = Json::array();
  for (const auto& sum : report.launches) json["launches"].push_back(launch(sum));
  json["findings"] = Json::array();
  for (const auto& finding : report.findings) json["findings"].push_back(report::json(finding));
  json["errors"] = Json::array();
  for (const auto& error : report.errors)
    json["errors"].push_back({{"call", error.call}, {"error", error.error}, {"why", error.why}});
  json["unsupported"] = report.unsupported;
  json["notes"] = report.notes;
  return json;
}

} // namespace course::report
