#include "classroom/record.hpp"

#include "classroom/names.hpp"
#include "system/published_file.hpp"

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSchema = 5;
constexpr int kOlder = 4; // its ID is its label

Json to_json(const Row& row) {
  return {{"exercise", row.exercise}, {"file", encoded(row.file)}, {"key", row.key},
          {"refused", row.refused},   {"graded", row.graded},      {"failed", row.failed},
          {"time", row.time},         {"clock", row.clock},        {"digest", row.digest},
          {"version", row.version}};
}

Row row_of(const Json& json) {
  return {json.at("exercise"), decoded(json.at("file").get<std::string>()),
          json.at("key"),      json.at("refused"),
          json.at("graded"),   json.at("failed"),
          json.at("time"),     json.at("clock"),
          json.at("digest"),   json.at("version")};
}

} // namespace

const Record* work_in(const Work& work, const std::string& lab) {
  for (const auto& one : {lab, std::string()})
    if (const auto at = work.find(one); at != work.end()) return &at->second;
  return nullptr;
}

const Row* row_in(const Work& work, const std::string& exercise) {
  const auto* record = work_in(work, exercise.substr(0, exercise.find('/')));
  if (!record) return nullptr;
  for (const auto& row : record->rows)
    if (row.exercise == exercise) return &row;
  return nullptr;
}

fs::path archived(const fs::path& results, const std::string& exercise, const std::string& digest) {
  return results / "archive" / exercise / (digest + ".cu");
}

fs::path record_path(const fs::path& results, const std::string& id) {
  return results / "records" / (id + ".json");
}

std::optional<Record> read_record(const fs::path& results, const std::string& id) {
  const auto text = system::content_of(record_path(results, id));
  if (!text) return std::nullopt;
  try {
    const auto json = Json::parse(*text);
    const bool older = json.at("schema") == kOlder;
    if ((json.at("schema") != kSchema && !older) || json.at("id") != id) return std::nullopt;
    Record record;
    record.id = json.at("id");
    record.label = json.at(older ? "id" : "label");
    record.name = decoded(json.at("name").get<std::string>());
    record.lab = json.at("lab");
    record.place.path = decoded(json.at("path").get<std::string>());
    for (const auto& part : json.at("parts"))
      record.place.parts.push_back(
          {decoded(part.at(0).get<std::string>()), decoded(part.at(1).get<std::string>())});
    record.problems = json.at("problems");
    record.ignored = json.at("ignored");
    record.read = json.at("read");
    record.blocked = json.at("blocked");
    for (const auto& row : json.at("rows")) record.rows.push_back(row_of(row));
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void write_record(const fs::path& results, const Record& record) {
  Json json{{"schema", kSchema},         {"id", record.id},
            {"label", record.label},     {"name", encoded(record.name)},
            {"lab", record.lab},         {"path", encoded(record.place.path.string())},
            {"parts", Json::array()},    {"problems", record.problems},
            {"ignored", record.ignored}, {"read", record.read},
            {"blocked", record.blocked}, {"rows", Json::array()}};
  for (const auto& part : record.place.parts)
    json["parts"].push_back({encoded(part.item), encoded(part.name)});
  for (const auto& row : record.rows) json["rows"].push_back(to_json(row));
  const auto text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto file = record_path(results, record.id);
  // A power failure may take the last seconds of a record, never of a verdict: the next run looks
  // into the submission again, and finds what was graded in the store.
  if (system::content_of(file) != text) system::publish(file, text);
}

} // namespace course::classroom
