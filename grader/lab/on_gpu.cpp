#include "lab/on_gpu.hpp"

#include "device/gpu/variation.hpp"
#include "device/message_id.hpp"
#include "lab/agreement.hpp"
#include "lab/inputs.hpp"
#include "lab/launcher.hpp"
#include "lab/other_gpu.hpp"
#include "lab/proofs.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <atomic>

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
          const std::vector<device::Buffer>& before, device::Observation&& seen, bool counts,
          Measured& measured) {
  auto& findings = execution.observed.findings;
  findings.insert(findings.end(), seen.findings.begin(), seen.findings.end());
  if (seen.status != Status::completed) {
    execution.observed.status = seen.status;
    execution.observed.reason = device::Message(device::MessageId::on_the_gpu, seen.reason);
    return;
  }
  execution.output = compare_output(*replay.shape, at.placement, at.inputs, seen.buffers);
  const auto damage = at.placement.damage(before, seen.buffers);
  execution.damage.insert(execution.damage.end(), damage.begin(), damage.end());
  if (!counts || replay.flavour != kFlavours.front() || seen.launches.empty()) return;

  if (!gpu::counted_by_instruction(seen)) {
    measured.not_counted = seen.counted_by;
    return;
  }
  measured.by_instruction = true;
  const auto differ = differences(totals(execution.observed.lines), totals(seen.lines));
  if (differ.empty()) return;
  measured.notes.push_back({execution.shape, differ.front()});
  for (auto& line : seen.lines) line.file = std::filesystem::path(line.file).filename().string();
  execution.observed.lines = std::move(seen.lines);
}

// Why a GPU executes none of it, where it does not.
device::Message refusal(const std::vector<device::Observation>& seen) {
  const auto found = std::find_if(seen.begin(), seen.end(), [](const device::Observation& one) {
    return one.status == Status::unsupported;
  });
  return found == seen.end() ? device::Message() : found->reason;
}

} // namespace

Measured measure(const std::vector<Replay>& replays, std::vector<judge::Execution>& executions,
                 const GpuTools& gpu) {
  const auto count = std::min(replays.size(), executions.size());
  std::vector<device::Job> jobs(count);
  std::vector<Prepared> prepared_jobs;
  prepared_jobs.reserve(count);
  std::vector<std::size_t> counted, plain;
  for (std::size_t i = 0; i < count; ++i) {
    prepared_jobs.push_back(prepared(*replays[i].shape, replays[i].flavour, executions[i].seed));
    jobs[i] = replays[i].job;
    jobs[i].buffers = prepared_jobs[i].placement.buffers(prepared_jobs[i].inputs);
    const bool counts = gpu.ability.is_as_emulated() && replays[i].flavour == kFlavours.front();
    (counts ? counted : plain).push_back(i);
  }

  std::vector<device::Observation> seen(count);
  std::atomic<bool> endless{false};
  std::vector<device::Job> uncounted;
  uncounted.reserve(plain.size());
  for (const auto i : plain) uncounted.push_back(jobs[i]);
  // The uncounted ones share a worker, beside those of the counted ones.
  system::in_parallel(counted.size() + 1, gpu.at_once, [&](std::size_t n) {
    if (n > 0) {
      auto& one = seen[counted[n - 1]];
      one = endless ? gpu::not_executed() : gpu.count(jobs[counted[n - 1]]);
      if (gpu::has_no_end(one)) endless = true;
      return;
    }
    auto all = gpu.execute(uncounted);
    if (std::any_of(all.begin(), all.end(), gpu::has_no_end)) endless = true;
    for (std::size_t k = 0; k < std::min(plain.size(), all.size()); ++k)
      seen[plain[k]] = std::move(all[k]);
  });

  Measured measured;
  if (!gpu.ability.is_as_emulated()) {
    measured.refused = refusal(seen);
    if (!measured.refused.empty()) return measured;
  }
  for (std::size_t i = 0; i < count; ++i)
    take(executions[i], replays[i], prepared_jobs[i], jobs[i].buffers, std::move(seen[i]),
         gpu.ability.is_as_emulated(), measured);
  measured.by_instruction = measured.by_instruction && measured.not_counted.empty();
  return measured;
}

// ---- times

namespace {

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

judge::Timing::Conditions conditions_of(const gpu::TimedPair& pair) {
  const auto& after = pair.after;
  return {pair.before.sm_clock, after.sm_clock, after.other_processes, after.throttled,
          after.unavailable};
}

void fill(judge::Timing& timing, const gpu::TimedPair& pair) {
  const auto& times = pair.times;
  timing.seconds = times.student_median;
  timing.of_peer = times.peer_median;
  timing.floor = kFloorOfCopy * pair.floor;
  timing.conditions = conditions_of(pair);
  if (const auto& said = times.error.empty() ? times.suspicion : times.error; !said.empty())
    timing.invalid = device::Message(said);
  if (times.different) return; // it was not timed to the end
  if (timing.is_valid() && !times.ratio)
    timing.invalid = judge::Timing::TooFew{times.student.size()};
  if (!times.ratio) return;
  timing.ratio = times.ratio->ratio;
  timing.low = times.ratio->low;
  timing.high = times.ratio->high;
  timing.pairs = times.ratio->pairs;
}

// The output of every timed run was compared with the solution's, and one's is with the answer.
std::optional<judge::Timing::Wrong>
wrong_output(const TimedInputs& given, const Placement& placement, const gpu::Timed& times) {
  const auto output = output_of(given.shape);
  const auto elements = given.shape.operands[output].elements;
  if (times.different) return judge::Timing::Wrong{times.different->elements, elements};
  if (!times.checked) return {};
  std::vector<device::Bytes> after(given.shape.operands.size());
  after[output] = *times.checked;
  const auto found = compare_output(given.shape, placement, given.varied, given.expected, after);
  if (found.passed()) return {};
  return judge::Timing::Wrong{found.wrong, elements};
}

// Both the student's output and the solution's may be that far from the right one.
gpu::TimedOutput timed_output(const Case& shape) {
  const auto output = output_of(shape);
  return {static_cast<std::uint32_t>(output), shape.operands[output].type == Type::f32,
          2 * shape.tolerance.absolute, 2 * shape.tolerance.relative};
}

void vary(TimedInputs& given, std::uint64_t seed) {
  given.seed = seed;
  given.varied = given.inputs;
  for (std::size_t i = 0; i < given.inputs.size(); ++i)
    given.varied[i] = gpu::varied(given.inputs[i], 4 / bytes_of(given.shape.operands[i].type),
                                  gpu::seed_of_buffer(seed, static_cast<std::uint32_t>(i)));
  given.expected = given.shape.reference(given.varied);
}

std::uint64_t bytes_of(const Case& shape, bool outputs) {
  std::uint64_t bytes = 0;
  for (const auto& operand : shape.operands) {
    if (operand.output == outputs) bytes += operand.elements * bytes_of(operand.type);
  }
  return bytes;
}

} // namespace

TimedInputs timed_inputs(const Exercise& exercise, std::uint64_t seed,
                         const GiveReference& give_reference) {
  TimedInputs made;
  made.shape = exercise.time->shape();
  give_reference(made.shape);
  made.seed = derive(seed, kFlavours.size());
  made.inputs = made.shape.inputs(Flavour::timed, derive(made.seed, 0));
  vary(made, made.seed);
  const Placement placement(made.shape.operands, 0);
  auto buffers = placement.buffers(made.inputs);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto& bytes = buffers[i].bytes;
    const bool output = made.shape.operands[i].output;
    if (output) std::fill(bytes.begin(), bytes.end(), kUnwritten);
    made.buffers.push_back({{buffers[i].address, bytes.size()}, !output, std::move(bytes)});
  }
  return made;
}

judge::Timing time_launcher(const Exercise& exercise, const std::filesystem::path& student,
                            TimedInputs given, const MakePlan& make_plan, const GpuTools& gpu) {
  const auto& limit = *exercise.time;
  const auto& shape = given.shape;
  const Placement placement(shape.operands, 0);
  // How near a copy one comes is known of an H200; elsewhere the solution shows what can be done.
  const bool copies = limit.peer == TimeLimit::Peer::copy && gpu.ability.is_as_emulated();
  judge::Timing timing;
  timing.shape = shape.shape;
  timing.peer = copies ? judge::Timing::Peer::copy : judge::Timing::Peer::solution;
  timing.limit = limit.ratio;

  auto mine = make_plan(student, shape);
  if (auto* why = std::get_if<judge::Fault>(&mine)) {
    timing.invalid = judge::Timing::NoLaunch{false, std::move(*why)};
    return timing;
  }
  auto solution = make_plan(exercise.solution, shape);
  if (auto* why = std::get_if<judge::Fault>(&solution)) {
    timing.invalid = judge::Timing::NoLaunch{true, std::move(*why)};
    return timing;
  }
  for (const auto* job : {&solution, &mine}) {
    auto lacks = lack(gpu.ability, std::get<device::Job>(*job));
    if (!lacks) continue;
    lacks->solution = job == &solution;
    timing.invalid = std::move(*lacks);
    return timing;
  }
  gpu::TimedWork work;
  work.student = std::move(std::get<device::Job>(mine));
  work.peer = std::move(std::get<device::Job>(solution));
  if (copies) {
    work.solution = std::exchange(work.peer, copy_job(shape, placement));
    work.peer_is_right = false;
  }
  work.buffers = std::move(given.buffers);
  work.output = timed_output(shape);

  if (auto lacks = lack_of_memory(gpu.ability, work)) {
    timing.invalid = std::move(*lacks);
    return timing;
  }

  gpu::TimingOptions options;
  options.fewest_seconds = 0.01;
  options.bytes_read = bytes_of(shape, false);
  options.bytes_written = bytes_of(shape, true);
  for (const double more : {1.0, 5.0}) {
    options.seed = given.seed;
    options.fewest_pairs = static_cast<std::uint32_t>(30 * more);
    options.fewest_seconds *= more;
    const auto pair = gpu.time(work, options);
    fill(timing, pair);
    if (!timing.is_valid()) return timing;
    timing.wrong = wrong_output(given, placement, pair.times);
    if (timing.wrong || judge::call(timing) != judge::Call::too_close) break;
    vary(given, derive(given.seed, 1)); // no run has the inputs of another
  }
  return timing;
}

} // namespace course::lab
