#include "device/code/ptx/parser.hpp"

#include <bit>
#include <limits>

namespace course::ptx {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 40; // bytes of one variable
constexpr std::size_t kMostDimensions = 16;

std::uint64_t float_bits(const Immediate& value) {
  if (value.kind == Immediate::Kind::f32) return value.bits;
  const double exact = value.kind == Immediate::Kind::f64
                           ? std::bit_cast<double>(value.bits)
                           : static_cast<double>(static_cast<std::int64_t>(value.bits));
  return std::bit_cast<std::uint32_t>(static_cast<float>(exact));
}

std::uint64_t double_bits(const Immediate& value) {
  if (value.kind == Immediate::Kind::f64) return value.bits;
  const double exact = value.kind == Immediate::Kind::f32
                           ? std::bit_cast<float>(static_cast<std::uint32_t>(value.bits))
                           : static_cast<double>(static_cast<std::int64_t>(value.bits));
  return std::bit_cast<std::uint64_t>(exact);
}

} // namespace

// ".attribute(.managed)"; the other attributes name a type of memory that the device has not.
void Parser::attribute(Declarator& result) {
  expect('(', "after .attribute");
  do {
    if (!accept_directive(".managed")) fail_expected("'.managed', the only attribute known here");
    result.managed = true;
  } while (accept(','));
  expect(')', "after an attribute");
}

// ".align 16 .v4 .f32": everything before the first name.
Parser::Declarator Parser::declarator(Space space) {
  Declarator result;
  result.space = space;
  for (;;) {
    if (accept_directive(".align")) {
      result.align = count("an alignment");
      if (!std::has_single_bit(result.align)) fail("an alignment must be a power of two");
    } else if (accept_directive(".attribute")) {
      attribute(result);
    } else if (accept_directive(".v2")) {
      result.elements = 2;
    } else if (accept_directive(".v4")) {
      result.elements = 4;
    } else if (accept_directive(".ptr")) { // what a pointer parameter points to; nothing to keep
      for (const auto pointee : {".global", ".const", ".shared", ".local"})
        accept_directive(pointee);
      if (accept_directive(".align")) count("an alignment");
    } else if (token_.kind == Token::Kind::directive) {
      const auto type = type_named(token_.text.substr(1));
      if (!type) fail(fmt::format("'{}' is not a type that is supported here", token_.text));
      advance();
      result.type = *type;
      if (!token_.is_directive(".ptr")) return result;
    } else if (result.type != Type::none) {
      return result;
    } else {
      fail_expected("a type");
    }
  }
}

Parser::Dimensions Parser::dimensions() {
  Dimensions result;
  while (accept('[')) {
    if (result.bounds.size() == kMostDimensions) fail("an array of too many dimensions");
    if (token_.is(']') && result.bounds.empty()) {
      result.open = true;
      result.bounds.push_back(0);
    } else {
      result.bounds.push_back(count("an array bound"));
    }
    expect(']', "after an array bound");
  }
  return result;
}

Variable Parser::variable(const Declarator& shared, std::string_view name, Linkage linkage) {
  Variable result;
  result.name = name;
  result.space = shared.space;
  result.type = shared.type;
  result.managed = shared.managed;
  result.is_extern = linkage.is_extern;
  const std::uint32_t element = size_of(shared.type) * shared.elements;
  result.align = shared.align != 0 ? shared.align : element;

  const Dimensions array = dimensions();
  result.size = element;
  for (const std::uint64_t bound : array.bounds) {
    result.size *= bound;
    if (result.size > kLargest) fail("an array of more than a terabyte");
  }
  if (accept('=')) {
    if (shared.space != Space::global && shared.space != Space::constant) {
      fail("only .global and .const variables have initialisers");
    }
    initialiser(result, shared, array, 0);
    if (array.open) {
      result.size = result.initial.size();
    } else if (result.initial.size() > result.size) {
      fail("the initialiser is longer than the variable");
    }
  }
  return result;
}

// ".global .align 4 .b8 a[16] = {1, 2}, b;" at module level or in a body.
void Parser::variables(Space space, Linkage linkage) {
  const Declarator shared = declarator(space);
  do {
    const std::string_view name = take_word("the name of a variable");
    Variable made = variable(shared, name, linkage);
    if (scopes_) {
      made.name = scopes_->unique(name);
      if (!scopes_->add_variable(name, made.name))
        fail(fmt::format("'{}' is declared twice", name));
      function_.variables.push_back(std::move(made));
      continue;
    }
    const auto [known, fresh] = names_.emplace(
        name, Scopes::ModuleName{.is_function = false, .index = module_.variables.size()});
    if (fresh) {
      module_.variables.push_back(std::move(made));
    } else {
      if (known->second.is_function) fail(fmt::format("'{}' is declared twice", made.name));
      redeclare(module_.variables[known->second.index], std::move(made));
    }
  } while (accept(','));
  expect(';', "after a variable");
}

// An extern declaration and its definition are one variable.
void Parser::redeclare(Variable& known, Variable&& made) {
  if (made.is_extern) return;
  if (!known.is_extern) fail(fmt::format("'{}' is defined twice", made.name));
  known = std::move(made);
}

void Parser::initialiser(Variable& variable, const Declarator& shared, const Dimensions& array,
                         std::size_t level) {
  if (!accept('{')) return element(variable);
  if (level > array.bounds.size()) fail("more braces than the array has dimensions");
  std::uint64_t row = std::uint64_t{size_of(shared.type)} * shared.elements;
  for (std::size_t i = level + 1; i < array.bounds.size(); ++i) row *= array.bounds[i];
  if (accept('}')) return;
  do {
    if (token_.is('{')) {
      const std::uint64_t begin = variable.initial.size();
      initialiser(variable, shared, array, level + 1);
      pad(variable, begin + row);
    } else {
      element(variable);
    }
  } while (accept(','));
  expect('}', "after an initialiser");
}

void Parser::pad(Variable& variable, std::uint64_t size) {
  if (size <= variable.initial.size()) return;
  const std::uint64_t more = size - variable.initial.size();
  if (more > padding_left_) fail("initialisers with too much left out; write the zeros");
  padding_left_ -= more;
  variable.initial.resize(size);
}

void Parser::append(Variable& variable, std::uint64_t bits, std::uint32_t width) {
  for (std::uint32_t i = 0; i < width; ++i) {
    variable.initial.push_back(static_cast<std::uint8_t>(i < 8 ? bits >> 8 * i : 0));
  }
}

// A number, an address, or one byte of an address: 5, table+8, generic(table)+8, 0xFF00(table).
void Parser::element(Variable& variable) {
  if (token_.kind == Token::Kind::word && token_.text != "WARP_SZ") {
    return address_element(variable, ~std::uint64_t{0});
  }
  const Immediate value = immediate();
  if (token_.is('(') && value.kind == Immediate::Kind::integer) {
    advance();
    address_element(variable, value.bits);
    return expect(')', "after an address");
  }
  const std::uint32_t width = size_of(variable.type);
  if (variable.type == Type::f32) return append(variable, float_bits(value), width);
  if (variable.type == Type::f64) return append(variable, double_bits(value), width);
  append(variable, value.bits, width);
}

void Parser::address_element(Variable& variable, std::uint64_t mask) {
  Variable::Relocation relocation;
  const std::uint32_t line = token_.line;
  std::string_view name = take_word("an address");
  if (name == "generic" && accept('(')) {
    relocation.generic = true;
    name = take_word("a variable");
    relocation.target.offset = offset();
    expect(')', "after a generic address");
  }
  uses_.push_back({name, line, false});
  relocation.target.name = name;
  relocation.target.offset = static_cast<std::int64_t>(
      static_cast<std::uint64_t>(relocation.target.offset) + static_cast<std::uint64_t>(offset()));
  relocation.offset = variable.initial.size();
  relocation.width = size_of(variable.type);
  if (mask != ~std::uint64_t{0}) {
    relocation.shift = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (relocation.shift % 8 != 0 || relocation.shift > 56 || mask >> relocation.shift != 0xff ||
        relocation.width != 1) {
      fail("a mask must select one byte of an address for a one-byte element");
    }
  } else if (relocation.width < 4) {
    fail("an address does not fit an element of this type");
  }
  variable.relocations.push_back(std::move(relocation));
  append(variable, 0, variable.relocations.back().width);
}

// ".reg .b32 %r<24>, %x;"
void Parser::registers() {
  const Declarator shared = declarator(Space::reg);
  if (shared.elements != 1) fail("vector registers are not supported");
  do {
    const std::string_view name = take_word("the name of a register");
    const auto first = static_cast<std::uint32_t>(function_.registers.size());
    std::uint32_t many = 1;
    const bool range = accept('<');
    if (range) {
      many = count("a number of registers");
      expect('>', "after a number of registers");
    }
    if (many > registers_left_) fail("more registers than are supported");
    registers_left_ -= many;
    const bool fresh =
        range ? scopes_->add_registers(name, first, many) : scopes_->add_register(name, first);
    if (!fresh) fail(fmt::format("'{}' is declared twice", name));
    function_.registers.resize(first + many, shared.type);
    for (std::uint32_t i = 0; i < many; ++i) {
      function_.register_names.push_back(range ? std::string(name) + std::to_string(i)
                                               : std::string(name));
    }
  } while (accept(','));
  expect(';', "after registers");
}

} // namespace course::ptx
