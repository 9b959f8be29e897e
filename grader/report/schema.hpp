// Holds a JSON value against a JSON Schema, for tests: as much of the language as
// verdict.schema.json uses (type, enum, required, properties, additionalProperties, items,
// minimum).
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace course::report {

// What does not fit, each with its path: "$.checks[2].status: not one of the enum". A keyword of
// the schema that is not known here is a complaint too, so that nothing goes unchecked.
std::vector<std::string> complaints(const nlohmann::json& value, const nlohmann::json& schema,
                                    const std::string& path = "$");

} // namespace course::report
