#include "lab/by_file.hpp"

#include "lab/ending_faults.hpp"
#include "lab/launcher.hpp"

#include <algorithm>
#include <cstring>

namespace course::lab {
namespace {

// The file, ready to be called for one shape.
struct Reference {
  const Exercise& exercise;
  const Tools& tools;
  build::Compiled built;

  Floats answer(const Case&, const std::vector<Floats>& inputs) const;
  std::vector<device::Bytes> called(const Case&, const std::vector<device::Buffer>&) const;
};

[[noreturn]] void fail(const Exercise& exercise, judge::Fault why, std::string compiler = {}) {
  throw ReferenceFailed({exercise.reference_file.filename().string(), std::move(why)},
                        std::move(compiler));
}

std::vector<device::Bytes> Reference::called(const Case& shape,
                                             const std::vector<device::Buffer>& before) const {
  auto done = tools.compute(built, call(exercise, shape, Placement(shape.operands, 0)), before);
  if (auto why = not_returned(done.recording, exercise, shape.shape, tools.reference_limits))
    fail(exercise, std::move(*why));
  return std::move(done.memory);
}

// The elements whose bytes are what they were.
std::vector<std::uint64_t> left_alone(const Operand& output, const device::Bytes& before,
                                      const device::Bytes& after) {
  const auto size = bytes_of(output.type);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < output.elements; ++i)
    if (std::memcmp(before.data() + i * size, after.data() + i * size, size) == 0) all.push_back(i);
  return all;
}

// An answer may happen to be what was there before. So where one seems not to be written it is
// computed again, over something else.
Floats Reference::answer(const Case& shape, const std::vector<Floats>& inputs) const {
  const Placement placement(shape.operands, 0);
  const auto which = output_of(shape);
  const auto& output = shape.operands[which];
  auto before = placement.buffers(inputs);
  const auto after = called(shape, before);
  if (const auto unwritten = left_alone(output, before[which].bytes, after[which]);
      !unwritten.empty()) {
    for (auto& byte : before[which].bytes) byte = ~byte;
    auto again = left_alone(output, before[which].bytes, called(shape, before)[which]);
    std::erase_if(again, [&](auto i) { return !std::ranges::binary_search(unwritten, i); });
    if (!again.empty())
      fail(exercise, judge::endings::Unwritten{{name_of_launcher(exercise), shape.shape},
                                               output.name,
                                               again.front(),
                                               again.size()});
  }
  return placement.values(after, which);
}

} // namespace

GiveReference reference_in_file(const Exercise& exercise, const Tools& tools) {
  const auto& file = exercise.reference_file;
  if (file.empty()) return [](Case&) {};
  const auto name = file.filename().string();
  auto result = tools.compile(file);
  if (const auto* refused = std::get_if<build::Rejected>(&result))
    fail(exercise, rejected(*refused, name), refused->text);
  const auto& functions = std::get<build::Compiled>(result).functions;
  if (!std::ranges::count(functions, exercise.function))
    fail(exercise, no_function(exercise, name, functions));
  const auto made = std::make_shared<Reference>(
      Reference{exercise, tools, std::get<build::Compiled>(std::move(result))});
  return [made](Case& one) {
    one.reference = [made, shape = one](const std::vector<Floats>& inputs) {
      return made->answer(shape, inputs);
    };
  };
}

} // namespace course::lab
