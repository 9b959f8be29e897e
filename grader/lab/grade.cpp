// One grading, from a file to its verdict. Long, because each stage goes on from what the stages
// before it found.
#include "lab/grade.hpp"

#include "build/compile.hpp"
#include "judge/correctness.hpp"
#include "judge/counts.hpp"
#include "judge/limits.hpp"
#include "judge/way.hpp"
#include "judge/which_execution.hpp"
#include "lab/by_file.hpp"
#include "lab/by_solution.hpp"
#include "lab/drawn.hpp"
#include "lab/ending_faults.hpp"
#include "lab/inputs.hpp"
#include "lab/job.hpp"
#include "lab/launcher.hpp"
#include "lab/not_graded.hpp"
#include "lab/other_gpu.hpp"
#include "lab/other_orders.hpp"
#include "lab/placement.hpp"
#include "lab/plan_limits.hpp"
#include "lab/side_notes.hpp"
#include "lab/times.hpp"
#include "lab/ways.hpp"
#include "system/file.hpp"

#include <algorithm>
#include <cctype>
#include <future>

namespace course::lab {
namespace {

namespace endings = judge::endings;
using judge::Ending;
using judge::Status;
using judge::facts::Missing;
using Executions = std::vector<judge::Execution>;

// What is executed once more in other orders of blocks, warps and lanes.
struct Rerun {
  const Case* shape = nullptr;
  device::Job job;
  std::uint64_t blocks = 0;       // the most of a launch
  bool order_matters = false;     // its threads can tell who was first
  std::uint64_t instructions = 0; // that it takes
};

// One grading on its way: what is known so far.
struct Grading {
  const Exercise& exercise;
  const Submission& submission;
  const Tools& tools;
  judge::Verdict verdict;
  Executions executions = {};
  std::vector<Replay> replays = {};               // of the executions, where there is a GPU
  std::optional<judge::Check> time = {};          // where it was measured
  std::optional<judge::NotOnGpu> not_on_gpu = {}; // why it was not
  std::optional<judge::Check> launch = {};        // of the last shape that was recorded
  std::vector<std::string> unsupported = {};      // CUDA calls that could not be answered
  std::vector<runtime::CudaError> refused = {};
  device::Module code = {}; // with its source
  // The cheapest shape that has several blocks, or else several warps; and the cheapest that has so
  // many blocks that they meet in most orders.
  Rerun few = {}, many = {};
  // That came out right in one order of blocks, and wrong in another.
  judge::Shape unordered_shape = {};
  GiveReference give_reference = {};
  std::vector<std::string> unlimited = {}; // checks whose limits are not known here
};

judge::Verdict blank(const Exercise& exercise, const Submission& submission,
                     const judge::Means& means) {
  judge::Verdict verdict;
  verdict.exercise = exercise.id;
  verdict.file = submission.file.filename().string();
  verdict.seed = submission.seed;
  verdict.shapes = cases_of(exercise, submission.seed).size();
  verdict.seeds = kFlavours.size();
  verdict.means = means;
  verdict.ending = Ending::passed;
  return verdict;
}

void conclude(judge::Verdict& verdict, judge::EndedBy how) {
  verdict.ending = judge::ending_of(how);
  verdict.ended = std::move(how);
}

// ---- compile

// A file that need not be compiled: it is missing, is no file, or has nothing in it.
std::optional<judge::EndedBy> unfit(Grading& grading) {
  using Why = system::Unreadable::Why;
  const auto& file = grading.submission.file;
  const auto read = system::read_file(file, build::kLargestSource);
  if (const auto* bad = std::get_if<system::Unreadable>(&read)) {
    if (bad->why == Why::link) return endings::SymbolicLink{grading.verdict.file};
    if (bad->why == Why::too_large)
      return endings::TooLong{grading.verdict.file, build::kLargestSource};
    return endings::Unreadable{file.string(), bad->text};
  }
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  grading.code.source = std::get<std::string>(read);
  if (std::ranges::all_of(grading.code.source, blank))
    return judge::ended_by(empty_file(grading.exercise, grading.verdict.file));
  return std::nullopt;
}

std::optional<build::Compiled> compiled(Grading& grading) {
  auto& verdict = grading.verdict;
  if (auto how = unfit(grading)) {
    conclude(verdict, std::move(*how));
    return std::nullopt;
  }
  auto result = grading.tools.compile(grading.submission.file);
  if (const auto* refused = std::get_if<build::Rejected>(&result)) {
    conclude(verdict, judge::ended_by(rejected(*refused, verdict.file)));
    if (refused->reason == build::Rejected::Reason::diagnostics) verdict.compiler = refused->text;
    return std::nullopt;
  }
  auto& built = std::get<build::Compiled>(result);
  verdict.compiler = built.warnings;
  const auto& functions = built.functions;
  if (std::find(functions.begin(), functions.end(), grading.exercise.function) == functions.end()) {
    conclude(verdict, judge::ended_by(no_function(grading.exercise, verdict.file, functions)));
    return std::nullopt;
  }
  return std::move(built);
}

// ---- record and execute

judge::Execution execute(const Grading& grading, const Case& shape, const Placement& placement,
                         device::Job& job, Flavour flavour, std::uint64_t seed) {
  const auto inputs = shape.inputs(flavour, seed);
  job.buffers = placement.buffers(inputs);
  judge::Execution execution;
  execution.shape = shape.shape;
  execution.drawn_shape = shape.drawn;
  execution.seed = seed;
  execution.bounds = shape.bounds;
  execution.observed = grading.tools.device->execute(job);
  auto& observed = execution.observed;
  if (observed.status == device::Observation::Status::completed) {
    const auto output = output_of(shape);
    execution.output_name = shape.operands[output].name;
    execution.output = compare_output(shape, placement, inputs, observed.buffers);
    if (shape.numbers)
      execution.numbers = shape.numbers(observed, placement.values(observed.buffers, output));
    if (shape.followed && flavour == kFlavours[0]) // it does not depend on values
      follow(execution, shape, placement, job, grading.tools.follower);
    execution.damage = placement.damage(job.buffers, observed.buffers);
  }
  observed.buffers.clear();
  return execution;
}

bool is_note(const device::Finding& finding) {
  return device::is_note(finding.kind);
}

bool has_error(const judge::Execution& execution) {
  return !std::ranges::all_of(execution.observed.findings, is_note);
}

bool went_wrong(const judge::Execution& execution) {
  return !judge::complete(execution) || !execution.output.passed();
}

// The paths by which the compiler knew the student's file and its headers, without folders.
void name_files(device::Observation& observed) {
  const auto plain = [](std::string& file) {
    file = std::filesystem::path(file).filename().string();
  };
  for (auto& line : observed.lines) plain(line.file);
  for (auto& finding : observed.findings) plain(finding.file);
}

// The job without its inputs, which can be made again.
device::Job plain(const device::Job& job) {
  device::Job copy;
  copy.modules = job.modules;
  copy.plan = job.plan;
  copy.instruction_budget = job.instruction_budget;
  return copy;
}

// Keeps the job that the last execution was of, if it is one to execute in other orders.
void keep_for_rerun(Grading& grading, const Case& shape, device::Job job) {
  constexpr std::uint64_t kMany = 4;
  const auto& observed = grading.executions.back().observed;
  Rerun one{&shape, {}, 0, observed.order_matters, judge::count(observed).instructions};
  bool warps = false;
  for (const auto& launch : observed.launches) {
    one.blocks = std::max(one.blocks, launch.grid.count());
    warps = warps || launch.block.count() > 32;
  }
  const auto cheaper = [&](const Rerun& kept) {
    return !kept.shape || one.instructions < kept.instructions;
  };
  auto &few = grading.few, &many = grading.many;
  const bool is_many = one.blocks >= kMany && one.order_matters && cheaper(many);
  const bool several = one.blocks > 1, had_several = few.blocks > 1;
  const bool is_few = several == had_several ? (several || warps) && cheaper(few) : several;
  if (is_many) {
    many = one;
    many.job = job;
  }
  if (is_few) {
    few = std::move(one);
    few.job = std::move(job);
  }
}

// It took longer than there is time, which in a drawn order proves nothing.
bool only_over_budget(const device::Observation& observed) {
  const auto& found = observed.findings;
  const auto over = [](const device::Finding& one) {
    return is_note(one) || one.kind == device::FindingKind::budget;
  };
  return std::ranges::all_of(found, over) && !std::ranges::all_of(found, is_note);
}

judge::Bounds unlimited(std::uint64_t elements) {
  judge::Bounds bounds;
  bounds.elements = elements;
  bounds.conflicts = judge::Measure::kNoLimit;
  return bounds;
}

struct Tried {
  bool wrong, has_error;
  std::uint64_t instructions;
};

// Only what is wrong in such an order is kept, without limits of counts: counts are those of the
// first time. The second flavour's sums are exact, and its data's way is not followed. `known`: an
// error was found in another of them.
Tried try_order(Grading& grading, Rerun& rerun, const OtherOrder& other, bool known) {
  constexpr std::size_t kWhich = 1;
  rerun.job.order = other.order;
  const Placement placement(rerun.shape->operands, grading.tools.guard);
  auto execution = execute(grading, *rerun.shape, placement, rerun.job, kFlavours[kWhich],
                           derive(grading.submission.seed, kWhich));
  const std::uint64_t instructions = judge::count(execution.observed).instructions;
  const bool wrong = went_wrong(execution);
  if (!wrong && (known || !has_error(execution))) return {false, known, instructions};
  if (other.drawn && only_over_budget(execution.observed)) return {false, false, instructions};
  name_files(execution.observed);
  execution.shape.backwards = other.drawn == 0;
  execution.shape.drawn_order = other.drawn;
  if (other.drawn) execution.bounds = unlimited(rerun.shape->bounds.elements);
  if (wrong) grading.unordered_shape = execution.shape;
  grading.executions.push_back(std::move(execution));
  if (grading.tools.gpu)
    grading.replays.push_back({rerun.shape, kFlavours[kWhich], plain(rerun.job)});
  return {wrong, true, instructions};
}

// Where something was found already, nobody looks for more. What is found in a drawn order is a
// race, and whether its result was right is luck: others are tried. False: one went wrong.
bool try_other_orders(Grading& grading) {
  constexpr std::uint64_t kLittle = 64; // of the grading, that many blocks may take
  auto &few = grading.few, &many = grading.many;
  if (!few.shape || std::ranges::any_of(grading.executions, has_error)) return true;
  std::uint64_t graded = 0, spent = 0;
  for (const auto& execution : grading.executions)
    graded += judge::count(execution.observed).instructions;
  auto tried = try_order(grading, few, last_first(), false);
  if (tried.wrong || tried.has_error) return !tried.wrong;
  auto& drawn = many.shape && many.instructions * kLittle <= graded ? many : few;
  for (std::uint32_t number = 0;
       drawn.order_matters && !tried.wrong && draws_another(number, spent, graded);
       spent += tried.instructions)
    tried =
        try_order(grading, drawn, drawn_order(grading.submission.seed, ++number), tried.has_error);
  return !tried.wrong;
}

// Whether what went wrong, with nothing found, is right where blocks come by their index.
bool right_by_index(const Grading& grading, const Case& shape, const Placement& placement,
                    device::Job job, Flavour flavour) {
  const auto& wrong = grading.executions.back();
  const auto several = [](const device::LaunchCounts& launch) { return launch.grid.count() > 1; };
  if (!judge::complete(wrong) || has_error(wrong) ||
      std::ranges::none_of(wrong.observed.launches, several))
    return false;
  job.order = {};
  return !went_wrong(execute(grading, shape, placement, job, flavour, wrong.seed));
}

// False: this shape went wrong, and is the last.
bool try_shape(Grading& grading, const build::Compiled& built, const Case& shape) {
  const auto& tools = grading.tools;
  const Placement placement(shape.operands, tools.guard);
  auto recording = tools.record(built, call(grading.exercise, shape, placement));
  auto& verdict = grading.verdict;
  // Of the shapes, the last that has something to say: one without elements has not.
  if (const auto said = recording.out + recording.err; !said.empty()) verdict.printed = said;
  if (recording.not_freed > 0)
    verdict.notes = {judge::facts::NotFreed{recording.not_freed, recording.bytes_not_freed}};
  grading.refused.insert(grading.refused.end(), recording.errors.begin(), recording.errors.end());
  grading.unsupported = recording.unsupported;
  if (const auto how = not_returned(recording, grading.exercise, shape.shape, tools.limits)) {
    conclude(verdict, judge::ended_by(*how));
    return false;
  }
  const bool expects_launch = grading.exercise.launches && shape.bounds.elements > 0;
  grading.launch = check_launch(recording, grading.exercise, shape.shape, expects_launch);
  if (auto copies = check_copies(recording.plan, shape.shape)) grading.launch = std::move(copies);
  if (grading.launch->status == Status::failed) return false;
  if (weight(recording.plan) > shape.instruction_budget) {
    conclude(verdict, judge::ended_by(too_much_asked(grading.exercise, shape.shape)));
    return false;
  }

  device::Job job;
  job.modules = built.modules;
  for (auto& module : job.modules) module.source = grading.code.source;
  job.plan = std::move(recording.plan);
  job.instruction_budget = shape.instruction_budget;
  job.order = {device::Order::Kind::drawn, grading.submission.seed};
  job.strict_acquires = grading.exercise.strict_acquires;
  for (std::size_t i = 0; i < kFlavours.size(); ++i) {
    const auto seed = derive(grading.submission.seed, i);
    auto& execution = grading.executions.emplace_back(
        execute(grading, shape, placement, job, kFlavours[i], seed));
    name_files(execution.observed);
    name_constant_store(execution.observed, built.warnings, verdict.file);
    if (tools.gpu) grading.replays.push_back({&shape, kFlavours[i], plain(job)});
    if (!went_wrong(execution)) continue;
    if (right_by_index(grading, shape, placement, job, kFlavours[i]))
      grading.unordered_shape = shape.shape;
    return false;
  }
  job.buffers.clear();
  keep_for_rerun(grading, shape, std::move(job));
  return true;
}

// How much more a shape may have than those that took many times the work: at more a kernel would
// be ended, as what it takes may grow faster than the shape, and that says less.
constexpr std::uint64_t kMoreOfTooMuch = 8;

bool would_be_ended(const Grading& grading, const Case& shape) {
  const auto& executions = grading.executions;
  return judge::check_kernel(executions).status == Status::failed &&
         std::ranges::all_of(executions, [&](const judge::Execution& one) {
           return one.bounds.elements * kMoreOfTooMuch < shape.bounds.elements;
         });
}

// ---- measure

MakePlan plans_of(const Grading& grading) {
  return [&](const std::filesystem::path& source, const Case& shape) {
    return job_for(grading.exercise, shape, source, grading.tools);
  };
}

// Whether the course's own solution can be timed on that GPU: without it nobody's work is.
std::optional<judge::NotOnGpu> lack_of_solution(const Grading& grading) {
  const auto& exercise = grading.exercise;
  const auto& gpu = *grading.tools.gpu;
  if (!exercise.time || gpu.ability.is_as_emulated()) return {};
  const auto job = plans_of(grading)(gpu.root / solution_of(exercise), exercise.time->shape());
  if (!std::holds_alternative<device::Job>(job)) return {}; // which is said where it is timed
  auto found = lack(gpu.ability, std::get<device::Job>(job));
  if (found) found->solution = true;
  return found;
}

// The GPU had no part in it: what the emulated device did is what was done.
void leave_out_gpu(Grading& grading, judge::NotOnGpu why) {
  auto& verdict = grading.verdict;
  auto solution = grading.exercise.time ? lack_of_solution(grading) : std::nullopt;
  if (grading.exercise.time && !solution && !grading.tools.gpu->grades_without_time) {
    conclude(verdict, endings::NotTimeable{std::move(why)});
    return;
  }
  verdict.means.device = grading.tools.device->name();
  verdict.means.note = judge::Means::Note::not_on_gpu;
  verdict.notes.push_back(why);
  grading.not_on_gpu = std::move(why);
}

std::uint64_t shared_bytes(const Executions& executions) {
  std::uint64_t most = 0;
  for (const auto& one : executions) most = std::max(most, judge::count(one.observed).shared_bytes);
  return most;
}

void time_on_gpu(Grading& grading, std::future<TimedInputs>& inputs) {
  const auto& gpu = *grading.tools.gpu;
  const auto timing = time_launcher(grading.exercise, grading.submission.file, inputs.get(),
                                    plans_of(grading), gpu);
  const auto* lacks = std::get_if<judge::NotOnGpu>(&timing.invalid);
  if (!lacks) {
    grading.time = judge::check_time(timing);
  } else if (lacks->solution || gpu.grades_without_time) {
    grading.verdict.notes.push_back(*lacks);
    grading.not_on_gpu = *lacks;
  } else {
    conclude(grading.verdict, endings::NotTimeable{*lacks});
  }
}

void measure_on_gpu(Grading& grading) {
  const auto& tools = grading.tools;
  const auto& exercise = grading.exercise;
  auto& executions = grading.executions;
  auto& verdict = grading.verdict;
  const auto& ability = tools.gpu->ability;
  if (!grading.replays.empty()) {
    if (auto why = lack(ability, grading.replays.front().job, shared_bytes(executions))) {
      leave_out_gpu(grading, std::move(*why));
      return;
    }
  }
  std::future<TimedInputs> inputs;
  if (exercise.time)
    inputs = std::async(std::launch::async, [&] {
      return timed_inputs(exercise, grading.submission.seed, grading.give_reference);
    });
  const auto measured = measure(grading.replays, executions, *tools.gpu);
  if (!measured.refused.empty()) {
    leave_out_gpu(grading, refused_by_driver(ability, measured.refused));
    return;
  }
  verdict.notes.insert(verdict.notes.end(), measured.notes.begin(), measured.notes.end());
  using Note = judge::Means::Note;
  verdict.means.note = !ability.is_as_emulated() ? Note::other_rules
                       : measured.by_instruction ? Note::counts_by_gpu
                                                 : Note::all_emulated;
  if (!measured.not_counted.empty())
    verdict.notes.push_back(judge::facts::NotByInstruction{measured.not_counted});
  if (std::any_of(executions.begin(), executions.end(), went_wrong) || !exercise.time) return;
  time_on_gpu(grading, inputs);
}

// ---- judge

judge::Check stage(const std::string& name, Status status, judge::Facts found = {}) {
  judge::Check check;
  check.name = name;
  check.status = status;
  check.facts = std::move(found);
  return check;
}

// The steps that come before anything is graded: worth no points, needed for all.
std::vector<judge::Check> stages(const Grading& grading) {
  const auto ending = grading.verdict.ending;
  const auto how = [&]() -> judge::Facts {
    if (const auto& ended = grading.verdict.ended) return judge::facts::Ended{*ended};
    return {};
  };
  const bool ended = ending != Ending::passed;
  const bool recorded = grading.launch || !grading.executions.empty();
  const bool compiles = ending != Ending::did_not_compile && ending != Ending::set_up;
  std::vector<judge::Check> checks;

  checks.push_back(ending == Ending::did_not_compile
                       ? stage("compile", Status::failed, how())
                       : stage("compile", compiles ? Status::passed : Status::not_measured));
  if (compiles && ended) {
    const bool says_nothing = ending == Ending::not_measurable;
    checks.push_back(stage("host", says_nothing ? Status::not_measured : Status::failed, how()));
  } else {
    checks.push_back(stage("host", compiles && recorded ? Status::passed : Status::not_measured));
  }
  const bool returned = checks.back().status == Status::passed && grading.launch;
  checks.push_back(returned ? *grading.launch : stage("launch", Status::not_measured));
  return checks;
}

// What can be said of time all the same, where what was executed is right.
judge::Check time_without_gpu(const Grading& grading) {
  const bool other = grading.not_on_gpu || grading.tools.means.note == judge::Means::Note::old_gpu;
  auto check = judge::impossible("time", other ? Missing::needs_other_gpu : Missing::needs_gpu);
  const auto& exercise = grading.exercise;
  const auto& executions = grading.executions;
  const auto wrong = [](const judge::Execution& one) { return went_wrong(one) || has_error(one); };
  if (executions.empty() || std::ranges::any_of(executions, wrong)) return check;
  std::vector<std::string> failed;
  for (const auto& one : grading.verdict.checks)
    if (one.status == Status::failed) failed.push_back(one.name);
  const auto root = exercise.solution.parent_path().parent_path().parent_path();
  if (auto found = untimed(exercise, timed_files(root, exercise.id), failed, executions,
                           grading.tools.emulated->rates)) {
    found->other_gpu = other;
    check.facts = std::move(*found);
  }
  return check;
}

judge::Check time_of(const Grading& grading) {
  if (grading.time) return *grading.time;
  if (!grading.tools.gpu || grading.not_on_gpu) return time_without_gpu(grading);
  if (!grading.exercise.time) return judge::impossible("time", Missing::not_limited);
  return judge::unmeasured("time", Missing::rest_first);
}

judge::Check graded(const std::string& name, const Grading& grading) {
  const auto& executions = grading.executions;
  if (name == "output") return judge::check_output(executions);
  if (name == "memory")
    return judge::check_memory(executions, grading.exercise.one_writer ? judge::Notes::forbidden
                                                                       : judge::Notes::allowed);
  if (name == "coalescing") return judge::check_coalescing(executions);
  if (name == "traffic") return judge::check_traffic(executions);
  if (name == "conflicts") return judge::check_conflicts(executions);
  return judge::check_counted(executions, name);
}

// Or the one that it is worth points with.
bool is_unlimited(const Graded& wanted, const Grading& grading) {
  const auto& unlimited = grading.unlimited;
  return std::ranges::count(unlimited, wanted.check) + std::ranges::count(unlimited, wanted.pair) >
         0;
}

// Executions end where a launch is refused or host code ends: what is missing then is no pass.
void withdraw(judge::Check& check, Missing why) {
  if (check.status == Status::passed) check = judge::nothing_to_look_at(std::move(check), why);
}

void judge_executions(Grading& grading) {
  auto& verdict = grading.verdict;
  const auto& executions = grading.executions;
  verdict.checks = stages(grading);
  const bool cut = grading.verdict.ending != Ending::passed ||
                   (grading.launch && grading.launch->status == Status::failed);
  verdict.checks.push_back(judge::check_kernel(executions));
  if (cut) withdraw(verdict.checks.back(), Missing::launch_missing);
  const bool too_much = verdict.checks.back().status == Status::failed;
  for (const auto& wanted : grading.exercise.checks) {
    auto check = is_unlimited(wanted, grading)
                     ? judge::impossible(wanted.check, Missing::no_solution)
                 : wanted.own             ? wanted.own(executions)
                 : wanted.check == "time" ? time_of(grading)
                                          : graded(wanted.check, grading);
    if (wanted.check == grading.exercise.way_check)
      check = judge::with_way(std::move(check), executions);
    if (cut) withdraw(check, Missing::launch_missing);
    // Of a kernel that takes many times the work, what is left to judge is whether it is right.
    if (too_much && wanted.check != "output" && wanted.check != "memory")
      withdraw(check, Missing::kernel_first);
    check.max_points = wanted.points;
    check.pair = wanted.pair;
    const auto question = grading.exercise.questions.find(wanted.check);
    if (question != grading.exercise.questions.end()) check.question = question->second;
    if (wanted.check == "output" && check.status == Status::failed &&
        check.shape == grading.unordered_shape)
      check.right_in_another_order = true;
    verdict.checks.push_back(std::move(check));
  }
}

void mention(Grading& grading) {
  for (const auto& name : grading.exercise.mentioned) {
    auto check = graded(name, grading);
    if (check.status == Status::failed) grading.verdict.mentioned.push_back(std::move(check));
  }
}

void describe_output(Grading& grading) {
  const auto* check = judge::find(grading.verdict.checks, "output");
  if (!check || check->status != Status::failed) return;
  for (const auto& execution : grading.executions) {
    if (execution.shape != check->shape || execution.output.passed()) continue;
    grading.verdict.wrong = judge::WrongOutput{execution.output_name, execution.shape,
                                               execution.seed, execution.output};
    return;
  }
}

void gather(Grading& grading) {
  auto& verdict = grading.verdict;
  verdict.lines = judge::lines(grading.executions);
  const judge::Execution* shown = nullptr;
  std::string printed;
  for (const auto& execution : grading.executions) {
    if (!shown || judge::goes_before(execution, *shown)) shown = &execution;
    const auto& found = execution.observed.findings; // the first that are not all notes are shown
    if (std::ranges::all_of(verdict.findings, is_note) &&
        (verdict.findings.empty() || !std::ranges::all_of(found, is_note)))
      verdict.findings = found;
    if (printed.empty()) printed = execution.observed.printed;
  }
  verdict.printed += printed; // host code's words come first
  if (shown) verdict.launches = shown->observed.launches;
}

// An ending of its own where the failure is not a matter of right and wrong.
void name_ending(Grading& grading) {
  auto& verdict = grading.verdict;
  for (const auto& execution : grading.executions) {
    const auto& observed = execution.observed;
    if (observed.status == device::Observation::Status::unsupported) {
      conclude(verdict, endings::NotExecutable{observed.reason});
      return;
    }
    for (const auto& finding : observed.findings) {
      if (finding.kind == device::FindingKind::budget) verdict.ending = Ending::timed_out;
    }
  }
  if (grading.unsupported.empty()) return;
  if (verdict.ending == Ending::passed) {
    verdict.notes.push_back(judge::facts::Ignored{grading.unsupported.front()});
  } else if (verdict.ending == Ending::failed) {
    conclude(verdict, endings::UnknownCall{grading.unsupported.front()});
  }
}

// Throws ReferenceFailed.
void try_and_measure(Grading& grading, std::vector<Case>& cases) {
  const auto& exercise = grading.exercise;
  grading.give_reference = reference_in_file(exercise, grading.tools);
  for (auto& one : cases) grading.give_reference(one);
  grading.unlimited = limits_unknown(exercise);
  if (grading.unlimited.empty()) {
    if (auto how = ask_solution(exercise, cases, grading.submission.seed, grading.tools)) {
      conclude(grading.verdict, std::move(*how));
      return;
    }
  }
  const auto built = compiled(grading);
  if (!built) return;
  if (!built->modules.empty()) grading.code.ptx = built->modules.front().ptx;
  bool right = true;
  for (const auto& shape : cases) {
    if (would_be_ended(grading, shape)) continue;
    right = try_shape(grading, *built, shape);
    if (!right) break;
  }
  right = right && try_other_orders(grading);
  if (right && grading.tools.gpu) measure_on_gpu(grading);
}

} // namespace

judge::Verdict not_graded(const Exercise& exercise, const Submission& submission,
                          const judge::Means& means, const judge::EndedBy& how) {
  const Tools none;
  Grading grading{exercise, submission, none, blank(exercise, submission, means)};
  conclude(grading.verdict, how);
  judge_executions(grading);
  judge::settle(grading.verdict);
  return std::move(grading.verdict);
}

judge::Verdict grade(const Exercise& exercise, const Submission& submission, const Tools& tools) {
  Grading grading{exercise, submission, tools, blank(exercise, submission, tools.means)};
  auto& verdict = grading.verdict;
  auto cases = cases_of(exercise, submission.seed);
  try {
    try_and_measure(grading, cases);
  } catch (const ReferenceFailed& failed) {
    conclude(verdict, failed.how);
    verdict.compiler = failed.compiler;
  }
  judge_executions(grading);
  if (verdict.ending == Ending::passed)
    note_removed(device::removed_arrays(grading.code), verdict.checks, verdict.notes);
  if (!grading.launch || grading.launch->status != Status::failed)
    note_refusals(grading.refused, verdict.notes); // a failed launch names the first itself
  describe_output(grading);
  mention(grading);
  gather(grading);
  judge::settle(verdict);
  name_ending(grading);
  judge::settle(verdict); // by the ending that it has now
  if (verdict.ending == Ending::passed) verdict.explanation = exercise.explanation;
  if (exercise.time && (verdict.ending == Ending::passed || judge::tells_less_time(verdict)))
    verdict.does_not_pay = exercise.time->does_not_pay;
  return verdict;
}

} // namespace course::lab
