#include "lab/formula.hpp"

#include "lab/row_sectors.hpp"

#include <fmt/format.h>

#include <muParser.h>

#include <cmath>
#include <limits>
#include <map>

namespace course::lab {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr double kLargestWhole =
    9007199254740992; // 2^53: up to it a double holds each whole number

std::uint64_t whole_of(double value) {
  if (value == kAny) return UINT64_MAX;
  if (!(value >= 0)) throw FormulaError("is below zero, or no number");
  if (value > kLargestWhole) throw FormulaError("is above 2^53");
  return static_cast<std::uint64_t>(value);
}

double remainder(double a, double b) {
  return a - b * std::floor(a / b);
}
double room(double value) {
  return static_cast<double>(with_room(whole_of(value)));
}
double piece_requests(double rows, double cols, double width) {
  return static_cast<double>(in_pieces(whole_of(rows), whole_of(cols), whole_of(width)).requests);
}
double piece_sectors(double rows, double cols, double width) {
  return static_cast<double>(in_pieces(whole_of(rows), whole_of(cols), whole_of(width)).sectors);
}

// muParser hands these a pointer of ours: Scope's Draw*.
Draw& draw_of(void* scope) {
  auto* draw = *static_cast<Draw**>(scope);
  if (!draw) throw std::domain_error("only a drawn shape is drawn from the seed");
  return *draw;
}
double between(void* scope, double low, double high) {
  return static_cast<double>(draw_of(scope).between(whole_of(low), whole_of(high)));
}
double prime(void* scope, double low, double high) {
  return static_cast<double>(draw_of(scope).prime(whole_of(low), whole_of(high)));
}
double one_of(void* scope, const double* numbers, int count) {
  return numbers[draw_of(scope).between(0, static_cast<std::uint64_t>(count) - 1)];
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

} // namespace

struct Scope::Parts {
  Draw* draw = nullptr;
  std::map<std::string, double> variables; // muParser keeps their addresses
  std::map<std::string, mu::Parser> parsed;

  mu::Parser& parser(const std::string& formula) {
    const auto [at, made] = parsed.try_emplace(formula);
    auto& one = at->second;
    if (!made) return one;
    one.DefineConst("any", kAny);
    one.DefineOprt("%", remainder, mu::prMUL_DIV);
    one.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    one.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    one.DefineFun("room", room);
    one.DefineFun("piece_requests", piece_requests);
    one.DefineFun("piece_sectors", piece_sectors);
    constexpr bool kSameEachTime = false; // nothing that is drawn is worked out once for all
    one.DefineFunUserData("between", between, &draw, kSameEachTime);
    one.DefineFunUserData("prime", prime, &draw, kSameEachTime);
    one.DefineFunUserData("one_of", one_of, &draw, kSameEachTime);
    for (auto& [name, value] : variables) one.DefineVar(name, &value);
    one.SetExpr(formula);
    return one;
  }
};

Scope::Scope(Draw* draw) : parts_(std::make_unique<Parts>()) {
  parts_->draw = draw;
}
Scope::~Scope() = default;

void Scope::set(const std::string& name, double value) {
  const auto [at, made] = parts_->variables.try_emplace(name, value);
  at->second = value;
  if (made) parts_->parsed.clear(); // they do not know it
}

bool Scope::has(const std::string& name) const {
  return parts_->variables.contains(name);
}

void Scope::assign(const std::string& definition) {
  const auto equals = definition.find('=');
  const auto name = trimmed(definition.substr(0, equals));
  if (equals == definition.npos || name.empty() ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != name.npos)
    throw FormulaError(fmt::format("`{}` should be name = formula", definition));
  set(name, number(definition.substr(equals + 1)));
}

double Scope::number(const std::string& formula) {
  try {
    return parts_->parser(formula).Eval();
  } catch (const mu::Parser::exception_type& error) {
    parts_->parsed.erase(formula);
    throw FormulaError("`" + trimmed(formula) + "`: " + error.GetMsg());
  } catch (const FormulaError& error) {
    throw FormulaError("`" + trimmed(formula) + "`: a value " + error.what());
  } catch (const std::domain_error& error) { // of a draw
    throw FormulaError("`" + trimmed(formula) + "`: " + error.what());
  }
}

std::uint64_t Scope::whole(const std::string& formula) {
  const auto value = number(formula);
  try {
    return whole_of(value);
  } catch (const FormulaError& error) {
    throw FormulaError("`" + trimmed(formula) + "` " + error.what());
  }
}

} // namespace course::lab
