#include "report/annotations.hpp"

#include "report/faults.hpp"
#include "report/text.hpp"

namespace course::report {
namespace {

std::string escaped_data(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string command(const char* kind, const Fault& fault, const std::string& about) {
  std::string text =
      std::string("::") + kind + " file=" + escaped_data(printable(fault.path), true);
  if (fault.line > 0) text += ",line=" + std::to_string(fault.line);
  text += ",title=" + escaped_data(printable(about + fault.rule), true);
  return text + "::" + escaped_data(printable(fault.message), false) + "\n";
}

// Writes commands for the first of each kind.
struct Commands {
  std::string text = {};
  int errors = 0, warnings = 0;

  void add(const Fault& fault, const std::string& about) {
    auto& count = fault.serious ? errors : warnings;
    if (count++ < kMostAnnotations)
      text += command(fault.serious ? "error" : "warning", fault, about);
  }
};

} // namespace

std::string annotations(const GradedStudent& student) {
  Commands commands;
  for (const auto& exercise : student.exercises)
    for (const auto& fault : faults(exercise)) commands.add(fault, fault.exercise + " ");
  return commands.text;
}

std::string annotations(const std::vector<Fault>& faults, const std::string& about) {
  Commands commands;
  for (const auto& fault : faults) commands.add(fault, about);
  return commands.text;
}

} // namespace course::report
