// The recursive descent parser behind parse(); one member function a form of the language.
//
// parse.cpp has the module level, parse_variable.cpp variables and their initialisers,
// parse_function.cpp signatures and bodies, parse_instruction.cpp instructions and operands,
// parse_expression.cpp constants, parse_location.cpp .file, .loc and debug sections.
#pragma once

#include "device/code/ptx/lexer.hpp"
#include "device/code/ptx/parse.hpp"
#include "device/code/ptx/scopes.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace course::ptx {

// Thrown by the parser, caught by parse().
struct SyntaxError {
  std::string message;
  std::uint32_t line = 0;
};

class Parser {
public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  Module module(); // throws SyntaxError

private:
  // Tokens
  void advance();
  bool accept(char);
  bool accept_directive(std::string_view);
  void expect(char, std::string_view where);
  std::string_view take_word(std::string_view what);
  std::string take_string(std::string_view what);
  [[noreturn]] void fail(std::string message) const;
  [[noreturn]] void fail_expected(std::string_view what) const; // "expected what, found token"

  // Module level (parse.cpp)
  void header();
  void statement();
  void alias();
  void check_symbols() const;
  struct Linkage {
    bool is_extern = false;
  };

  // Expressions (parse_expression.cpp)
  std::int64_t constant(int depth = 0);
  std::int64_t constant_operand(int depth);
  std::int64_t constant_tail(std::int64_t left, int lowest, int depth);
  std::int64_t offset(); // "+8", "+-4", "-4" or nothing
  Immediate immediate(bool negated = false);
  std::uint32_t count(std::string_view what); // a constant from 0 to 2^32 - 1
  std::uint32_t product(int most);            // "32, 8, 1" multiplied out, saturated

  // Variables (parse_variable.cpp)
  struct Declarator { // the part that the names of one declaration share
    Space space{};
    Type type{};
    std::uint32_t align = 0;    // 0: that of the type
    std::uint32_t elements = 1; // of .v2, .v4
    bool managed = false;
  };
  Declarator declarator(Space);
  void attribute(Declarator&);
  struct Dimensions {
    std::vector<std::uint64_t> bounds;
    bool open = false; // the first bound is left out
  };
  Dimensions dimensions();
  Variable variable(const Declarator&, std::string_view name, Linkage);
  void variables(Space, Linkage);
  void redeclare(Variable& known, Variable&& made);
  void initialiser(Variable&, const Declarator&, const Dimensions&, std::size_t level);
  void element(Variable&);
  void address_element(Variable&, std::uint64_t mask);
  void append(Variable&, std::uint64_t bits, std::uint32_t width);
  void pad(Variable&, std::uint64_t size);
  void registers();

  // Functions (parse_function.cpp)
  void function();
  void signature(bool is_entry);
  std::vector<Variable> parameters();
  Variable parameter();
  void cluster();
  void performance_directives();
  void pragma();
  void declare();
  void body();
  void body_directive();
  void label(std::string_view name);
  void prototype(const std::string& unique);
  void branch_targets(const std::string& unique);
  void call_targets(const std::string& unique);
  void resolve_labels();

  // Instructions (parse_instruction.cpp)
  void instruction(std::optional<Guard>, std::string_view opcode, std::uint32_t line);
  Guard guard();
  void opcode(Instruction&, std::string_view word);
  void operands(Instruction&);
  void call_operands(Instruction&);
  Operand list();
  Operand operand();
  Operand name_or_pair();
  Operand name(std::string_view word);
  Operand pair(const Operand& first);
  Operand vector();
  Operand memory();
  Operand label_operand(const Instruction&);
  Register predicate();

  // Lines (parse_location.cpp)
  void file();
  void location();
  void section();
  void forget_locations();
  void resolve_locations();

  Lexer lexer_;
  Token token_;
  Module module_;

  Scopes::Module names_;
  struct Use { // of a name in an initialiser or alias, checked at the end
    std::string_view name;
    std::uint32_t line = 0;
    bool must_be_function = false;
  };
  std::vector<Use> uses_;
  std::size_t registers_left_ = std::size_t{1} << 20;
  std::uint64_t padding_left_ = std::uint64_t{16} << 20;

  // Of the function whose body is read
  Function function_;
  std::string_view function_name_;
  std::optional<Scopes> scopes_;
  struct LabelUse {
    std::uint32_t instruction = 0, operand = 0;
    std::string_view name;
    std::uint32_t scope = 0, line = 0;
  };
  std::vector<LabelUse> label_uses_;
  struct BranchTargets {
    std::string unique;
    std::vector<std::string_view> names;
    std::uint32_t scope = 0, line = 0;
  };
  std::vector<BranchTargets> branch_targets_;

  // Each .loc makes one; instructions carry an index in `source.line` until the .file directives,
  // which come last, are known.
  struct Location {
    SourceLine line;
    std::uint32_t inlined_at = 0; // index; 0: nowhere
  };
  std::vector<Location> locations_ = {{}};
  std::uint32_t location_ = 0;
  struct Place {
    SourceLine line;
    std::uint32_t column = 0;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return (place.line.line * 0x9e3779b97f4a7c15u ^ place.column) * 31 + place.line.file;
    }
  };
  std::unordered_map<Place, std::uint32_t, PlaceHash> by_place_; // the last one in this function
};

} // namespace course::ptx
