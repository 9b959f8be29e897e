// What an H200 said of copies against the rules, row by row of the table, and what is said here.
#include "device/emulator/hopper_form.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace course::emulator {

using namespace hopper;

namespace {

// What became of a copy on an H200: an error by its name, or whether its barrier completed.
std::string said(const std::string& result) {
  return result == "misaligned address"                       ? "misaligned"
         : result == "an illegal instruction was encountered" ? "illegal"
         : result.find("completed 1") != std::string::npos    ? "completes"
         : result.find("completed 0") != std::string::npos    ? "never"
                                                              : "";
}

// The same here: what is an error on the GPU, or without a word never ends, is named.
std::string seen(const Form& form) {
  for (const auto& finding : form.seen.findings) {
    if (finding.kind == device::FindingKind::misaligned) return "misaligned";
    const auto text = device::spelled(finding.message);
    if (text.starts_with("odd_coordinate(")) return "illegal";
    if (text.starts_with("bulk_of_odd_size(") || finding.fatal) return "never";
  }
  return form.why().empty() ? "completes" : form.why();
}

// A field may stand in double quotes, with commas in it.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields{""};
  bool inside = false;
  for (const char c : line) {
    if (c == '"')
      inside = !inside;
    else if (c == ',' && !inside)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

int number_behind(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  return at == text.npos ? 0 : std::stoi(text.substr(at + word.size()));
}

} // namespace

TEST_CASE(
    "copies against the rules end as an H200 ended them, or are named where it said nothing") {
  std::size_t compared = 0;
  std::stringstream table(read_file(COURSE_SOURCE_DIR "/book/data/h200/hopper_tma_faults.csv"));
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    const auto row = fields_of(line); // copy, case, result
    REQUIRE(row.size() == 3);
    const std::string &what = row[1], wanted = said(row[2]);
    if (wanted.empty()) continue; // the head, and what has no more than "no error"
    CAPTURE(what);
    std::string body;
    const bool tensor = row[0].starts_with("tensor");
    const int x = number_behind(what, "x "), swizzle = number_behind(what, "swizzle ");
    const int element =
        std::max(4 * (what.find("elem") == what.npos), number_behind(what, "elem "));
    const int behind = number_behind(what, "+");
    if (tensor) {
      body = expect(static_cast<std::size_t>(number_behind(what, "expect "))) +
             "  add.u32 %base, %base, " + std::to_string(behind) + ";\n" + box_in(2, {x, 0}) +
             wait();
    } else {
      const bool out = what.starts_with("global destination") || what.starts_with("shared source");
      const bool has_size = what.starts_with("size ");
      const int size = has_size ? number_behind(what, "size ") : 64;
      const std::string by = std::to_string(behind);
      if (what.starts_with("shared")) body += "  add.u32 %base, %base, " + by + ";\n";
      if (what.starts_with("global destination")) body += "  add.u64 %out, %out, " + by + ";\n";
      if (what.starts_with("global source")) body += "  add.u64 %in, %in, " + by + ";\n";
      if (out)
        body += "  @%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%base], 64;\n"
                "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n";
      else
        body += expect(static_cast<std::size_t>(size)) +
                "  @%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                "[%base], [%in], " +
                std::to_string(size) + ", [%bar];\n" + wait();
    }
    Form form(body);
    form.map.rank = 2;
    form.map.element = static_cast<std::uint8_t>(element);
    form.map.size = {static_cast<std::uint64_t>(256 / element), 64};
    form.map.stride = {static_cast<std::uint64_t>(element), 256};
    form.map.box = {static_cast<std::uint32_t>(32 / element), 8};
    form.map.swizzle = static_cast<model::Swizzle>(swizzle);
    form.in_cluster(1);
    // Too few bytes complete the phase there; here as well, and it is said that it is too early.
    CHECK(seen(form) == wanted);
    ++compared;
  }
  CHECK(compared >= 40);
}

} // namespace course::emulator
