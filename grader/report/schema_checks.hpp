// JSON that a test has made, for schema_test.py, which holds it against a schema.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace course::report {

// Does nothing where nobody asks for it. `fits`: false where the schema has to refuse it.
inline void hold_to_schema(const std::string& name, const nlohmann::json& value,
                           const nlohmann::json& schema, bool fits = true) {
  const char* folder = std::getenv("COURSE_SCHEMA_CASES");
  if (!folder) return;
  std::ofstream(std::filesystem::path(folder) / (name + ".json"))
      << nlohmann::json{{"value", value}, {"schema", schema}, {"fits", fits}};
}

} // namespace course::report
