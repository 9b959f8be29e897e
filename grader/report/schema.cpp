#include "report/schema.hpp"

#include <algorithm>
#include <set>

namespace course::report {
namespace {

using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  return false;
}

bool has_a_type_of(const Json& value, const Json& types) {
  if (types.is_string()) return has_type(value, types);
  return std::any_of(types.begin(), types.end(),
                     [&](const Json& type) { return has_type(value, type); });
}

using Complaints = std::vector<std::string>;

std::string at(std::string path, const std::string& what) {
  return path.append(": ").append(what);
}
std::string below(std::string path, const std::string& name) {
  return path.append(".").append(name);
}

void append(Complaints& all, const Complaints& more) {
  all.insert(all.end(), more.begin(), more.end());
}

Complaints about_fields(const Json& object, const Json& schema, const std::string& path) {
  Complaints all;
  const Json known = schema.value("properties", Json::object());
  for (const auto& name : schema.value("required", Json::array())) {
    if (!object.contains(name)) all.push_back(at(path, "lacks " + name.get<std::string>()));
  }
  for (const auto& [name, value] : object.items()) {
    if (known.contains(name)) {
      append(all, complaints(value, known[name], below(path, name)));
    } else if (schema.value("additionalProperties", true) == false) {
      all.push_back(at(path, name + " is not in the schema"));
    }
  }
  return all;
}

} // namespace

std::vector<std::string> complaints(const Json& value, const Json& schema,
                                    const std::string& path) {
  static const std::set<std::string> kKeywords{
      "$schema",  "title",      "description",          "type",  "enum",
      "required", "properties", "additionalProperties", "items", "minimum"};
  Complaints all;
  for (const auto& [keyword, unused] : schema.items()) {
    if (!kKeywords.count(keyword)) all.push_back(at(path, keyword + " is not understood"));
  }
  if (schema.contains("type") && !has_a_type_of(value, schema["type"]))
    all.push_back(path + ": not of type " + schema["type"].dump());
  if (schema.contains("enum")) {
    const auto& allowed = schema["enum"];
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      all.push_back(path + ": not one of the enum");
  }
  if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
    all.push_back(path + ": below the minimum");
  if (value.is_object()) append(all, about_fields(value, schema, path));
  if (value.is_array() && schema.contains("items")) {
    for (std::size_t i = 0; i < value.size(); ++i)
      append(all, complaints(value[i], schema["items"], path + "[" + std::to_string(i) + "]"));
  }
  return all;
}

} // namespace course::report
