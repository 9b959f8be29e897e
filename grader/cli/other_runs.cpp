#include "cli/other_runs.hpp"

#include "cli/heard.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fcntl.h>
#include <tuple>
#include <unistd.h>

namespace course::cli {
namespace {

using report::OtherOrder;

// A kernel that waits by looking takes more of them than the first time, and not so many.
constexpr std::uint64_t kTimesTheInstructions = 64, kAtLeast = 20'000'000;

bool is_error(const device::Finding& finding) {
  return !device::is_note(finding.kind) && finding.kind != device::FindingKind::budget;
}

bool same_place(const device::Finding& a, const device::Finding& b) {
  return std::tie(a.kind, a.file, a.line) == std::tie(b.kind, b.file, b.line);
}

bool over_budget(const device::Live& device) {
  return std::ranges::any_of(device.findings(), [](const device::Finding& finding) {
    return finding.kind == device::FindingKind::budget;
  });
}

std::vector<device::Finding> new_errors(const device::Live& device, const device::Live& first) {
  std::vector<device::Finding> errors;
  for (const auto& finding : device.findings())
    if (is_error(finding) && std::ranges::none_of(first.findings(), [&](const auto& known) {
          return same_place(known, finding);
        }))
      errors.push_back(finding);
  return errors;
}

int code_of(const runtime::LiveRun& run) {
  return run.end == runtime::LiveRun::End::signalled ? 128 + run.code : run.code;
}

void compare_printed(OtherOrder& order, const std::string& printed, const std::string& first) {
  if (printed == first) return;
  const auto lines = report::lines_of(printed), lines_first = report::lines_of(first);
  std::size_t i = 0;
  while (i < lines.size() && i < lines_first.size() && lines[i] == lines_first[i]) ++i;
  if (i < lines.size()) order.printed = lines[i];
  if (i < lines_first.size()) order.printed_first = lines_first[i];
}

bool came_otherwise(const OtherOrder& order) {
  return !order.findings.empty() || order.exit_code || order.printed != order.printed_first;
}

} // namespace

device::Order drawn_order(std::uint64_t number) {
  return {device::Order::Kind::at_liberty, number};
}

OtherRuns::OtherRuns(const FirstTime& first, runtime::LiveProgram program, emulator::Options how,
                     runtime::Stop& stop)
    : first_(first), program_(std::move(program)), how_(how), stop_(stop),
      nothing_(open("/dev/null", O_RDWR | O_CLOEXEC)),
      input_ended_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
  if (!reads_again()) program_.input = nothing_.get();
  program_.errors = nothing_.get();
  std::uint64_t instructions = 0;
  for (const auto& launch : first.device.launches()) instructions += launch.counts.instructions;
  how_.budget = kTimesTheInstructions * instructions + kAtLeast;
}

OtherRuns::~OtherRuns() {
  if (reads_again()) lseek(STDIN_FILENO, input_ended_, SEEK_SET);
}

std::optional<OtherRuns::Run> OtherRuns::run(const device::Order& of,
                                             emulator::Exploration* exploration) {
  how_.order = of;
  how_.exploration = exploration;
  if (reads_again()) lseek(STDIN_FILENO, first_.input_began, SEEK_SET);
  const auto device = emulator::make_live(how_);
  Heard heard(-1);
  program_.output = heard.output();
  const auto run = runtime::run_live(program_, *device, stop_);
  const auto& printed = heard.end();
  if (run.stopped || run.end == runtime::LiveRun::End::not_started) return std::nullopt;
  Run ran;
  ran.order.findings = new_errors(*device, first_.device);
  ran.over_budget = over_budget(*device);
  if (const int code = code_of(run); code != first_.exit_code) ran.order.exit_code = code;
  // Who asks for times gets others each time.
  if (!first_.run.read_times) compare_printed(ran.order, printed, first_.printed);
  ran.came_otherwise = came_otherwise(ran.order);
  return ran;
}

report::OtherOrders run_in_other_orders(std::uint64_t asked, const FirstTime& first,
                                        runtime::LiveProgram program, emulator::Options how,
                                        runtime::Stop& stop) {
  report::OtherOrders orders;
  orders.asked = asked;
  if (!first.device.order_matters()) return orders;
  OtherRuns runs(first, std::move(program), how, stop);
  for (std::uint64_t number = 1; number <= asked && !stop.wanted(); ++number) {
    auto ran = runs.run(drawn_order(number), nullptr);
    if (!ran) break;
    ++orders.executed;
    ran->order.number = number;
    if (ran->order.findings.empty() && ran->over_budget)
      orders.undecided.push_back(number);
    else if (ran->came_otherwise)
      orders.otherwise.push_back(std::move(ran->order));
  }
  return orders;
}

} // namespace course::cli
