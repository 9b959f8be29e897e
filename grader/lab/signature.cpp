#include "lab/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace course::lab {
namespace {

using Words = std::vector<std::string>;

// Names, and every other character but spaces by itself.
Words words_of(const std::string& text) {
  const auto of_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  Words words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    const bool goes_on = i > 0 && of_name(text[i]) && of_name(text[i - 1]);
    if (goes_on)
      words.back() += text[i];
    else
      words.emplace_back(1, text[i]);
  }
  return words;
}

bool is_name(const std::string& word) {
  return std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_';
}

Type type_named(const std::string& name) {
  if (name == "int") return Type::i32;
  if (name == "short") return Type::i16;
  return name == "__nv_bfloat16" ? Type::bf16 : Type::f32;
}

// [const] type [*] name; `printed` is its type as c++filt prints it.
std::optional<Parameter> parameter(Words words, std::string& printed) {
  const bool constant = !words.empty() && words[0] == "const";
  if (constant) words.erase(words.begin());
  Parameter one;
  one.pointer = words.size() == 3 && words[1] == "*";
  if (words.size() != (one.pointer ? 3u : 2u) || !is_name(words[0]) || !is_name(words.back()))
    return {};
  const auto& type = words[0];
  if (!one.pointer && type != "int" && type != "float") return {};
  one.name = words.back();
  one.output = one.pointer && !constant;
  one.real = !one.pointer && type == "float";
  if (one.pointer) one.type = type_named(type);
  printed = type + (!one.pointer ? "" : constant ? " const*" : "*");
  return one;
}

} // namespace

std::variant<Signature, std::string> parse_signature(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return fmt::format("the signature `{}`: {}", text, why);
  };
  const auto words = words_of(text);
  if (words.size() < 5 || words[0] != "void" || !is_name(words[1]) || words[2] != "(" ||
      words.back() != ")")
    return wrong("it should be void name(parameters)");
  Signature signature;
  std::string types;
  for (auto from = words.begin() + 3; from < words.end();) {
    const auto to = std::find(from, words.end() - 1, ",");
    std::string type;
    const auto one = parameter({from, to}, type);
    if (!one) return wrong("it has a parameter that is no pointer, int or float with a name");
    types += (types.empty() ? "" : ", ") + type;
    signature.parameters.push_back(*one);
    from = to + 1;
  }
  if (std::ranges::count_if(signature.parameters, &Parameter::output) != 1)
    return wrong("it should have one output: one pointer that is not to const");
  signature.function = words[1] + "(" + types + ")";
  return signature;
}

} // namespace course::lab
