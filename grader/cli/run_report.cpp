#include "cli/run_report.hpp"

namespace course::cli {
namespace {

report::RunFacts facts_of(const runtime::LiveRun& run) {
  report::RunFacts facts;
  facts.read_times = run.read_times;
  facts.unseen = run.unseen;
  if (run.end == runtime::LiveRun::End::exited) facts.not_freed = run.not_freed;
  facts.bytes_not_freed = run.bytes_not_freed;
  facts.removed = run.removed;
  facts.computed = run.computed;
  facts.no_calls = run.calls == 0;
  facts.fault = run.fault;
  return facts;
}

} // namespace

report::LaunchReport report_on(const runtime::LiveRun& run, const device::Live& device,
                               const RunOf& of) {
  report::LaunchReport report;
  report.program = of.program;
  report.device = device.gpu().emulated();
  report.banks = model::architecture_named(of.banks);
  report.exit_code = of.exit_code;
  report.checked = of.checked;
  report.compiled = of.program.ends_with(".cu");
  report.launches = device.launches();
  report.each_launch = device.each_launch();
  report.findings = device.findings();
  for (const auto& error : run.errors)
    report.errors.push_back({error.call, error.error, error.why});
  report.unsupported = run.unsupported;
  report.run = facts_of(run);
  report.run.known = device.known_launches();
  return report;
}

} // namespace course::cli
