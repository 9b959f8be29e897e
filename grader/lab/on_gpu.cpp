#include "lab/on_gpu.hpp"

#include "lab/agreement.hpp"
#include "lab/check.hpp"
#include "lab/inputs.hpp"
#include "lab/launcher.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace course::lab {
namespace {

using Status = device::Observation::Status;

// Inputs of an execution, and where they lie.
struct Prepared {
  Placement placement;
  std::vector<Floats> inputs;
};

Prepared prepared(const Case& shape, Flavour flavour, std::uint64_t seed) {
  return {Placement(shape.operands, 0), shape.inputs(flavour, seed)};
}

// ---- the same executions again

// What the GPU showed takes its place beside what the emulated device did.
void take(judge::Execution& execution, const Replay& replay, const Prepared& at,
          const std::vector<device::Buffer>& before, device::Observation&& seen,
          Measured& measured) {
  auto& findings = execution.observed.findings;
  findings.insert(findings.end(), seen.findings.begin(), seen.findings.end());
  if (seen.status != Status::completed) {
    execution.observed.status = seen.status;
    execution.observed.reason = "on the GPU, " + seen.reason;
    return;
  }
  execution.output = compare_output(*replay.shape, at.placement, at.inputs, seen.buffers);
  const auto damage = at.placement.damage(before, seen.buffers);
  execution.damage.insert(execution.damage.end(), damage.begin(), damage.end());
  if (replay.flavour != kFlavours.front() || seen.launches.empty()) return;

  const auto by_line = seen.counted_by == gpu::kCountedByInstruction;
  if (measured.counted_by.empty() || !by_line) measured.counted_by = seen.counted_by;
  if (!by_line) return;
  const auto differ = differences(totals(execution.observed.lines), totals(seen.lines));
  if (differ.empty()) return;
  measured.notes.push_back("the emulated device counts otherwise than the GPU for " +
                           execution.shape + ", " + differ.front() +
                           "; what was measured is graded");
  for (auto& line : seen.lines) line.file = std::filesystem::path(line.file).filename().string();
  execution.observed.lines = std::move(seen.lines);
}

// Calls `work` with 0 … count - 1 from a few threads.
void in_parallel(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> pool;
  for (unsigned t = 0; t < std::min<std::size_t>(threads, count); ++t)
    pool.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
}

} // namespace

Measured measure(const std::vector<Replay>& replays, std::vector<judge::Execution>& executions,
                 const GpuTools& gpu) {
  const auto count = std::min(replays.size(), executions.size());
  std::vector<device::Job> jobs(count);
  std::vector<Prepared> prepared_jobs;
  std::vector<std::size_t> counted, plain;
  for (std::size_t i = 0; i < count; ++i) {
    prepared_jobs.push_back(prepared(*replays[i].shape, replays[i].flavour, executions[i].seed));
    jobs[i] = replays[i].job;
    jobs[i].buffers = prepared_jobs[i].placement.buffers(prepared_jobs[i].inputs);
    (replays[i].flavour == kFlavours.front() ? counted : plain).push_back(i);
  }

  std::vector<device::Observation> seen(count);
  std::vector<device::Job> uncounted;
  for (const auto i : plain) uncounted.push_back(jobs[i]);
  // The uncounted ones share a worker, beside those of the counted ones.
  in_parallel(counted.size() + 1, gpu.at_once, [&](std::size_t n) {
    if (n > 0) {
      seen[counted[n - 1]] = gpu.count(jobs[counted[n - 1]]);
      return;
    }
    auto all = gpu.execute(uncounted);
    for (std::size_t k = 0; k < std::min(plain.size(), all.size()); ++k)
      seen[plain[k]] = std::move(all[k]);
  });

  Measured measured;
  for (std::size_t i = 0; i < count; ++i)
    take(executions[i], replays[i], prepared_jobs[i], jobs[i].buffers, std::move(seen[i]),
         measured);
  return measured;
}

// ---- times

namespace {

constexpr std::uint64_t kManyBytes = 32ull << 20; // of inputs: past it, one set has to do

// What reads more than it writes is a little faster than a copy: a sum of 2^26 ints on an H200 took
// 0.995 of the time that its bytes take to be copied.
constexpr double kFloorOfCopy = 0.9;
constexpr std::byte kUnwritten{0xff}; // one byte repeated travels as one byte

device::Job copy_job(const Case& shape, const Placement& placement) {
  const auto from = static_cast<std::size_t>(
      std::find_if(shape.operands.begin(), shape.operands.end(),
                   [](const Operand& operand) { return !operand.output; }) -
      shape.operands.begin());
  device::Job job;
  const auto& out = placement.operand(output_of(shape));
  const auto& in = placement.operand(from);
  job.plan.steps = {device::Copy{out.address, in.address, std::min(out.size, in.size)}};
  return job;
}

std::string conditions_of(const gpu::TimedPair& pair) {
  const auto& after = pair.after;
  if (!after.unavailable.empty()) return after.unavailable;
  std::string text = "SM clock " + std::to_string(pair.before.sm_clock) + " to " +
                     std::to_string(after.sm_clock) + " MHz, " +
                     std::to_string(after.other_processes) + " other processes on the GPU";
  for (const auto& reason : after.throttled) text += ", throttled: " + reason;
  return text;
}

void fill(judge::Timing& timing, const gpu::TimedPair& pair) {
  const auto& times = pair.times;
  timing.seconds = times.student_median;
  timing.of_peer = times.solution_median;
  timing.floor = kFloorOfCopy * pair.floor;
  timing.conditions = conditions_of(pair);
  timing.invalid = times.error.empty() ? times.suspicion : times.error;
  if (timing.invalid.empty() && !times.ratio)
    timing.invalid = "too few runs in " + std::to_string(times.student.size()) + " pairs";
  if (!times.ratio) return;
  timing.ratio = times.ratio->ratio;
  timing.low = times.ratio->low;
  timing.high = times.ratio->high;
  timing.pairs = times.ratio->pairs;
}

// One seed's answers must not serve for another: the timed run whose outputs are read is compared.
std::string wrong_output(const TimedInputs& given, const Placement& placement,
                         const gpu::Timed& times) {
  const auto set = times.checked_input;
  if (times.checked.empty() || set >= given.inputs.size()) return "";
  const auto found =
      compare_output(given.shape, placement, given.inputs[set], given.expected[set], times.checked);
  if (found.passed()) return "";
  return std::to_string(found.wrong) + " of " + std::to_string(found.elements) +
         " elements were wrong after a timed run for " + given.shape.shape;
}

std::uint64_t bytes_of(const Case& shape, bool outputs) {
  std::uint64_t bytes = 0;
  for (const auto& operand : shape.operands) {
    if (operand.output == outputs) bytes += operand.elements * bytes_of(operand.type);
  }
  return bytes;
}

} // namespace

TimedInputs timed_inputs(const Exercise& exercise, std::uint64_t seed) {
  TimedInputs made;
  made.shape = exercise.time->shape();
  made.seed = derive(seed, kFlavours.size());
  const Placement placement(made.shape.operands, 0);
  const std::size_t wanted = bytes_of(made.shape, false) > kManyBytes ? 1 : 2;
  for (std::size_t set = 0; set < wanted; ++set) {
    made.inputs.push_back(made.shape.inputs(Flavour::random, derive(made.seed, set)));
    made.expected.push_back(made.shape.reference(made.inputs.back()));
    auto buffers = placement.buffers(made.inputs.back());
    auto& contents = made.sets.emplace_back();
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      auto& bytes = buffers[i].bytes;
      if (made.shape.operands[i].output) std::fill(bytes.begin(), bytes.end(), kUnwritten);
      contents.push_back(std::move(bytes));
      bytes.clear();
    }
    if (set == 0) made.buffers = std::move(buffers);
  }
  for (std::size_t i = 0; i < made.buffers.size(); ++i)
    made.buffers[i].bytes.assign(made.sets[0][i].size(), std::byte{});
  return made;
}

judge::Timing time_launcher(const Exercise& exercise, const std::filesystem::path& student,
                            const TimedInputs& given, const MakePlan& make_plan,
                            const GpuTools& gpu) {
  const auto& limit = *exercise.time;
  const auto& shape = given.shape;
  const Placement placement(shape.operands, 0);
  const bool copies = limit.peer == TimeLimit::Peer::copy;
  judge::Timing timing;
  timing.shape = shape.shape;
  timing.peer = copies ? "a copy" : "the solution";
  timing.limit = limit.ratio;

  auto mine = make_plan(student, shape);
  if (const auto* why = std::get_if<std::string>(&mine)) {
    timing.invalid = *why;
    return timing;
  }
  std::variant<device::Job, std::string> peer = copy_job(shape, placement);
  if (!copies) peer = make_plan(gpu.root / solution_of(exercise), shape);
  if (const auto* why = std::get_if<std::string>(&peer)) {
    timing.invalid = "the solution: " + *why;
    return timing;
  }
  auto& job = std::get<device::Job>(mine);
  const auto& other = std::get<device::Job>(peer);
  job.buffers = given.buffers;

  gpu::TimingOptions options;
  options.seed = given.seed;
  options.fewest_seconds = 0.01;
  options.bytes_read = bytes_of(shape, false);
  options.bytes_written = bytes_of(shape, true);
  options.outputs = {static_cast<std::uint32_t>(output_of(shape))};
  for (const double more : {1.0, 5.0}) {
    options.fewest_pairs = static_cast<std::uint32_t>(30 * more);
    options.fewest_seconds *= more;
    const auto pair = gpu.time(job, other, given.sets, options);
    fill(timing, pair);
    if (!timing.invalid.empty()) return timing;
    timing.wrong = wrong_output(given, placement, pair.times);
    if (!timing.wrong.empty() || judge::call(timing) != judge::Call::too_close) break;
  }
  return timing;
}

} // namespace course::lab
