#include "device/code/ptx/parser.hpp"

#include "device/code/ptx/special.hpp"

#include <algorithm>
#include <utility>

namespace course::ptx {

Register Parser::predicate() {
  const std::string_view word = take_word("a predicate register");
  const auto meaning = scopes_->find(word);
  const auto* reg = meaning ? std::get_if<Register>(&*meaning) : nullptr;
  if (!reg) fail(fmt::format("'{}' is not a register", word));
  return *reg;
}

Guard Parser::guard() {
  Guard result;
  result.negated = accept('!');
  result.predicate = predicate();
  if (function_.registers[result.predicate.index] != Type::pred)
    fail("a guard must be a predicate");
  return result;
}

// "ld.shared::cta.v2.f32": opcode and modifiers.
void Parser::opcode(Instruction& made, std::string_view word) {
  const auto split = [&](std::string_view dotted) {
    while (!dotted.empty()) {
      const std::size_t dot = std::min(dotted.find('.'), dotted.size());
      made.modifiers.emplace_back(dotted.substr(0, dot));
      dotted.remove_prefix(std::min(dot + 1, dotted.size()));
    }
  };
  const std::size_t dot = std::min(word.find('.'), word.size());
  made.opcode = word.substr(0, dot);
  made.modifiers.reserve(4);
  split(word.substr(std::min(dot + 1, word.size())));
  for (; token_.kind == Token::Kind::directive; advance()) split(token_.text.substr(1));
  made.row = &row_of(made.opcode, made.modifiers);
}

void Parser::instruction(std::optional<Guard> guard, std::string_view word, std::uint32_t line) {
  Instruction made;
  made.guard = guard;
  made.ptx_line = line;
  made.source.line = location_;
  opcode(made, word);
  if (made.row->kind == Class::call) {
    call_operands(made);
  } else if (!token_.is(';')) {
    operands(made);
  }
  if (!token_.is(';')) fail_expected(fmt::format("';' after '{}' and its operands", made.opcode));
  function_.body.push_back(std::move(made));
  advance();
}

void Parser::operands(Instruction& made) {
  made.operands.reserve(4);
  do {
    const bool is_label = made.row->opcode == Opcode::bra ||
                          (made.row->opcode == Opcode::brx && made.operands.size() == 1);
    made.operands.push_back(is_label ? label_operand(made) : operand());
  } while (accept(','));
}

// "call.uni (result), callee, (arguments), prototype": the lists and the prototype may be absent.
void Parser::call_operands(Instruction& made) {
  Operand results{Vector{}, false};
  Operand arguments{Vector{}, false};
  if (token_.is('(')) {
    results = list();
    expect(',', "after the results of a call");
  }
  Operand callee = name(take_word("a function to call"));
  if (!std::holds_alternative<Register>(callee.value) &&
      !std::holds_alternative<Symbol>(callee.value)) {
    fail("a call needs a function or a register");
  }
  made.operands.reserve(4);
  made.operands = {std::move(results), std::move(callee)};
  bool more = accept(',');
  if (more && token_.is('(')) {
    arguments = list();
    more = accept(',');
  }
  made.operands.push_back(std::move(arguments));
  if (more) made.operands.push_back(label_operand(made));
}

Operand Parser::list() {
  Vector result;
  expect('(', "before a list");
  if (!token_.is(')')) {
    do {
      result.elements.push_back(operand());
    } while (accept(','));
  }
  expect(')', "after a list");
  return {std::move(result), false};
}

// A place in the body, set when the body is complete.
Operand Parser::label_operand(const Instruction& made) {
  LabelUse use;
  use.line = token_.line;
  use.name = take_word("a label");
  use.scope = scopes_->current();
  use.instruction = static_cast<std::uint32_t>(function_.body.size());
  use.operand = static_cast<std::uint32_t>(made.operands.size());
  label_uses_.push_back(use);
  return {Label{}, false};
}

namespace {

Operand negated(Operand operand) {
  operand.negated = true;
  return operand;
}

} // namespace

Operand Parser::operand() {
  if (token_.kind == Token::Kind::word) return name_or_pair();
  if (token_.is('[')) return memory();
  if (token_.is('{')) return vector();
  if (accept('!')) return negated(name(take_word("a predicate")));
  const bool minus = accept('-');
  if (minus && token_.kind == Token::Kind::word) return negated(name(take_word("a register")));
  const bool is_constant = token_.kind == Token::Kind::number || token_.is('(') || token_.is('~') ||
                           token_.is('-') || token_.is('+');
  if (!is_constant) fail_expected("an operand");
  return {immediate(minus), false};
}

Operand Parser::name_or_pair() {
  const std::string_view word = token_.text;
  if (word == "WARP_SZ") return {immediate(), false};
  advance();
  Operand first = name(word);
  if (token_.is('|')) return pair(first);
  return first;
}

// A register, a special register, or the address of a variable or function with an offset.
Operand Parser::name(std::string_view word) {
  if (word == "_") return {Sink{}, false};
  std::optional<Symbol> symbol;
  if (const auto meaning = scopes_->find(word)) {
    if (const auto* reg = std::get_if<Register>(&*meaning)) return {*reg, false};
    symbol = std::get<Symbol>(*meaning);
  } else if (names_.contains(word) || word == function_name_) {
    symbol = Symbol{std::string(word), 0};
  } else if (is_special(word)) {
    return {Special{std::string(word.substr(1))}, false};
  }
  if (!symbol) fail(fmt::format("'{}' is not declared", word));
  symbol->offset = offset();
  return {std::move(*symbol), false};
}

// "%r1|%p2", where "_" stands for a result that is thrown away.
Operand Parser::pair(const Operand& first) {
  expect('|', "in a pair");
  const auto part = [&](const Operand& operand) -> std::optional<Register> {
    if (std::holds_alternative<Sink>(operand.value)) return std::nullopt;
    if (const auto* reg = std::get_if<Register>(&operand.value)) return *reg;
    fail("a pair is of registers");
  };
  PredicatePair result;
  result.first = part(first);
  result.second = part(name(take_word("the second register of a pair")));
  return {result, false};
}

Operand Parser::vector() {
  Vector result;
  expect('{', "before a vector");
  if (!token_.is('}')) {
    do {
      if (token_.is('{') || token_.is('[')) fail_expected("a register or a number in a vector");
      result.elements.push_back(operand());
    } while (accept(','));
  }
  expect('}', "after a vector");
  return {std::move(result), false};
}

// "[%rd1+8]", "[tile+4]", "[64]", "[%rd1, {%r1, %r2}]"
Operand Parser::memory() {
  Memory result;
  expect('[', "before an address");
  if (token_.kind == Token::Kind::word && token_.text != "WARP_SZ") {
    Operand base = name(take_word("an address"));
    if (const auto* reg = std::get_if<Register>(&base.value)) {
      result.base = *reg;
      result.offset = offset();
    } else if (auto* symbol = std::get_if<Symbol>(&base.value)) {
      result.offset = std::exchange(symbol->offset, 0);
      result.base = std::move(*symbol);
    } else {
      fail("an address is a register, a variable, or a number");
    }
  } else {
    result.offset = constant();
  }
  while (accept(',')) {
    if (!token_.is('{')) fail_expected("coordinates in braces");
    Operand more = vector();
    for (auto& element : std::get<Vector>(more.value).elements) {
      result.coordinates.push_back(std::move(element));
    }
  }
  expect(']', "after an address");
  return {std::move(result), false};
}

} // namespace course::ptx
