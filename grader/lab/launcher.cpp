#include "lab/launcher.hpp"

#include <algorithm>
#include <bit>

namespace course::lab {

runtime::Call call(const Exercise& exercise, const Case& shape, const Placement& placement) {
  using Kind = runtime::Call::Value::Kind;
  runtime::Call call;
  call.function = exercise.function;
  for (const auto& argument : shape.arguments) {
    if (const auto* pointer = std::get_if<Pointer>(&argument)) {
      call.arguments.push_back({Kind::pointer, placement.operand(pointer->operand).address});
    } else if (const auto* real = std::get_if<float>(&argument)) {
      call.arguments.push_back({Kind::f32, std::bit_cast<std::uint32_t>(*real)});
    } else {
      const auto number = static_cast<std::uint32_t>(std::get<std::int32_t>(argument));
      call.arguments.push_back({Kind::i32, number});
    }
  }
  for (const auto& region : placement.operands())
    call.memory.push_back({region.address, region.size});
  call.shared_kib = shape.shared_kib;
  return call;
}

std::size_t output_of(const Case& shape) {
  const auto& operands = shape.operands;
  const auto output = [](const Operand& operand) { return operand.output; };
  return static_cast<std::size_t>(std::find_if(operands.begin(), operands.end(), output) -
                                  operands.begin());
}

judge::Comparison compare_output(const Case& shape, const Placement& placement,
                                 const std::vector<Floats>& inputs,
                                 const std::vector<device::Bytes>& after) {
  return compare_output(shape, placement, inputs, shape.reference(inputs), after);
}

judge::Comparison compare_output(const Case& shape, const Placement& placement,
                                 const std::vector<Floats>& inputs, const Floats& expected,
                                 const std::vector<device::Bytes>& after) {
  const auto in = std::find_if(inputs.begin(), inputs.end(),
                               [](const Floats& values) { return !values.empty(); });
  auto got = placement.values(after, output_of(shape));
  const auto compared = got.size() - shape.answers;
  got.resize(compared);
  return judge::compare(got, std::span(expected).first(compared), shape.extent, shape.tolerance,
                        in == inputs.end() ? Floats{} : *in);
}

} // namespace course::lab
