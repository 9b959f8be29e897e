#include "device/code/ptx/parser.hpp"

namespace course::ptx {

// ".entry name (parameters) .maxntid 256, 1, 1 { … }", or a declaration that ends in ";".
void Parser::function() {
  const bool is_entry = token_.is_directive(".entry");
  advance();
  if (accept_directive(".attribute")) fail("functions with attributes are not supported");
  scopes_.emplace(names_);
  function_ = {};
  label_uses_.clear();
  branch_targets_.clear();
  forget_locations();

  signature(is_entry);
  performance_directives();
  if (token_.is('{')) {
    function_.has_body = true;
    body();
    resolve_labels();
  } else {
    expect(';', "or a body after a function's signature");
  }
  scopes_.reset();
  declare();
}

void Parser::signature(bool is_entry) {
  function_.is_entry = is_entry;
  if (!is_entry && token_.is('(')) function_.results = parameters();
  function_name_ = take_word("the name of a function");
  function_.name = function_name_;
  if (token_.is('(')) function_.parameters = parameters();
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> result;
  expect('(', "before parameters");
  if (accept(')')) return result;
  do {
    result.push_back(parameter());
  } while (accept(','));
  expect(')', "after parameters");
  return result;
}

// ".param .align 8 .b8 name[24]"; "_" stands for the name in a prototype.
Variable Parser::parameter() {
  if (token_.is_directive(".reg")) fail("parameters in registers are not supported");
  if (!accept_directive(".param")) fail_expected("'.param'");
  const Declarator shared = declarator(Space::param);
  const std::string_view name = take_word("the name of a parameter");
  Variable made = variable(shared, name, {});
  if (name == "_") return made;
  made.name = scopes_->unique(name);
  if (!scopes_->add_variable(name, made.name)) fail(fmt::format("'{}' is declared twice", name));
  return made;
}

void Parser::performance_directives() {
  for (;;) {
    if (accept_directive(".maxntid")) {
      function_.max_threads = product(3);
    } else if (accept_directive(".reqntid")) {
      function_.required_threads = product(3);
    } else if (accept_directive(".reqnctapercluster")) {
      cluster();
    } else if (accept_directive(".explicitcluster")) {
      function_.explicit_cluster = true;
    } else if (accept_directive(".noreturn")) {
      function_.no_return = true;
    } else if (accept_directive(".pragma")) {
      pragma();
    } else if (accept_directive(".minnctapersm") || accept_directive(".maxnctapersm") ||
               accept_directive(".maxnreg") || accept_directive(".maxclusterrank") ||
               accept_directive(".abi_preserve") || accept_directive(".abi_preserve_control")) {
      count("a bound");
    } else {
      return;
    }
  }
}

void Parser::cluster() {
  function_.cluster = {1, 1, 1};
  for (std::uint32_t& blocks : function_.cluster) {
    blocks = count("a number of blocks");
    if (!accept(',')) return;
  }
}

// Advice to ptxas: nothing to keep.
void Parser::pragma() {
  do {
    take_string("a pragma in quotes");
  } while (accept(','));
  accept(';');
}

// A declaration and its definition are one function of the module.
void Parser::declare() {
  const auto [known, fresh] = names_.emplace(
      function_name_, Scopes::ModuleName{.is_function = true, .index = module_.functions.size()});
  if (fresh) {
    module_.functions.push_back(std::move(function_));
    return;
  }
  if (!known->second.is_function) fail(fmt::format("'{}' is declared twice", function_.name));
  Function& declared = module_.functions[known->second.index];
  if (!function_.has_body) return;
  if (declared.has_body) fail(fmt::format("'{}' is defined twice", function_.name));
  declared = std::move(function_);
}

// Scopes nest by a stack, not by recursion.
void Parser::body() {
  expect('{', "before a body");
  for (;;) {
    const std::uint32_t line = token_.line;
    if (accept('}')) {
      if (scopes_->depth() == 1) return;
      scopes_->close();
    } else if (accept('{')) {
      if (!scopes_->open()) fail("scopes are nested too deep");
    } else if (accept('@')) {
      const Guard guard = this->guard();
      instruction(guard, take_word("an instruction behind its guard"), line);
    } else if (token_.kind == Token::Kind::directive) {
      body_directive();
    } else if (token_.kind == Token::Kind::word) {
      const std::string_view word = token_.text;
      advance();
      if (token_.is(':')) {
        label(word);
      } else {
        instruction({}, word, line);
      }
    } else if (!accept(';')) {
      fail_expected("an instruction");
    }
  }
}

void Parser::body_directive() {
  if (accept_directive(".reg")) return registers();
  if (accept_directive(".loc")) return location();
  if (accept_directive(".pragma")) return pragma();
  if (accept_directive(".shared")) return variables(Space::shared, {});
  if (accept_directive(".local")) return variables(Space::local, {});
  if (accept_directive(".param")) return variables(Space::param, {});
  if (accept_directive(".global")) return variables(Space::global, {});
  if (accept_directive(".const")) return variables(Space::constant, {});
  if (accept_directive(".file")) return file();
  fail(fmt::format("'{}' is not supported in a function", token_.text));
}

// "name:", before an instruction or one of the tables that have a name.
void Parser::label(std::string_view name) {
  const std::string unique = scopes_->unique(name);
  if (!scopes_->add_label(name, unique)) fail(fmt::format("the label '{}' is set twice", name));
  advance();
  if (accept_directive(".callprototype")) return prototype(unique);
  if (token_.is_directive(".branchtargets")) return branch_targets(unique);
  if (accept_directive(".calltargets")) return call_targets(unique);
  function_.labels[unique] = static_cast<std::uint32_t>(function_.body.size());
}

// "(.param .b32 _) _ (.param .b64 _, .param .b32 _) .noreturn;"
void Parser::prototype(const std::string& unique) {
  if (!scopes_->open()) fail("scopes are nested too deep");
  Function made;
  if (token_.is('(')) made.results = parameters();
  if (take_word("'_' for the function's name") != "_") fail("a prototype's name must be '_'");
  if (token_.is('(')) made.parameters = parameters();
  made.no_return = accept_directive(".noreturn");
  if (accept_directive(".abi_preserve") || accept_directive(".abi_preserve_control")) {
    count("a bound");
  }
  scopes_->close();
  expect(';', "after a prototype");
  function_.prototypes[unique] = std::move(made);
}

void Parser::branch_targets(const std::string& unique) {
  advance();
  BranchTargets made{unique, {}, scopes_->current(), token_.line};
  do {
    made.names.push_back(take_word("a label"));
  } while (accept(','));
  expect(';', "after branch targets");
  function_.branch_targets[unique];
  branch_targets_.push_back(std::move(made));
}

void Parser::call_targets(const std::string& unique) {
  auto& made = function_.call_targets[unique];
  do {
    const Use use{take_word("a function"), token_.line, true};
    uses_.push_back(use);
    made.emplace_back(use.name);
  } while (accept(','));
  expect(';', "after call targets");
}

// Branches may come before their labels, so names of labels are resolved behind the body.
void Parser::resolve_labels() {
  const auto resolve = [&](std::string_view name, std::uint32_t scope, std::uint32_t line) {
    const std::string* unique = scopes_->find_label(name, scope);
    if (!unique) throw SyntaxError{fmt::format("there is no label '{}'", name), line};
    return *unique;
  };
  for (const LabelUse& use : label_uses_) {
    const std::string unique = resolve(use.name, use.scope, use.line);
    Instruction& instruction = function_.body[use.instruction];
    const bool fits =
        instruction.row->opcode == Opcode::bra ? function_.labels.contains(unique)
        : instruction.row->opcode == Opcode::brx
            ? function_.branch_targets.contains(unique)
            : function_.prototypes.contains(unique) || function_.call_targets.contains(unique);
    if (!fits) {
      throw SyntaxError{fmt::format("'{}' is not a label for '{}'", use.name, instruction.opcode),
                        use.line};
    }
    instruction.operands[use.operand] = {Label{unique}, false};
  }
  for (const BranchTargets& targets : branch_targets_) {
    for (const std::string_view name : targets.names) {
      const std::string unique = resolve(name, targets.scope, targets.line);
      if (!function_.labels.contains(unique)) {
        throw SyntaxError{fmt::format("'{}' is not a place to branch to", name), targets.line};
      }
      function_.branch_targets[targets.unique].push_back(unique);
    }
  }
}

} // namespace course::ptx
