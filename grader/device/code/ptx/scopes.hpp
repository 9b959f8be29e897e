// The names of one function: registers and variables by nested scope, labels by scope after the
// fact, because a branch may come before its label.
#pragma once

#include "device/code/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace course::ptx {

// Views are into the PTX text and must outlive the object.
class Scopes {
public:
  static constexpr std::size_t kDeepest = 256;

  struct ModuleName {
    bool is_function = false;
    std::size_t index = 0; // in Module::functions or Module::variables
  };
  using Module = std::unordered_map<std::string_view, ModuleName>;
  explicit Scopes(const Module& module) : module_(module) { open(); }

  bool open(); // false: nested too deep
  void close();
  std::size_t depth() const { return open_.size(); }

  // Each is false when the scope that is open has the name already.
  bool add_register(std::string_view name, std::uint32_t index);
  bool add_registers(std::string_view prefix, std::uint32_t first, std::uint32_t count);
  bool add_variable(std::string_view name, std::string_view unique);
  bool add_label(std::string_view name, std::string_view unique);

  // The name itself, or with "@2", "@3", … when the function or the module has it already.
  std::string unique(std::string_view name);

  // What a name means in the scope that is open; nothing when the function does not declare it.
  using Meaning = std::variant<Register, Symbol>;
  std::optional<Meaning> find(std::string_view name) const;

  // The unique name of a label seen from a scope, which may be closed by now.
  std::uint32_t current() const { return open_.back().id; }
  const std::string* find_label(std::string_view name, std::uint32_t from) const;

private:
  struct Range { // prefix0 … prefix(count - 1)
    std::uint32_t first = 0, count = 0;
  };
  struct Scope {
    std::uint32_t id = 0;
    std::unordered_map<std::string_view, std::variant<Register, std::string>> names;
    std::unordered_map<std::string_view, Range> ranges;
  };
  static std::optional<Register> in_range(const Scope&, std::string_view name);

  const Module& module_;
  std::vector<Scope> open_;
  std::vector<std::uint32_t> parent_; // by scope id; the outermost is its own
  std::unordered_map<std::string, std::uint32_t> uses_;
  struct LabelKey {
    std::string_view name;
    std::uint32_t scope = 0;
    bool operator==(const LabelKey&) const = default;
  };
  struct LabelHash {
    std::size_t operator()(const LabelKey& key) const {
      return std::hash<std::string_view>{}(key.name) ^ key.scope * 0x9e3779b97f4a7c15u;
    }
  };
  std::unordered_map<LabelKey, std::string, LabelHash> labels_; // to the unique name
};

} // namespace course::ptx
