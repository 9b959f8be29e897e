#include "report/sarif.hpp"

#include "report/faults.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <set>

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

bool is_unreserved(unsigned char c) {
  const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  return letter || (c >= '0' && c <= '9') || std::string_view("-._~/").find(c) != std::string::npos;
}

// A relative URI (RFC 3986) of a path in the submission.
std::string uri(std::string_view path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(byte)) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

Json result(const Fault& fault) {
  Json location{{"artifactLocation", {{"uri", uri(fault.path)}}}};
  if (fault.line > 0) location["region"] = {{"startLine", fault.line}};
  Json json{{"ruleId", fault.rule},
            {"level", fault.serious ? "error" : "warning"},
            {"message", {{"text", printable(fault.message)}}},
            {"locations", Json::array({{{"physicalLocation", location}}})},
            {"partialFingerprints",
             {{"check/v1", (fault.exercise.empty() ? fault.path : fault.exercise) + ":" +
                               fault.rule + ":" + std::to_string(fault.line)}}}};
  if (fault.other_line == 0) return json;
  const Json other{{"artifactLocation", {{"uri", uri(fault.path)}}},
                   {"region", {{"startLine", fault.other_line}}}};
  json["relatedLocations"] = Json::array(
      {{{"id", 1}, {"message", {{"text", "the other access"}}}, {"physicalLocation", other}}});
  return json;
}

} // namespace

nlohmann::ordered_json sarif(const GradedStudent& student, const std::string& version) {
  std::vector<Fault> all;
  for (const auto& exercise : student.exercises)
    for (auto& fault : faults(exercise)) all.push_back(std::move(fault));
  return sarif(all, "A check failed: ", version);
}

nlohmann::ordered_json sarif(const std::vector<Fault>& faults, const std::string& about,
                             const std::string& version) {
  Json results = Json::array(), rules = Json::array();
  std::set<std::string> seen;
  for (const auto& fault : faults) {
    results.push_back(result(fault));
    if (seen.insert(fault.rule).second)
      rules.push_back(
          {{"id", fault.rule}, {"shortDescription", {{"text", about + fault.rule + "."}}}});
  }
  const Json driver{{"name", "shared memory course"}, {"version", version}, {"rules", rules}};
  Json run{{"tool", {{"driver", driver}}}, {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({run})}};
}

} // namespace course::report
