#include "classroom/verdict_store.hpp"

#include "build/digest.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"
#include "system/published_file.hpp"

namespace course::classroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWide = 80;

// For pages, which say of the seed and of GPUs what the settings and the class give.
std::string rendered(const judge::Verdict& verdict, std::string_view source, int columns) {
  report::Terminal screen{columns, true};
  screen.alone = false;
  return report::terminal(verdict, source, screen);
}

} // namespace

std::string verdict_key(const std::string& exercise, const std::string& version,
                        std::string_view source, const Circumstances& with) {
  return build::Digest()
      .add(exercise)
      .add(version)
      .add(source)
      .add(with.grader)
      .add(with.device)
      .add(with.toolkit)
      .add(with.sandbox)
      .add(std::to_string(with.seed))
      .add(with.language)
      .hex();
}

std::filesystem::path VerdictStore::path_of(const std::string& key) const {
  return folder_ / key.substr(0, 2) / (key + ".json");
}

bool VerdictStore::has(const std::string& key) const {
  return find(key).has_value();
}

std::optional<StoredVerdict> VerdictStore::find(const std::string& key) const {
  const auto text = system::content_of(path_of(key));
  if (!text) return std::nullopt;
  try {
    const auto json = Json::parse(*text);
    if (json.at("key") != key) return std::nullopt;
    StoredVerdict stored{report::graded_exercise(json.at("verdict")), {}};
    stored.graded.wide = json.at("wide");
    stored.graded.narrow = json.at("narrow");
    stored.graded.seconds = json.at("seconds");
    stored.fingerprints.whole = json.at("whole");
    stored.fingerprints.prints = json.at("prints").get<std::vector<std::uint64_t>>();
    return stored;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void VerdictStore::put(const std::string& key, const judge::Verdict& verdict,
                       std::string_view source, double seconds) const {
  const auto prints = fingerprints(source);
  const Json json{{"key", key},
                  {"seconds", seconds},
                  {"whole", prints.whole},
                  {"prints", prints.prints},
                  {"verdict", report::spoken_json(verdict)},
                  {"wide", rendered(verdict, source, kWide)},
                  {"narrow", rendered(verdict, source, report::kNarrow)}};
  system::publish(path_of(key), json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
                  system::Durable::yes);
}

} // namespace course::classroom
