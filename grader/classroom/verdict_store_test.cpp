#include "classroom/verdict_store.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::classroom {

TEST_CASE("everything that a verdict depends on is in its key") {
  const Circumstances with{"grader", "device", "13.0", "bubblewrap", 1, ""};
  std::set<std::string> keys{
      verdict_key("a/b", "1", "text", with), verdict_key("a/c", "1", "text", with),
      verdict_key("a/b", "2", "text", with), verdict_key("a/b", "1", "text ", with)};
  for (auto change : {0, 1, 2, 3, 4, 5}) {
    auto other = with;
    if (change == 0) other.grader = "newer";
    if (change == 1) other.device = "H200";
    if (change == 2) other.toolkit = "13.1";
    if (change == 3) other.sandbox = "landlock";
    if (change == 4) other.seed = 2;
    if (change == 5) other.language = "zh_CN";
    keys.insert(verdict_key("a/b", "1", "text", other));
  }
  CHECK(keys.size() == 10);
  CHECK(verdict_key("a/b", "1", "text", with) == verdict_key("a/b", "1", "text", with));
}

TEST_CASE("a verdict comes back with its reports, without the seed of its inputs") {
  const hand_made::Folder folder;
  const VerdictStore store(folder.path);
  const auto key = verdict_key("a/b", "1", "good", {});
  CHECK_FALSE(store.has(key));
  auto verdict = hand_made::verdict("a/b", "bad");
  verdict.seed = 987654321;
  verdict.lines.resize(1);
  store.put(key, verdict, "int a = b[c];", 1.5);
  CHECK(store.has(key));
  const auto stored = store.find(key);
  REQUIRE(stored);
  CHECK(stored->graded.points == 0);
  CHECK(stored->graded.max_points == 10);
  CHECK(stored->graded.seconds == 1.5);
  CHECK(stored->graded.wide.find("FAILED") != std::string::npos);
  CHECK(stored->graded.narrow.find("FAILED") != std::string::npos);
  CHECK(stored->graded.wide.find("987654321") == std::string::npos);
  CHECK(stored->fingerprints.whole == fingerprints("int x = y[z]; // names differ").whole);
}

TEST_CASE("a damaged verdict is none, and is made again") {
  const hand_made::Folder folder;
  const VerdictStore store(folder.path);
  const auto key = verdict_key("a/b", "1", "good", {}), other = verdict_key("a/c", "1", "good", {});
  store.put(key, hand_made::verdict("a/b", "good"), "good", 1);
  const auto file = folder.path / "verdicts" / key.substr(0, 2) / (key + ".json");
  const auto whole = *system::content_of(file);
  system::publish(folder.path / "verdicts" / other.substr(0, 2) / (other + ".json"), whole);
  CHECK_FALSE(store.has(other)); // it says whose it is
  system::publish(file, whole.substr(0, whole.size() - 20));
  CHECK_FALSE(store.has(key));
}

} // namespace course::classroom
