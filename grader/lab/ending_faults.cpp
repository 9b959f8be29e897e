#include "lab/ending_faults.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <sstream>

namespace course::lab {
namespace {

namespace endings = judge::endings;
using End = runtime::Recording::End;

bool is_of_device(device::Address address) {
  return (address >= runtime::kFirstAddress && address < runtime::kLastManagedVariable) ||
         (address >= runtime::kFirstRecordedVariable && address < runtime::kLastRecordedVariable);
}

// The call by which nvcc has host code reach for a __managed__ variable, and its name: no file
// calls that itself.
constexpr std::string_view kReaches = "__cudaRegisterManagedVar ";

} // namespace

judge::Fault unanswered(const std::string& call, int signal) {
  if (call.starts_with(kReaches)) return endings::ManagedVariable{call.substr(kReaches.size())};
  return endings::UnknownCall{call, signal};
}

namespace {

// The first line that has the word, but in a comment to its end; 0: none has.
std::uint32_t line_of(std::string_view word, const std::string& source) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::istringstream lines(source);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    line.resize(std::min(line.size(), line.find("//")));
    for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
      const auto end = at + word.size();
      if ((at == 0 || !is_part(line[at - 1])) && (end == line.size() || !is_part(line[end])))
        return number;
    }
  }
  return 0;
}

} // namespace

void find_line(judge::EndedBy& how, const std::string& source) {
  if (auto* call = std::get_if<endings::UnknownCall>(&how))
    call->line = line_of(call->call.substr(0, call->call.find(' ')), source);
  if (auto* variable = std::get_if<endings::ManagedVariable>(&how))
    variable->line = line_of(variable->name, source);
}

namespace {

// What follows a call that this runtime does not have is no fault of the file's. To touch memory of
// the device does not follow: there it is what could not be answered.
judge::Fault crashed(const runtime::Recording& recording, const Exercise& exercise,
                     const judge::Shape& shape) {
  if (!recording.unsupported.empty()) {
    const bool by_touch = recording.touched && is_of_device(recording.touched->address);
    return unanswered(recording.unsupported.front(), by_touch ? 0 : recording.signal);
  }
  endings::Crashed how{{name_of_launcher(exercise), shape}, recording.signal, recording.reason};
  if (const auto& touched = recording.touched) {
    how.touched = {touched->address, touched->writes, is_of_device(touched->address), ""};
    if (touched->region && !exercise.cases.empty()) { // operands are the first that there is
      const auto& operands = exercise.cases.front().operands;
      if (*touched->region < operands.size()) how.touched->buffer = operands[*touched->region].name;
    }
  }
  // Not __cudaRegisterFatBinary: no file calls it, and one without kernels has nothing to register.
  const auto refused = std::find_if_not(recording.errors.begin(), recording.errors.end(),
                                        [](const auto& e) { return e.call.starts_with("__"); });
  if (refused != recording.errors.end()) how.refused = {refused->call, refused->error};
  return how;
}

judge::Fault other_end(const runtime::Recording& recording, const Exercise& exercise,
                       const judge::Shape& shape, const sandbox::Limits& limits) {
  using How = endings::NotReturned::How;
  const auto call = [&](How how, double amount = 0) {
    return endings::NotReturned{how, {name_of_launcher(exercise), shape}, amount, recording.reason};
  };
  const auto seconds = [](auto limit) { return std::chrono::duration<double>(limit).count(); };
  const auto bytes = [](std::uint64_t count) { return static_cast<double>(count); };
  switch (recording.end) {
  case End::cpu_time:
    return call(How::still_running, seconds(limits.cpu));
  case End::wall_time:
    return call(How::still_running, seconds(limits.wall));
  case End::exited:
    return call(How::exited, recording.code);
  case End::memory:
    return call(How::memory, bytes(limits.memory));
  case End::output:
    return call(How::output, bytes(limits.output));
  case End::file_size:
    return call(How::file_size, bytes(limits.file_size));
  case End::too_large:
    return call(How::too_large);
  case End::not_loaded:
    return endings::NotLoaded{recording.reason};
  case End::no_function:
    return endings::NotExported{exercise.signature, recording.reason};
  case End::bad_protocol:
    return call(How::bad_protocol);
  case End::not_started:
    return endings::NotStarted{recording.reason};
  case End::returned:
  case End::crashed:
    break;
  }
  return call(How::unknown);
}

} // namespace

std::string name_of_launcher(const Exercise& exercise) {
  return exercise.function.substr(0, exercise.function.find('('));
}

judge::Fault empty_file(const Exercise& exercise, const std::string& file) {
  return endings::Empty{file, exercise.id};
}

judge::Fault rejected(const build::Rejected& rejected, const std::string& file) {
  using Reason = build::Rejected::Reason;
  using Why = endings::Rejected::Why;
  switch (rejected.reason) {
  case Reason::diagnostics:
    break;
  case Reason::timed_out:
    return endings::Rejected{Why::timed_out, file};
  case Reason::too_large:
    return endings::Rejected{Why::too_large, file};
  case Reason::out_of_memory:
    return endings::Rejected{Why::out_of_memory, file};
  case Reason::unreadable:
    return endings::Unreadable{file, rejected.text.empty() ? "unknown reason" : rejected.text};
  case Reason::no_compiler:
    return endings::NoToolkit{};
  }
  return endings::Rejected{Why::diagnostics, file};
}

judge::Fault no_function(const Exercise& exercise, const std::string& file,
                         const std::vector<std::string>& functions) {
  return endings::NoFunction{file, exercise.signature, functions};
}

std::optional<judge::Fault> not_returned(const runtime::Recording& recording,
                                         const Exercise& exercise, const judge::Shape& shape,
                                         const sandbox::Limits& limits) {
  if (recording.end == End::returned) return std::nullopt;
  if (recording.end == End::crashed) return crashed(recording, exercise, shape);
  return other_end(recording, exercise, shape, limits);
}

judge::Fault too_much_asked(const Exercise& exercise, const judge::Shape& shape) {
  return endings::TooMuchAsked{{name_of_launcher(exercise), shape}};
}

bool takes_a_kernel(const Exercise& exercise, const Case& shape) {
  const auto is_input = [](const Operand& one) { return !one.output; };
  const auto has_data = [](const Operand& one) { return !one.output && one.elements > 0; };
  const bool depends = std::ranges::any_of(shape.operands, has_data) ||
                       std::ranges::none_of(shape.operands, is_input);
  return exercise.launches && shape.bounds.elements > 0 && depends;
}

judge::Check check_launch(const runtime::Recording& recording, const Exercise& exercise,
                          const judge::Shape& shape, bool expects_launch) {
  judge::Check check;
  check.name = judge::name_of(judge::CheckKind::launch);
  check.shape = shape;
  const auto is_launch = [](const device::Step& step) {
    return std::holds_alternative<device::Launch>(step);
  };
  const auto counts = [&](const runtime::CudaError& error) {
    return exercise.calls_succeed || error.call.find("Launch") != error.call.npos;
  };
  const auto& steps = recording.plan.steps;
  const auto launches = std::count_if(steps.begin(), steps.end(), is_launch);
  const bool refused = std::ranges::any_of(recording.errors, counts);
  const bool missing = expects_launch && launches == 0;
  if (!refused && !missing) {
    check.status = judge::Status::passed;
    check.facts = judge::facts::Launched{static_cast<std::uint64_t>(launches)};
    return check;
  }
  check.status = judge::Status::failed;
  if (recording.errors.empty()) {
    check.facts = judge::facts::NothingLaunched{name_of_launcher(exercise)};
    return check;
  }
  const auto& error = recording.errors.front(); // those after it often follow from it
  check.facts = judge::facts::CallRefused{error.call, error.error, error.why};
  return check;
}

} // namespace course::lab
