#include "device/code/ptx/parser.hpp"

namespace course::ptx {

// ".file 1 "name", 1700000000, 512": time stamp and size are optional and not kept.
void Parser::file() {
  const std::uint32_t index = count("a file number");
  module_.files[index] = take_string("a file name");
  while (accept(',')) constant();
}

// ".loc 2 440 9, function_name $L__info_string0+12, inlined_at 1 17 3": file, line, column.
//
// inlined_at repeats the file, line and column of an earlier .loc of the function, which may itself
// be inlined somewhere.
void Parser::location() {
  const auto place = [&] {
    Place result;
    result.line.file = count("a file number");
    result.line.line = count("a line");
    result.column = count("a column");
    return result;
  };
  const Place here = place();
  Location made{here.line, 0};
  while (accept(',')) {
    const std::string_view attribute = take_word("function_name or inlined_at");
    if (attribute == "function_name") {
      take_word("a label in .debug_str");
      offset();
    } else if (attribute == "inlined_at") {
      const Place outer = place();
      const auto [known, fresh] = by_place_.try_emplace(outer, 0);
      if (fresh) {
        known->second = static_cast<std::uint32_t>(locations_.size());
        locations_.push_back({outer.line, 0});
      }
      made.inlined_at = known->second;
    } else {
      fail(fmt::format("'{}' is not an attribute of .loc", attribute));
    }
  }
  // Line 0 is code that the compiler made from several lines: it keeps the line before it.
  if (here.line.line == 0) return;
  location_ = static_cast<std::uint32_t>(locations_.size());
  locations_.push_back(made);
  by_place_[here] = location_;
}

void Parser::forget_locations() {
  by_place_.clear();
  location_ = 0;
}

// ".section .debug_str { … }": what it holds is for debuggers.
void Parser::section() {
  if (token_.kind != Token::Kind::directive) fail_expected("the name of a section");
  advance();
  expect('{', "before a section's content");
  for (std::size_t depth = 1; depth > 0; advance()) {
    if (token_.kind == Token::Kind::end) fail_expected("'}' after a section's content");
    if (token_.is('{')) ++depth;
    if (token_.is('}') && --depth == 0) break;
  }
  advance();
}

void Parser::resolve_locations() {
  const auto in_system_header = [&](const SourceLine& line) {
    const auto name = module_.files.find(line.file);
    return name != module_.files.end() && is_system_header(name->second);
  };
  // Parents come before children, so that one pass finds each one's line to show.
  std::vector<std::uint32_t> shown(locations_.size());
  std::vector<std::uint32_t> called_at(
      locations_.size());                                // the call at each place, if one is known
  std::vector<std::uint32_t> callers(locations_.size()); // the call that led to each place
  for (std::uint32_t i = 1; i < locations_.size(); ++i) {
    const std::uint32_t outer = locations_[i].inlined_at;
    const bool climb = outer != 0 && in_system_header(locations_[i].line);
    shown[i] = climb ? shown[outer] : i;
    if (climb) {
      callers[i] = callers[outer];
    } else if (outer != 0) {
      std::uint32_t& call = called_at[shown[outer]];
      if (call == 0) {
        call = static_cast<std::uint32_t>(module_.calls.size());
        module_.calls.push_back({locations_[shown[outer]].line, callers[outer]});
      }
      callers[i] = call;
    }
  }
  for (Function& function : module_.functions) {
    for (Instruction& instruction : function.body) {
      const std::uint32_t index = instruction.source.line;
      instruction.innermost = locations_[index].line;
      instruction.source = locations_[shown[index]].line;
      instruction.call = callers[index];
    }
  }
}

} // namespace course::ptx
