#include "classroom/gradescope_metadata.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

struct Applied {
  Member member = hand_made::member("submission");
  Settings settings;
  void apply(const std::string& json) {
    apply_gradescope(json, hand_made::exercises(), member, settings);
  }
};

const std::string kExtended = R"({"created_at": "2026-11-22T10:00:00.365935+01:00",
  "assignment": {"due_date": "2026-11-20T23:59:00.000000+01:00", "total_points": "20.0"},
  "users": [{"id": 1, "assignment": {"due_date": "2026-11-22T23:59:00.000000+01:00"}}]})";

} // namespace

TEST_CASE("Gradescope's clock, its deadline with extensions, and its points count") {
  Applied one;
  one.settings.labs["08_tiled_product"].due = time_of("2026-11-18T12:00:00Z");
  one.apply(kExtended);
  CHECK(one.member.times.at("").clock == "Gradescope");
  CHECK(one.member.times.at("").at == time_of("2026-11-22T09:00:00Z"));
  CHECK(one.settings.total == 20);
  CHECK(one.settings.labs["05_transpose"].due == time_of("2026-11-22T22:59:00Z"));
  CHECK(one.settings.labs["08_tiled_product"].due == time_of("2026-11-20T12:00:00Z"));
}

TEST_CASE("what the settings say stays, and what is missing or odd changes nothing") {
  Applied one;
  one.settings.total = 100;
  one.apply(kExtended);
  CHECK(one.settings.total == 100);
  for (const char* text :
       {"", "[]", "{}", "{\"created_at\": 1, \"assignment\": [], \"users\": {}}",
        "{\"assignment\": {\"due_date\": \"soon\", \"total_points\": \"many\"}, \"users\": [1]}"}) {
    Applied nothing;
    nothing.apply(text);
    CHECK(nothing.member.times.empty());
    CHECK(nothing.settings.labs.empty());
    CHECK_FALSE(nothing.settings.total);
  }
}

} // namespace course::classroom
