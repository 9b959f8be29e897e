#include "device/model/counted.hpp"
#include "judge/counts.hpp"
#include "language/translate.hpp"
#include "report/json.hpp"
#include "report/launches/launches.hpp"
#include "report/words/message_words.hpp"

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

// Of a sample; where all blocks were executed there is nothing to say.
void add_blocks(Json& json, std::uint64_t left_out, std::uint64_t blocks) {
  if (left_out == 0) return;
  json["blocks"] = blocks;
  json["blocks_executed"] = blocks - left_out;
}

Json launch(const device::LaunchSum& sum) {
  device::Observation all;
  all.lines = sum.lines;
  all.launches = {sum.counts};
  const auto counts = judge::count(all);
  std::uint64_t wavefronts = 0, ideal = 0, loaded = 0, stored = 0, by_atomics = 0;
  device::LineCounts remote; // shared memory of other blocks
  std::uint64_t copied_in = 0, copied_out = 0, copied_between = 0, by_products = 0; // bytes
  for (const auto& line : sum.lines) {
    wavefronts += line.wavefronts;
    ideal += line.ideal;
    const auto [memory, direction] = line.kind.use();
    const bool is_remote = memory == model::Memory::remote;
    if (is_bulk(line.kind.access))
      (is_remote                             ? copied_between
       : direction == model::Direction::load ? copied_in
                                             : copied_out) += line.bytes;
    else if (!is_remote)
      by_products += line.bytes;
    else
      model::add_counts(remote, line);
    if (is_remote) continue;
    // An asynchronous copy is a store to shared memory, and its sectors are loaded.
    const bool copied = line.kind.access == model::RequestKind::cp_async;
    (copied || direction == model::Direction::load ? loaded
     : direction == model::Direction::store        ? stored
                                                   : by_atomics) += line.sectors;
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
            {"sectors", loaded + stored + by_atomics},
            {"sectors_load", loaded},
            {"sectors_store", stored},
            {"sectors_atomic", by_atomics},
            {"remote_shared_requests", remote.requests},
            {"remote_shared_sectors", remote.sectors},
            {"remote_shared_lines", remote.remote_lines},
            {"remote_shared_bytes", remote.bytes},
            {"bytes_copied_in", copied_in},
            {"bytes_copied_out", copied_out},
            {"bytes_copied_between_blocks", copied_between},
            {"bytes_of_products", by_products},
            {"replays", counts.replays}};
  report::add_totals(json, sum.counts);
  add_blocks(json, sum.left_out, sum.blocks());
  json["lines"] = Json::array();
  for (const auto& line : sum.lines) json["lines"].push_back(report::json(line));
  return json;
}

Json launch(const device::OneLaunch& one, const device::LaunchSum& of) {
  Json json{{"launch", one.kind}, // in launches[]
            {"instructions", one.instructions},
            {"shared_requests", one.shared_requests},
            {"wavefronts", one.wavefronts},
            {"ideal", one.ideal},
            {"conflicts", one.wavefronts - one.ideal},
            {"sectors", one.sectors_load + one.sectors_store + one.sectors_atomic},
            {"sectors_load", one.sectors_load},
            {"sectors_store", one.sectors_store},
            {"sectors_atomic", one.sectors_atomic},
            {"complete", !one.stopped}};
  add_blocks(json, one.left_out, of.counts.grid.count());
  return json;
}

const char* name_of(emulator::Exploration::WhyNot why) {
  constexpr const char* kNames[] = {"",
                                    "too many orders",
                                    "too many steps",
                                    "too many threads",
                                    "products of warpgroups",
                                    "asynchronous reductions",
                                    "pending counts",
                                    "cooperative",
                                    "unchecked",
                                    "stopped"};
  return kNames[static_cast<std::size_t>(why)];
}

Json all(const AllOrders& all) {
  Json json{{"complete", all.complete()}, {"orders", all.orders}};
  json["left"] = Json::array();
  for (const auto& left : all.left)
    json["left"].push_back({{"kernel", left.kernel}, {"why", name_of(left.why)}});
  return json;
}

Json event(const emulator::OrderEvent& event) {
  constexpr const char* kDoes[] = {"load", "store", "atomic"};
  const auto place = [](const device::Dim3& at) { return Json{at.x, at.y, at.z}; };
  return {{"block", place(event.block)},
          {"thread", place(event.thread)},
          {"does", kDoes[static_cast<std::size_t>(event.does)]},
          {"what", in_words(event.what)},
          {"file", event.file},
          {"line", event.line}};
}

Json orders(const OtherOrders& orders) {
  Json json{{"asked", orders.asked}, {"executed", orders.executed}};
  if (orders.all) json["all"] = all(*orders.all);
  json["otherwise"] = Json::array();
  for (const auto& order : orders.otherwise) {
    Json one{{"order", order.number}};
    if (!order.choices.empty()) one["choices"] = order.choices;
    for (const auto& each : order.events) one["events"].push_back(event(each));
    if (order.exit_code) one["exit_code"] = *order.exit_code;
    if (order.printed != order.printed_first) {
      one["printed"] = order.printed;
      one["printed_first"] = order.printed_first;
    }
    one["findings"] = Json::array();
    for (const auto& finding : order.findings) one["findings"].push_back(report::json(finding));
    json["otherwise"].push_back(std::move(one));
  }
  json["undecided"] = orders.undecided;
  return json;
}

} // namespace

nlohmann::ordered_json launch_json(const LaunchReport& report) {
  const language::InEnglish for_programs;
  Json json{{"schema", 1}, // run.schema.json
            {"program", report.program},
            {"device", report.device},
            {"banks", std::string(report.banks->name)},
            {"exit_code", report.exit_code},
            {"complete", report.stopped_by.empty()},
            {"checked", report.checked}};
  if (!report.stopped_by.empty()) json["stopped_by"] = report.stopped_by;
  if (const auto without = left_out(report)) {
    std::uint64_t blocks = 0;
    for (const auto& sum : report.launches) blocks += sum.blocks();
    add_blocks(json["sample"], without, blocks);
  }
  if (report.order) json["order"] = report.order;
  if (!report.choices.empty()) json["choices"] = report.choices;
  if (report.orders) json["orders"] = orders(*report.orders);
  json["launches"] = Json::array();
  for (const auto& sum : report.launches) json["launches"].push_back(launch(sum));
  json["each_launch"] = Json::array();
  for (const auto& one : report.each_launch)
    json["each_launch"].push_back(launch(one, report.launches.at(one.kind)));
  json["findings"] = Json::array();
  for (const auto& finding : report.findings) json["findings"].push_back(report::json(finding));
  json["errors"] = Json::array();
  for (const auto& error : report.errors)
    json["errors"].push_back(
        {{"call", error.call}, {"error", error.error}, {"why", in_words(error.why)}});
  json["unsupported"] = report.unsupported;
  json["notes"] = run_words(report.run);
  return json;
}

} // namespace course::report
