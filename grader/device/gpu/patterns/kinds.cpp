#include "device/gpu/patterns/kinds.hpp"

#include <algorithm>

namespace course::gpu::patterns {
namespace {

void add_loads_and_stores(std::vector<Kind>& kinds) {
  struct Form {
    const char* width;
    const char *type, *load, *store;
    std::uint32_t bytes, results_32, results_64;
  };
  constexpr Form kForms[] = {
      {"1", "u8", "%x0", "%v0", 1, 1, 0},
      {"2", "u16", "%x0", "%v0", 2, 1, 0},
      {"4", "u32", "%x0", "%v0", 4, 1, 0},
      {"8", "u64", "%y0", "%w0", 8, 0, 1},
      {"16", "v4.u32", "{%x0, %x1, %x2, %x3}", "{%v0, %v1, %v2, %v3}", 16, 4, 0},
  };
  for (const std::string space : {"shared", "global"}) {
    const std::string address = space == "shared" ? "[%a]" : "[%g]";
    for (const auto& form : kForms) {
      const std::string type = space + "." + form.type;
      kinds.push_back({space + "_load_" + form.width,
                       "ld." + type + " " + form.load + ", " + address, form.bytes, form.results_32,
                       form.results_64});
      kinds.push_back({space + "_store_" + form.width,
                       "st." + type + " " + address + ", " + form.store, form.bytes});
    }
  }
}

// Atomics with and without a result: ptxas chooses its instruction by that.
void add_atomics(std::vector<Kind>& kinds) {
  struct Operation {
    const char *operation, *type;
    std::uint32_t bytes;
    bool red; // has a form without result
  };
  constexpr Operation kOperations[] = {
      {"add", "u32", 4, true},   {"min", "u32", 4, true},         {"max", "u32", 4, true},
      {"min", "s32", 4, true},   {"inc", "u32", 4, true},         {"dec", "u32", 4, true},
      {"and", "b32", 4, true},   {"or", "b32", 4, true},          {"xor", "b32", 4, true},
      {"exch", "b32", 4, false}, {"add", "f32", 4, true},         {"add", "u64", 8, true},
      {"min", "u64", 8, true},   {"max", "s64", 8, true},         {"and", "b64", 8, true},
      {"or", "b64", 8, true},    {"xor", "b64", 8, true},         {"exch", "b64", 8, false},
      {"add", "f64", 8, true},   {"add.noftz", "f16x2", 4, true},
  };
  for (const auto& op : kOperations) {
    const bool wide = op.bytes == 8;
    const std::string name =
        std::string(op.operation).substr(0, std::string(op.operation).find('.'));
    const std::string suffix = name + "_" + op.type;
    const std::string code = std::string(op.operation) + "." + op.type;
    const std::string value = wide ? "%w0" : "%v0";
    kinds.push_back({"atom_shared_" + suffix,
                     "atom.shared." + code + (wide ? " %y0" : " %x0") + ", [%a], " + value,
                     op.bytes, wide ? 0u : 1u, wide ? 1u : 0u});
    if (op.red)
      kinds.push_back({"red_shared_" + suffix, "red.shared." + code + " [%a], " + value, op.bytes});
  }
  kinds.push_back({"red_shared_add_u32_constant_1", "red.shared.add.u32 [%a], 1", 4});
  kinds.push_back({"atom_shared_add_u32_constant_1", "atom.shared.add.u32 %x0, [%a], 1", 4, 1});
  kinds.push_back({"atom_shared_add_u64_zero", "atom.shared.add.u64 %y0, [%a], %l0", 8, 0, 1});
  kinds.push_back({"red_shared_add_u64_constant_1", "red.shared.add.u64 [%a], 1", 8});
  kinds.push_back({"atom_shared_cas_b32", "atom.shared.cas.b32 %x0, [%a], %k0, %v0", 4, 1});
  kinds.push_back({"atom_shared_cas_b64", "atom.shared.cas.b64 %y0, [%a], %l0, %w0", 8, 0, 1});
}

void add_copies(std::vector<Kind>& kinds) {
  for (const char* copy : {"ca_4", "ca_8", "ca_16", "cg_16"}) {
    const std::string path(copy, 2), width(copy + 3);
    const auto bytes = static_cast<std::uint32_t>(std::stoul(width));
    const std::string name = "cp_async_" + std::string(copy);
    const std::string code = "cp.async." + path + ".shared.global [%a], [%g], " + width;
    kinds.push_back({name, code, bytes, 0, 0, true});
    // With a count of bytes to read, the rest zero: ptxas makes other instructions of a constant,
    // of what it knows to be all or nothing, and of anything else.
    const std::string half = std::to_string(bytes / 2);
    for (const std::string& count :
         {"k" + width, std::string("k0"), "odd" + width, "any" + width, std::string("0"), half})
      kinds.push_back({name + "_of_" + count,
                       code + (count == "0" || count == half ? ", " : ", %") + count, bytes, 0, 0,
                       true});
  }
}

void add_matrices(std::vector<Kind>& kinds) {
  const char* lists[] = {"{%x0}", "{%x0, %x1}", "{%x0, %x1, %x2, %x3}"};
  const char* values[] = {"{%v0}", "{%v0, %v1}", "{%v0, %v1, %v2, %v3}"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    std::string count("x");
    count += std::to_string(1u << i);
    kinds.push_back({"ldmatrix_" + count,
                     "ldmatrix.sync.aligned.m8n8." + count + ".shared.b16 " + lists[i] + ", [%a]",
                     16, 1u << i, 0, false, true});
    kinds.push_back({"stmatrix_" + count,
                     "stmatrix.sync.aligned.m8n8." + count + ".shared.b16 [%a], " + values[i], 16,
                     0, 0, false, true});
  }
}

} // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> result;
    add_loads_and_stores(result);
    add_atomics(result);
    add_copies(result);
    add_matrices(result);
    return result;
  }();
  return all;
}

const Kind* find_kind(std::string_view name) {
  const auto& all = kinds();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Kind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace course::gpu::patterns
