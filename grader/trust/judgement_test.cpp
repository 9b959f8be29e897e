#include "trust/judgement.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace course::trust {
namespace {

constexpr const char* kFailed = R"({"verdict": "failed", "headline": "3 of 4 are wrong", "checks": [
  {"name": "output", "status": "failed"}, {"name": "memory", "status": "passed"},
  {"name": "traffic", "status": "failed"}, {"name": "time", "status": "not_measured"}]})";

Trial failed() {
  Trial trial;
  trial.exit_code = 1;
  trial.out = "  output   FAILED\n";
  trial.json = kFailed;
  return trial;
}

Declaration wants(const std::string& must) {
  return declaration("// attack: x\n// against: a/b\n// must: " + must + "\n");
}

TEST_CASE("a verdict is told in a word or two") {
  CHECK(verdict_in(kFailed) == "failed output, traffic");
  CHECK(verdict_in(R"({"verdict": "crashed", "checks": [{"name": "host", "status": "failed"}]})") ==
        "crashed");
  CHECK(verdict_in("") == "nothing");
  CHECK(verdict_in("[1, 2") == "nothing");
  CHECK(verdict_in("{}") == "nothing");
}

TEST_CASE("an attack is caught by exactly the verdict that it declares") {
  CHECK(complaints(wants("failed output, traffic"), failed()).empty());
  CHECK(complaints(wants("failed traffic, output"), failed()).empty());
  CHECK(complaints(wants("failed output"), failed()).size() == 1);
  CHECK(complaints(wants("failed output, traffic, memory"), failed()).size() == 1);
  CHECK(complaints(wants("crashed"), failed()).size() == 1);
  CHECK(complaints(wants("passed"), failed()).size() == 1);
}

TEST_CASE("what needs a GPU has to pass without one, whatever it declares") {
  auto declared = wants("failed time");
  CHECK(complaints_without_gpu(declared, failed()).size() == 1);
  auto trial = failed();
  trial.exit_code = 0;
  trial.json = R"({"verdict": "passed", "checks": [{"name": "time", "status": "not_measured"}]})";
  CHECK(complaints_without_gpu(declared, trial).empty());
  trial.exit_code = 1;
  trial.json = R"({"verdict": "failed", "checks": [{"name": "time", "status": "not_measured"}]})";
  CHECK(complaints_without_gpu(declared, trial).empty());
  trial.exit_code = 0;
  trial.json = R"({"verdict": "did_not_compile", "checks": []})";
  CHECK(complaints_without_gpu(declared, trial).size() == 2); // and another exit code is due
}

TEST_CASE("what failed because nothing could be measured says so") {
  auto trial = failed();
  trial.json = R"({"verdict": "failed", "checks": [{"name": "time", "status": "not_measured"}]})";
  CHECK(verdict_in(trial.json) == "failed none");
  CHECK(complaints(wants("failed none"), trial).empty());
  CHECK(complaints(wants("failed time"), trial).size() == 1);
  CHECK(complaints(wants("failed none"), failed()).size() == 1);
}

TEST_CASE("the report or the JSON has to say why") {
  CHECK(complaints(wants("failed output, traffic: of 4 are wrong"), failed()).empty());
  CHECK(complaints(wants("failed output, traffic: output   FAILED"), failed()).empty());
  CHECK(complaints(wants("failed output, traffic: of 5 are wrong"), failed()).size() == 1);
}

TEST_CASE("what must never be printed is looked for everywhere") {
  auto declared = wants("failed output, traffic");
  declared.never = {"root:"};
  CHECK(complaints(declared, failed()).empty());
  for (std::string Trial::*where : {&Trial::out, &Trial::err, &Trial::json}) {
    auto trial = failed();
    trial.*where += "root:x:0:0";
    CHECK_FALSE(complaints(declared, trial).empty());
  }
}

TEST_CASE("a good trial breaks no promise, and each broken one is told") {
  CHECK(broken_promises(failed()).empty());
  const std::function<void(Trial&)> breaks[] = {
      [](Trial& trial) { trial.exit_code = 0; },
      [](Trial& trial) { trial.exit_code = 8; },
      [](Trial& trial) { trial.signal = 11; },
      [](Trial& trial) { trial.too_late = true; },
      [](Trial& trial) { trial.json.clear(); },
      [](Trial& trial) { trial.json.pop_back(); },
      [](Trial& trial) { trial.out += "\x1b[2J"; },
      [](Trial& trial) { trial.out += "\r"; },
      [](Trial& trial) { trial.err += "\a"; },
      [](Trial& trial) { trial.err += "\xff"; },
      [](Trial& trial) { trial.out += std::string(1 << 20, 'x'); },
      [](Trial& trial) { trial.json.insert(1, R"("printed": "a\u001b[2J", )"); },
      [](Trial& trial) { trial.leftovers = 1; },
      [](Trial& trial) { trial.left_behind = {"course-scratch-1"}; },
  };
  for (const auto& change : breaks) {
    auto trial = failed();
    change(trial);
    CHECK_FALSE(broken_promises(trial).empty());
    CHECK_FALSE(complaints(wants("failed output, traffic"), trial).empty());
  }
}

} // namespace
} // namespace course::trust
