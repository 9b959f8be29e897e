// A verdict for programs: the whole of it, as verdict.schema.json describes.
#pragma once

#include "judge/verdict.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace course::report {

inline constexpr int kSchemaVersion = 1;

// Fields keep the order of the schema. Foreign bytes that are not UTF-8 are replaced by '?'.
nlohmann::ordered_json json(const judge::Verdict&);

// The same as it is said to people here and now, but for its findings: json() is English.
nlohmann::ordered_json spoken_json(const judge::Verdict&);

// An element of its `lines`, and of its `findings`.
nlohmann::ordered_json json(const device::LineCounts&);
nlohmann::ordered_json json(const device::Finding&);
void add_totals(nlohmann::ordered_json&, const device::LaunchTotals&); // a member for each

// The same as text, indented, with a newline at its end.
std::string json_text(const nlohmann::ordered_json&);

} // namespace course::report
