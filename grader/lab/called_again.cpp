#include "lab/called_again.hpp"

#include "judge/counts.hpp"
#include "lab/inputs.hpp"
#include "lab/launcher.hpp"
#include "lab/one_execution.hpp"
#include "lab/other_orders.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace course::lab {
namespace {

using Values = std::vector<runtime::Call::Value>;

// What it may have left of its floats is not what the next call gets.
Values with_other_floats(Values arguments) {
  using Kind = runtime::Call::Value::Kind;
  const auto other = [](auto number) { return number == 0 ? decltype(number)(1) : number / 2; };
  for (auto& [kind, bits] : arguments) {
    if (kind == Kind::f32)
      bits = std::bit_cast<std::uint32_t>(other(std::bit_cast<float>(std::uint32_t(bits))));
    if (kind == Kind::f64) bits = std::bit_cast<std::uint64_t>(other(std::bit_cast<double>(bits)));
  }
  return arguments;
}

const Case* case_of(const std::vector<Case>& cases, const judge::Shape& shape) {
  const auto found = std::ranges::find(cases, shape, &Case::shape);
  return found == cases.end() ? nullptr : &*found;
}

bool is_empty(const Case& shape) {
  return std::ranges::any_of(shape.operands, [](const Operand& one) { return one.elements == 0; });
}

// The cheapest of another shape, of those whose blocks are no multiple of these if there is one:
// counts modulo the blocks fit otherwise.
const Case& another(const std::vector<Case>& cases, const Executed& executed, const Rerun& one) {
  const Case* found = nullptr;
  std::pair<bool, std::uint64_t> least;
  for (const auto& execution : executed.executions) {
    const auto* shape = case_of(cases, execution.shape);
    if (!shape || shape->shape == one.shape->shape || is_empty(*shape) ||
        shape->shared_kib != one.shape->shared_kib)
      continue;
    std::uint64_t blocks = 0;
    for (const auto& launch : execution.observed.launches)
      blocks = std::max(blocks, launch.grid.count());
    if (blocks == 0) continue;
    const bool fits = one.blocks > 1 && blocks % one.blocks == 0;
    const std::pair costs{fits, judge::count(execution.observed).instructions};
    if (!found || costs < least) found = shape, least = costs;
  }
  return found ? *found : *one.shape;
}

// Two shapes, each with arrays of its own, but that inputs of either have room in the second's.
struct Arrays {
  const Case &first, &second;
  Placement firsts, seconds;

  Arrays(const Case& one, const Case& other, std::uint64_t guard)
      : first(one), second(other), firsts(one.operands, guard),
        seconds(with_room(one.operands, other.operands), guard, firsts.end()) {}

  static std::vector<Operand> with_room(const std::vector<Operand>& one,
                                        std::vector<Operand> other) {
    for (std::size_t i = 0; i < other.size(); ++i)
      if (!other[i].output) other[i].elements = std::max(other[i].elements, one[i].elements);
    return other;
  }
};

// The first shape, the second, and the first again: with the output where its first one was, and
// inputs where the second's were. So nothing fits that a call keeps of the one before it: no sizes,
// no addresses of outputs, and no numbers that go with the address of an input.
runtime::Call three_calls(const Exercise& exercise, const Arrays& arrays) {
  const auto& [first, second, firsts, seconds] = arrays;
  auto asked = call(exercise, first, firsts);
  const auto other = call(exercise, second, seconds);
  asked.before = {with_other_floats(asked.arguments), other.arguments};
  for (std::size_t i = 0; i < first.arguments.size(); ++i) {
    const auto* pointer = std::get_if<Pointer>(&first.arguments[i]);
    if (pointer && !first.operands[pointer->operand].output)
      asked.arguments[i] = other.arguments[i];
  }
  asked.memory.insert(asked.memory.end(), other.memory.begin(), other.memory.end());
  return asked;
}

struct Inputs {
  std::vector<Floats> first, second, again;
};

Inputs inputs_of(const Arrays& arrays, std::uint64_t seed) {
  const auto made = [&](const Case& shape, std::size_t i) {
    return shape.inputs(kFlavours[i], derive(seed, i));
  };
  return {made(arrays.first, 0), made(arrays.second, 1), made(arrays.first, 2)};
}

// Before the last call its numbers come into the arrays.
void upload_before_last(device::Plan& plan, std::size_t at, const Arrays& arrays,
                        const std::vector<Floats>& again) {
  std::vector<device::Step> steps;
  const auto to_first = arrays.firsts.buffers(again), to_second = arrays.seconds.buffers(again);
  for (std::size_t i = 0; i < to_first.size(); ++i) {
    const bool output = arrays.first.operands[i].output;
    const auto& buffer = output ? to_first[i] : to_second[i];
    steps.emplace_back(device::Upload{buffer.address, buffer.bytes});
  }
  steps.emplace_back(device::StreamCall{device::StreamCall::What::host_waits_for_all});
  plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(at),
                    std::move_iterator(steps.begin()), std::move_iterator(steps.end()));
}

judge::Execution execution_of(const Case& shape, std::uint64_t seed) {
  judge::Execution execution;
  execution.shape = shape.shape;
  execution.shape.again = true;
  execution.drawn_shape = shape.drawn;
  execution.seed = seed;
  execution.shared_kib = shape.shared_kib;
  execution.bounds = without_limits(shape.bounds.elements); // counts are those of one call
  execution.output_name = shape.operands[output_of(shape)].name;
  return execution;
}

// What came of the second call, or, where that is right, of the last.
judge::Execution held_against(const Arrays& arrays, const Inputs& inputs, std::uint64_t seed,
                              device::Observation observed) {
  const auto compared = [&](const Case& shape, const Placement& placement,
                            const std::vector<Floats>& given, std::size_t i) {
    auto execution = execution_of(shape, derive(seed, i));
    execution.observed = observed;
    if (observed.status != device::Observation::Status::completed) return execution;
    execution.output = compare_output(shape, placement, given, observed.buffers);
    if (shape.numbers)
      execution.numbers =
          shape.numbers(observed, placement.values(observed.buffers, output_of(shape)));
    return execution;
  };
  const auto split =
      observed.buffers.begin() +
      static_cast<std::ptrdiff_t>(std::min(observed.buffers.size(), arrays.first.operands.size()));
  std::vector<device::Bytes> of_second(split, observed.buffers.end());
  std::swap(observed.buffers, of_second);
  auto second = compared(arrays.second, arrays.seconds, inputs.second, 1);
  if (went_wrong(second) || has_error(second)) return second;
  std::swap(observed.buffers, of_second);
  return compared(arrays.first, arrays.firsts, inputs.again, 2);
}

// Both shapes' budgets, and twice the first's.
Case for_three_calls(const Case& first, const Case& second) {
  Case all = second;
  all.shape.again = true;
  all.instruction_budget += 2 * first.instruction_budget;
  return all;
}

} // namespace

CalledAgain called_again(const Grading& grading, const std::vector<Case>& cases,
                         const Executed& executed, const CompiledFile& file) {
  CalledAgain all;
  const auto& few = executed.reruns.few;
  if (!few.shape || !grading.exercise.called_again ||
      std::ranges::any_of(executed.executions, has_error))
    return all;
  const Arrays arrays(another(cases, executed, few), *few.shape, grading.tools.guard);
  auto thrice = recorded(grading, file, for_three_calls(arrays.first, arrays.second),
                         three_calls(grading.exercise, arrays));
  if (!thrice.job) return {std::move(thrice.host), std::move(thrice.stop), {}, false};
  if (thrice.ends.size() != 2 || thrice.ends.back() > thrice.job->plan.steps.size()) return all;

  const auto seed = grading.submission.seed;
  const auto inputs = inputs_of(arrays, seed);
  auto& job = *thrice.job;
  job.buffers = arrays.firsts.buffers(inputs.first);
  std::ranges::move(arrays.seconds.buffers(inputs.second), std::back_inserter(job.buffers));
  upload_before_last(job.plan, thrice.ends.back(), arrays, inputs.again);
  // Blocks that a count from before leaves out may have had nothing to add: those of another order
  // do.
  for (const auto& order : {job.order, last_first().order}) {
    job.order = order;
    auto execution = held_against(arrays, inputs, seed, grading.tools.device->execute(job));
    if (!went_wrong(execution) && !has_error(execution)) continue;
    execution.observed.buffers.clear();
    name_files(execution.observed);
    all.wrong = std::move(execution);
    all.is_right = false;
    break;
  }
  return all;
}

} // namespace course::lab
