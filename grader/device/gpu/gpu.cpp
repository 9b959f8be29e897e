#include "device/gpu/gpu.hpp"

#include "device/gpu/beyond_banks.hpp"
#include "device/gpu/fold.hpp"
#include "device/gpu/known_kernel.hpp"
#include "device/gpu/source_map.hpp"
#include "device/gpu/spare_worker.hpp"
#include "device/gpu/turn_at_totals.hpp"
#include "device/gpu/worker_process.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <future>
#include <utility>

namespace course::gpu {
namespace {

using device::Observation;

std::filesystem::path worker_of(const Options& options) {
  if (!options.worker.empty()) return options.worker;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return self.parent_path() / "course_gpu_worker";
}

// One command to a worker of its own. The worker is returned too, for what it printed.
struct Asked {
  std::variant<Answer, WorkerFailure> answer;
  std::string printed;
};
Asked ask_once(const Options& options, const Command& command, std::chrono::milliseconds limit) {
  const TurnAtTotals turn(command);
  auto started = WorkerProcess::start(worker_of(options));
  if (auto* failure = std::get_if<WorkerFailure>(&started)) return {std::move(*failure), ""};
  auto& worker = std::get<WorkerProcess>(started);
  auto answer = worker.ask(command, limit);
  return {std::move(answer), worker.printed()};
}

std::uint32_t launches_in(const device::Plan& plan) {
  return static_cast<std::uint32_t>(
      std::count_if(plan.steps.begin(), plan.steps.end(), [](const device::Step& step) {
        return std::holds_alternative<device::Launch>(step);
      }));
}

const device::Launch* nth_launch(const device::Plan& plan, std::uint32_t n) {
  for (const auto& step : plan.steps) {
    const auto* launch = std::get_if<device::Launch>(&step);
    if (launch && n-- == 0) return launch;
  }
  return nullptr;
}

std::string seconds_text(std::chrono::milliseconds limit) {
  auto text = std::to_string(static_cast<double>(limit.count()) / 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

device::Finding endless(device::Message message) {
  device::Finding finding;
  finding.kind = device::FindingKind::budget;
  finding.message = std::move(message);
  finding.fatal = true;
  return finding;
}

// What came of one worker, as an execution that stopped somewhere.
Executed executed_of(Asked asked, const Options& options) {
  if (auto* answer = std::get_if<Answer>(&asked.answer)) {
    if (auto* executed = std::get_if<Executed>(answer)) return std::move(*executed);
  }
  Executed result;
  result.status = Observation::Status::failed;
  if (auto* failure = std::get_if<WorkerFailure>(&asked.answer)) {
    result.reason = failure->reason;
    if (failure->kind == WorkerFailure::Kind::late) {
      result.findings.push_back(endless(
          device::Message(device::MessageId::gpu_did_not_end, seconds_text(options.limit))));
    }
  } else if (auto* refused = std::get_if<Refused>(&std::get<Answer>(asked.answer))) {
    result.status = Observation::Status::unsupported;
    result.reason = refused->reason;
  } else {
    result.reason = "the GPU worker answered another question";
  }
  return result;
}

Observation observation_of(Executed executed, std::string printed) {
  Observation result;
  result.status = executed.status;
  result.reason = std::move(executed.reason);
  result.buffers = std::move(executed.buffers);
  result.launches = std::move(executed.launches);
  result.findings = std::move(executed.findings);
  result.printed = std::move(printed);
  return result;
}

class Gpu : public device::Device {
public:
  Gpu(Options options, std::string gpu) : options_(std::move(options)), gpu_(std::move(gpu)) {}

  std::string name() const override { return gpu_; }

  Observation execute(const device::Job& job) override {
    const std::uint32_t launches = launches_in(job.plan);
    std::string not_counted;
    if (!options_.count) {
      not_counted = "counting was not asked for";
    } else if (launches > options_.most_counted_launches) {
      not_counted = "the plan has " + std::to_string(launches) +
                    " launches, and each is counted in a process of its own";
    } else if (launches > 0) {
      Observation counted;
      for (const auto way : {Counting::per_instruction, Counting::totals}) {
        if (way == Counting::per_instruction && options_.totals_only) continue;
        if (count(job, launches, way, counted)) return counted;
        if (not_counted.empty()) not_counted = counted.counted_by;
        if (has_no_end(counted)) break; // it may end when nothing counts, which slows it down
      }
    }
    return plainly(job, not_counted);
  }

private:
  // Without any counting: also what tells of a kernel that fails, where counting may change how.
  Observation plainly(const device::Job& job, const std::string& not_counted) {
    Asked asked = ask_once(options_, Execute{job, Counting::none, 0, true}, options_.limit);
    std::string printed = asked.printed;
    Observation result =
        observation_of(executed_of(std::move(asked), options_), std::move(printed));
    result.counted_by = "not counted: " + not_counted;
    return result;
  }

  // A worker for each launch; the last one's goes on to the end and brings the outputs. False, with
  // the reason in `counted_by` and what was found, when a launch failed or was not counted.
  bool count(const device::Job& job, std::uint32_t launches, Counting way, Observation& result) {
    std::vector<Executed> executed(launches);
    result = Observation();
    std::string printed;
    const std::uint32_t at_once = std::max(1u, options_.workers_at_once);
    for (std::uint32_t first = 0; first < launches; first += at_once) {
      const std::uint32_t end = std::min(launches, first + at_once);
      std::vector<std::future<Asked>> asked;
      for (std::uint32_t launch = first; launch < end; ++launch) {
        asked.push_back(std::async(std::launch::async, [&, launch] {
          return ask_once(options_, Execute{job, way, launch, launch + 1 == launches},
                          options_.limit);
        }));
      }
      bool all = true;
      for (std::uint32_t launch = first; launch < end; ++launch) {
        Asked got = asked[launch - first].get();
        if (launch + 1 == launches) printed = got.printed;
        executed[launch] = executed_of(std::move(got), options_);
        const auto& one = executed[launch];
        if (all && (one.status != Observation::Status::completed || one.counted_by.empty() ||
                    one.launches.size() <= launch)) {
          result.counted_by = one.not_counted.empty() ? one.reason : one.not_counted;
          result.findings = one.findings;
          all = false;
        }
      }
      if (!all) return false;
    }

    std::vector<InstructionCounts> instructions;
    for (std::uint32_t launch = 0; launch + 1 < launches; ++launch)
      executed.back().launches[launch] = executed[launch].launches[launch];
    for (std::uint32_t launch = 0; launch < launches; ++launch) {
      auto& one = executed[launch];
      describe(job, launch, one, executed.back().launches[launch]);
      std::move(one.instructions.begin(), one.instructions.end(), std::back_inserter(instructions));
    }
    if (way == Counting::per_instruction) add_remote_totals(job, instructions);
    if (options_.join_atomic_loops) join_atomic_loops(instructions);
    const std::string counted_by = executed.back().counted_by;
    result = observation_of(std::move(executed.back()), std::move(printed));
    result.lines = fold(instructions);
    result.counted_by = counted_by;
    return true;
  }

  // Of other blocks' shared memory no counter of instructions has sectors, lines and bytes: they
  // are totals of the launch, and belong to no line. Left out where they cannot be counted.
  void add_remote_totals(const device::Job& job, std::vector<InstructionCounts>& instructions) {
    const bool any = std::any_of(instructions.begin(), instructions.end(),
                                 [](const auto& one) { return one.beyond.remote > 0; });
    std::vector<InstructionCounts> totals;
    for (std::uint32_t launch = 0; any && launch < launches_in(job.plan); ++launch) {
      std::uint32_t first = 0;
      do {
        Execute request{job, Counting::remote_totals, launch, false, first};
        auto counted = executed_of(ask_once(options_, request, options_.limit), options_);
        if (counted.counted_by.empty()) return;
        std::move(counted.instructions.begin(), counted.instructions.end(),
                  std::back_inserter(totals));
        first = counted.next_total;
      } while (first != 0);
    }
    std::move(totals.begin(), totals.end(), std::back_inserter(instructions));
  }

  // What the worker's instructions are, and what of them is told for the launch as a whole.
  static void describe(const device::Job& job, std::uint32_t launch, Executed& executed,
                       device::LaunchCounts& totals) {
    if (executed.image.empty()) return; // totals have no instructions
    const auto* step = nth_launch(job.plan, launch);
    const bool known = step && step->module < job.modules.size();
    const std::string ptx = known ? job.modules[step->module].ptx : "";
    const SourceMap map(executed.image, ptx);
    for (auto& counts : executed.instructions) {
      map.describe(counts);
      if (counts.does == InstructionCounts::Does::barrier) totals.barriers += counts.executed;
      if (counts.does == InstructionCounts::Does::shuffle) totals.shuffles += counts.executed;
    }
  }

  Options options_;
  std::string gpu_;
};

// A worker as what runs the pairs.
class WorkerRunner : public PairRunner {
public:
  WorkerRunner(WorkerProcess& worker, std::chrono::milliseconds limit)
      : worker_(worker), limit_(limit) {}

  std::optional<std::string> prepare(Side side, std::uint64_t seed) override {
    auto asked = ask<Done>(Command(Prepare{side, seed}));
    if (auto* error = std::get_if<std::string>(&asked)) return *error;
    return {};
  }
  std::variant<double, std::string> run(Side) override {
    auto asked = ask<Seconds>(Command(RunTimed{}));
    if (auto* error = std::get_if<std::string>(&asked)) return *error;
    return std::get<Seconds>(asked).value;
  }
  std::variant<Different, std::string> compare(std::uint64_t seed) override {
    return ask<Different>(Command(CompareOutputs{seed}));
  }
  std::variant<device::Bytes, std::string> read() override {
    auto asked = ask<Output>(Command(ReadOutput{}));
    if (auto* error = std::get_if<std::string>(&asked)) return *error;
    return std::move(std::get<Output>(asked).bytes);
  }
  double now() override {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
  }

  // A command, or one that is encoded already.
  template <class Wanted, class Asked>
  std::variant<Wanted, std::string> ask(const Asked& command) {
    auto answer = worker_.ask(command, limit_);
    if (auto* failure = std::get_if<WorkerFailure>(&answer)) return failure->reason;
    auto& answered = std::get<Answer>(answer);
    if (auto* wanted = std::get_if<Wanted>(&answered)) return std::move(*wanted);
    if (auto* refused = std::get_if<Refused>(&answered)) return refused->reason;
    return "the GPU worker answered another question";
  }

private:
  WorkerProcess& worker_;
  std::chrono::milliseconds limit_;
};

std::string version_text(int version) { // 13000 is CUDA 13.0
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

std::variant<std::unique_ptr<device::Device>, std::string> make_device(const Options& options) {
  auto described = described_worker(worker_of(options), options.limit);
  if (auto* why = std::get_if<std::string>(&described)) return *why;
  auto& [worker, description] = std::get<DescribedWorker>(described);
  keep_for_next(worker_of(options), std::move(worker));
  return std::make_unique<Gpu>(options, description.gpu);
}

std::variant<Ability, std::string> ability(const Options& options) {
  auto described = described_worker(worker_of(options), options.limit);
  if (auto* why = std::get_if<std::string>(&described)) return *why;
  auto& [worker, about] = std::get<DescribedWorker>(described);
  keep_for_next(worker_of(options), std::move(worker));
  return Ability{about.gpu, 10 * about.major + about.minor, about.shared_a_block, about.memory};
}

Observation not_executed() {
  Observation result;
  result.status = Observation::Status::failed;
  result.findings.push_back(endless(device::Message(device::MessageId::gpu_not_executed)));
  result.reason = result.findings.back().message;
  result.counted_by = "not counted: not executed";
  return result;
}

bool has_no_end(const Observation& seen) {
  return std::any_of(
      seen.findings.begin(), seen.findings.end(),
      [](const device::Finding& finding) { return finding.kind == device::FindingKind::budget; });
}

std::vector<Observation> execute_in_turn(const std::vector<device::Job>& jobs,
                                         const Options& options) {
  std::vector<Observation> result;
  std::optional<WorkerProcess> worker;
  std::size_t printed = 0; // what the worker had printed before a job
  for (const auto& job : jobs) {
    Asked asked;
    if (!worker) {
      auto started = WorkerProcess::start(worker_of(options));
      if (auto* failure = std::get_if<WorkerFailure>(&started)) {
        asked.answer = std::move(*failure);
      } else {
        worker.emplace(std::move(std::get<WorkerProcess>(started)));
        printed = 0;
      }
    }
    if (worker) {
      asked.answer = worker->ask(Execute{job, Counting::none, 0, true}, options.limit);
      const auto all = worker->printed();
      asked.printed = all.substr(std::min(printed, all.size()));
      printed = all.size();
    }
    std::string words = asked.printed;
    result.push_back(observation_of(executed_of(std::move(asked), options), std::move(words)));
    result.back().counted_by = "not counted: counting was not asked for";
    if (result.back().status != Observation::Status::completed) worker.reset();
    if (has_no_end(result.back())) break;
  }
  while (result.size() < jobs.size()) result.push_back(not_executed());
  return result;
}

TimedPair time_pair(const TimedWork& work, const TimingOptions& timing, const Options& options) {
  TimedPair result;
  auto described = described_worker(worker_of(options), options.limit);
  if (auto* why = std::get_if<std::string>(&described)) {
    result.times.error = *why;
    return result;
  }
  auto& [worker, description] = std::get<DescribedWorker>(described);
  WorkerRunner runner(worker, options.limit);

  auto rate = runner.ask<BytesPerSecond>(Command(MeasureCopyRate{}));
  auto opened = runner.ask<Done>(encode_opening(work));
  for (const std::string* error :
       {std::get_if<std::string>(&rate), std::get_if<std::string>(&opened)}) {
    if (!error) continue;
    result.times.error = *error;
    return result;
  }
  result.bytes_per_second = std::get<BytesPerSecond>(rate).value;
  result.before = conditions(description.pci, {worker.id()});
  result.times = time_pairs(runner, timing);
  result.after = conditions(description.pci, {worker.id()});
  result.floor = floor_seconds(timing, result.bytes_per_second, description.l2);
  result.below_floor = !result.times.student.empty() && result.times.student_median < result.floor;
  return result;
}

GpuStatus status(const Options& options) {
  GpuStatus result;
  auto asked = ask_once(options, Describe{}, options.limit);
  if (auto* failure = std::get_if<WorkerFailure>(&asked.answer)) {
    result.reason = failure->reason;
    return result;
  }
  auto& answer = std::get<Answer>(asked.answer);
  if (auto* refused = std::get_if<Refused>(&answer)) result.reason = refused->reason;
  const auto* description = std::get_if<Description>(&answer);
  if (!description) return result;
  result.usable = true;
  result.gpu = description->gpu;
  result.major = description->major;
  result.minor = description->minor;
  result.shared_a_block = description->shared_a_block;
  result.driver = version_text(description->driver);
  result.memory = description->memory;
  result.l2 = description->l2;
  result.cupti = description->cupti;
  result.conditions = conditions(description->pci, {});
  result.counters = description->counters;
  if (result.counters.empty()) {
    Gpu gpu(options, result.gpu);
    result.counters = known_kernel_failure(gpu.execute(known_kernel_job()));
  }
  return result;
}

} // namespace course::gpu
