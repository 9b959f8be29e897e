// Long, because each table of an exercise is read by a few lines, and all share its names.
#include "lab/case_data.hpp"

#include "lab/cost.hpp"
#include "lab/inputs.hpp"
#include "lab/label.hpp"
#include "lab/limit_names.hpp"
#include "lab/measured.hpp"
#include "lab/placement.hpp"
#include "lab/references.hpp"
#include "lab/values.hpp"
#include "lab/ways.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::lab {
namespace {

constexpr device::Way kAnyWay = 0x7f | way::details;

// Those of [[when]] or [[solution_costs]] that hold here.
std::vector<Table> holding(const Node& tables, Scope& scope) {
  auto all = tables.tables();
  std::erase_if(all, [&](const Table& when) {
    return !when["if"].evaluated([&](const std::string& formula) { return scope.holds(formula); });
  });
  return all;
}

// The value of `key` in the last of those that has it, or in the table itself.
Node chosen(const Table& table, const std::vector<Table>& whens, const std::string& key) {
  Node found = table[key];
  for (const auto& when : whens)
    if (when[key]) found = when[key];
  return found;
}

std::uint64_t whole(const Node& node, Scope& scope) {
  return node.evaluated([&](const std::string& formula) { return scope.whole(formula); });
}
double real(const Node& node, Scope& scope) {
  if (!node.is_text()) return node.number(); // of most shapes
  return node.evaluated([&](const std::string& formula) { return scope.number(formula); });
}
std::uint64_t whole_or(const Node& node, Scope& scope, std::uint64_t otherwise) {
  return node ? whole(node, scope) : otherwise;
}

// A number alone is the most; or {at_least, at_most}, or {exactly}.
judge::Range range(const Node& node, Scope& scope) {
  if (!node || node.is_no()) return {};
  if (!node.is_table()) return {0, whole(node, scope)};
  const auto table = node.table({"at_least", "at_most", "exactly"});
  if (const auto exact = table["exactly"]) return {whole(exact, scope), whole(exact, scope)};
  return {whole_or(table["at_least"], scope, 0),
          whole_or(table["at_most"], scope, judge::Measure::kNoLimit)};
}

judge::GlobalBound global_bound(const Node& node, Scope& scope) {
  if (!node) return {};
  const auto table = node.table({"requests", "sectors"});
  return {whole(table["requests"], scope), whole(table["sectors"], scope)};
}

device::Way ways(const Node& node) {
  static const std::map<std::string, device::Way> names = {
      {"direct", way::direct},     {"stored", way::stored}, {"copied", way::copied},
      {"shuffled", way::shuffled}, {"voted", way::voted},   {"multiplied", way::multiplied},
      {"global", way::global}};
  device::Way all = 0;
  if (node.is_text() && node.text() == "any") return kAnyWay;
  for (const auto& word : node.words()) {
    if (!names.contains(word)) node.fail(fmt::format("there is no way `{}`", word));
    all |= names.at(word);
  }
  return all;
}

std::optional<judge::WayBound> way_bound(const Node& node, Scope& scope) {
  if (!node || node.is_no()) return {};
  const auto table = node.table({"may", "through", "stay"});
  judge::WayBound bound{ways(table["may"]), {}, whole_or(table["stay"], scope, 0)};
  bound.may |= way::details;
  for (const auto& one : table["through"].elements()) bound.through.push_back(ways(one));
  return bound;
}

// What an answer is made of, by the names that data call it.
struct Ingredient {
  const char* name;
  device::Way part = 0; // of a value's way; 0: it is counted
  device::Used counted{};
};
constexpr Ingredient kIngredients[] = {
    {"shared memory", way::stored | way::copied},
    {"asynchronous copy", way::copied},
    {"bulk copy", way::bulk},
    {"shuffle", way::shuffled},
    {"matrix unit", way::multiplied},
    {"wgmma", way::warpgroup},
    {"ldmatrix", way::rows},
    {"operand without ldmatrix", way::loose},
    {"another warp", way::warps},
    {"another block", way::blocks},
    {"tensor map", way::map},
    {"bulk copy out", way::out},
    {"another block's result", way::results},
    {"constant memory", way::constant},
    {"local memory", way::local},
    {"phase arrivals", 0, device::Used::phase_arrivals},
    {"constant loads", 0, device::Used::constant_loads},
    {"constant bytes", 0, device::Used::constant_bytes},
    {"table bytes", 0, device::Used::table_bytes},
    {"local accesses", 0, device::Used::local_accesses},
    {"copied bytes", 0, device::Used::copied_bytes},
    {"dynamic bytes", 0, device::Used::dynamic_bytes},
    {"shared updates", 0, device::Used::shared_updates},
    {"loads meanwhile", 0, device::Used::loads_meanwhile},
    {"copies ahead", 0, device::Used::copies_ahead},
    {"bytes ahead", 0, device::Used::bytes_ahead},
    {"lent bytes", 0, device::Used::lent_bytes},
    {"barriers of all", 0, device::Used::barriers_of_all},
    {"words without shuffles", 0, device::Used::words_alone},
    {"bytes of busiest warps", 0, device::Used::busiest_bytes},
};

const Ingredient& ingredient(const Node& node, const std::string& name, bool counted) {
  const auto found = std::ranges::find(kIngredients, name, &Ingredient::name);
  if (found == std::end(kIngredients) || (found->part == 0) != counted)
    node.fail(counted ? fmt::format("nothing that is counted is called `{}`", name)
                      : fmt::format("no part of a value's way is called `{}`", name));
  return *found;
}

std::vector<device::Way> parts(const Node& node) {
  std::vector<device::Way> all;
  if (!node) return all;
  for (const auto& word : node.words()) all.push_back(ingredient(node, word, false).part);
  return all;
}

// Of `uses`, `never`, and what [limits] says of them in `uses`: counts, and how many elements need
// not have come so.
std::optional<judge::UsesBound> uses_bound(const Table& table, const std::vector<Table>& whens,
                                           Scope& scope) {
  const auto limits_of = [](const Node& limits) {
    return limits ? limits.table()["uses"] : limits;
  };
  Node limits = limits_of(table["limits"]);
  for (const auto& when : whens)
    if (const auto node = limits_of(when["limits"])) limits = node;
  if (limits.is_no() || (!table["uses"] && !table["never"] && !limits)) return {};
  judge::UsesBound bound;
  bound.way.may = kAnyWay;
  bound.way.through = parts(table["uses"]);
  for (const auto part : parts(table["never"])) bound.way.may &= static_cast<device::Way>(~part);
  if (!limits) return bound;
  const auto counts = limits.table();
  for (const auto& name : counts.keys()) {
    if (name == "stay")
      bound.way.stay = whole(counts[name], scope);
    else
      bound.counts[ingredient(counts[name], name, true).counted] = range(counts[name], scope);
  }
  return bound;
}

void read_limit(std::uint64_t& most, const Node& limit, Scope& scope) {
  most = limit.is_no() ? judge::Measure::kNoLimit : whole(limit, scope);
}
void read_limit(judge::Range& to, const Node& limit, Scope& scope) {
  to = range(limit, scope);
}
void read_limit(judge::GlobalBound& to, const Node& limit, Scope& scope) {
  to = limit.is_no() ? judge::GlobalBound{} : global_bound(limit, scope);
}
void read_limit(judge::Cost& to, const Node& limit, Scope& scope) {
  to = {};
  if (limit.is_no()) return;
  const auto cost = limit.table({"instructions", "requests"});
  to = many_times(whole(cost["instructions"], scope), whole(cost["requests"], scope));
}

void set_limits(judge::Bounds& bounds, const Node& node, Scope& scope) {
  if (!node) return;
  const auto limits = node.table();
  for (const auto& name : limits.keys()) {
    const auto limit = limits[name];
    const auto read = [&](auto bound, auto) { read_limit(bounds.*bound, limit, scope); };
    if (judge::check_kind(name) == judge::CheckKind::uses || with_limit(name, read)) continue;
    if (limit.is_no())
      bounds.others.erase(name);
    else
      bounds.others[name] = range(limit, scope);
  }
}

// What stands in an input's data beside its size, as the numbers that its kind reads.
Settings settings_of(const Table& input, const KindOfValues& kind, Scope& scope) {
  Settings settings;
  for (const auto& name : kind.settings) settings[name] = real(input[name], scope);
  return settings;
}

struct MadeInput {
  std::uint64_t elements;
  const KindOfValues* kind; // nullptr: the output
  Settings settings;
  Type type;
};

MadeInput input(const Node& node, Type type, Scope& scope) {
  const auto data = node.table();
  const auto values = data["values"];
  const auto found = kinds_of_values().find(values.text());
  if (found == kinds_of_values().end())
    values.fail(fmt::format("there are no values of the kind `{}`", values.text()));
  for (const auto& key : data.keys())
    if (key != "elements" && key != "values" && !std::ranges::count(found->second.settings, key))
      data[key].fail(fmt::format("values of the kind `{}` have no `{}`", found->first, key));
  return {whole(data["elements"], scope), &found->second, settings_of(data, found->second, scope),
          type};
}

// The launcher's arguments, by the names of its parameters.
void add_arguments(Case& one, std::vector<MadeInput>& inputs, const Source& source, Scope& scope) {
  const auto data = source.table["data"].table();
  for (const auto& parameter : source.signature.parameters) {
    if (!parameter.pointer) {
      if (!scope.has(parameter.name))
        source.table["shapes"].fail(fmt::format("no shape says what `{}` is", parameter.name));
      const auto value = scope.number(parameter.name);
      if (parameter.real)
        one.arguments.emplace_back(static_cast<float>(value));
      else
        one.arguments.emplace_back(static_cast<std::int32_t>(scope.whole(parameter.name)));
      continue;
    }
    const auto node = data[parameter.name];
    inputs.push_back(parameter.output ? MadeInput{whole(node, scope), nullptr, {}, parameter.type}
                                      : input(node, parameter.type, scope));
    one.arguments.emplace_back(Pointer{one.operands.size()});
    one.operands.push_back(
        {parameter.name, inputs.back().elements, parameter.output, parameter.type});
  }
}

// The i-th input has a seed of its own. The values are what the operand's type can hold.
std::vector<Floats> values_of(const std::vector<MadeInput>& inputs, Flavour flavour,
                              std::uint64_t seed) {
  std::vector<Floats> all;
  std::uint64_t i = 0;
  for (const auto& one : inputs) {
    all.emplace_back();
    if (!one.kind) continue;
    all.back() =
        one.kind->make(one.elements, flavour, i == 0 ? seed : derive(seed, i), one.settings);
    if (one.type == Type::bf16)
      std::ranges::transform(all.back(), all.back().begin(), rounded_to_bf16);
    if (one.type == Type::i32) std::ranges::transform(all.back(), all.back().begin(), held_by_int);
    ++i;
  }
  return all;
}

std::uint64_t answers_at_end(const Source& source) {
  return source.table["answers"] ? source.answers.values.size() : 0;
}

void set_reference(Case& one, const Source& source, Scope& scope) {
  const auto node = source.table["reference"];
  if (!node) return; // the solution's answer, then
  if (!node.is_text()) {
    one.reference = [values = source.answers.values](const std::vector<Floats>&) { return values; };
    return;
  }
  if (node.text() == kReferenceInFile) return; // by_file.hpp
  const auto found = kinds_of_references().find(node.text());
  if (found == kinds_of_references().end())
    node.fail(fmt::format("there is no reference `{}`; \"{}\" is one in a file of its own",
                          node.text(), kReferenceInFile));
  std::map<std::string, double> variables;
  for (const auto& name : found->second.variables) {
    if (!scope.has(name))
      node.fail(
          fmt::format("`{}` asks for `{}`, which no shape and no `let` has", node.text(), name));
    variables[name] = scope.number(name);
  }
  one.answers = answers_at_end(source);
  one.reference = [compute = found->second.compute, variables,
                   answers = one.answers ? source.answers.values
                                         : Floats{}](const std::vector<Floats>& inputs) {
    auto all = compute(inputs, [&](const std::string& name) { return variables.at(name); });
    all.insert(all.end(), answers.begin(), answers.end());
    return all;
  };
}

} // namespace

std::vector<std::string> asked_of_solution(const Table& table) {
  using judge::CheckKind, judge::KnownCheck;
  std::vector<std::string> asked;
  if (!table["reference"]) asked.push_back(judge::name_of(CheckKind::output));
  std::vector<Node> limits{table["limits"]};
  for (const auto* tables : {"when", "solution_costs"})
    for (const auto& one : table[tables].tables()) limits.push_back(one["limits"]);
  const auto given = [&](const std::string& name) {
    return std::ranges::any_of(limits,
                               [&](const Node& some) { return some && some.table()[name]; });
  };
  const auto checks = table["check"].table();
  for (const auto& name : checks.keys()) {
    const auto kind = judge::check_kind(name);
    if (kind == CheckKind::time || judge::known(kind).part == KnownCheck::Part::right) continue;
    if (!checks[name].table()["kind"] && std::ranges::none_of(limits_of_check(name), given))
      asked.push_back(name);
  }
  if (!table["launches"].is_no() && !given("cost")) asked.push_back("cost");
  return asked;
}

Answers answers_of(const Table& table, const std::filesystem::path& data) {
  Answers answers;
  const auto formulas = table[table["answers"] ? "answers" : "reference"];
  if (!formulas) return answers;
  if (formulas.is_text()) { // a kind that asks for nothing is as good as a list
    const auto found = kinds_of_references().find(formulas.text());
    if (table["launches"].is_no() && found != kinds_of_references().end())
      answers = {true, found->first == "predictions", // by rules that were measured
                 found->second.compute({}, [](const std::string&) { return 0.0; })};
    return answers;
  }
  Scope scope;
  if (const auto measured = table["measured"]) {
    const auto numbers = read_measured(measured, data);
    if (!numbers) return {false, true, Floats(formulas.elements().size(), -1)};
    for (const auto& [name, value] : *numbers) scope.set(name, value);
    answers.are_measured = true;
  }
  if (const auto constants = table["constants"]) set_variables(constants, scope);
  for (const auto& formula : formulas.elements())
    answers.values.push_back(static_cast<float>(real(formula, scope)));
  return answers;
}

void define(const Node& definitions, Scope& scope) {
  for (const auto& one : definitions.elements())
    one.evaluated([&](const std::string& text) { return scope.assign(text), 0; });
}

void set_variables(const Node& node, Scope& scope) {
  const auto shape = node.table();
  for (const auto& name : shape.keys()) scope.set(name, real(shape[name], scope));
}

Case make_case(const Source& source, Scope& scope) {
  const auto& table = source.table;
  // What the launcher gets is a float of its own, and the reference gets the same.
  for (const auto& parameter : source.signature.parameters)
    if (parameter.real && scope.has(parameter.name))
      scope.set(parameter.name, static_cast<float>(scope.number(parameter.name)));
  if (const auto constants = table["constants"]) set_variables(constants, scope);
  define(table["let"], scope);
  Case one;
  std::vector<MadeInput> inputs;
  add_arguments(one, inputs, source, scope);
  const auto output = std::ranges::find(one.operands, true, &Operand::output)->elements;
  const auto whens = holding(table["when"], scope);
  const auto label = chosen(table, whens, "label");
  one.shape = label.evaluated([&](const std::string& form) {
    judge::Shape shape(label_of(form, scope));
    shape.is_matrix = is_of_matrix(form);
    return shape;
  });
  const auto extent = table["extent"].elements();
  one.extent = extent.size() == 2 ? judge::Extent{whole(extent[0], scope), whole(extent[1], scope)}
                                  : judge::Extent{1, output - answers_at_end(source)};
  if (const auto node = table["tolerance"]) {
    const auto tolerance = node.table({"absolute", "relative"});
    if (tolerance["absolute"]) one.tolerance.absolute = real(tolerance["absolute"], scope);
    if (tolerance["relative"]) one.tolerance.relative = real(tolerance["relative"], scope);
  }
  one.bounds.elements = whole_or(table["elements"], scope, output);
  one.instruction_budget = whole_or(table["budget"], scope, 2'000'000 + 100 * one.bounds.elements);
  if (const auto device = table["device"]) {
    const auto kib = device.table({"shared_kib"})["shared_kib"];
    one.shared_kib = static_cast<std::uint32_t>(whole(kib, scope));
    if (one.shared_kib == 0) kib.fail("a multiprocessor has some shared memory");
  }
  one.bounds.way = way_bound(chosen(table, whens, "way"), scope);
  one.bounds.uses = uses_bound(table, whens, scope);
  set_limits(one.bounds, table["limits"], scope);
  for (const auto& all : {whens, holding(table["solution_costs"], scope)})
    for (const auto& some : all) set_limits(one.bounds, some["limits"], scope);
  one.inputs = [inputs](Flavour flavour, std::uint64_t seed) {
    return values_of(inputs, flavour, seed);
  };
  set_reference(one, source, scope);
  one.by_solution = source.by_solution;
  return one;
}

} // namespace course::lab
