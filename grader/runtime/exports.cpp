#include "runtime/exports.hpp"

#include "system/demangled.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <memory>

namespace course::runtime {

namespace {

struct Tables {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* hash = nullptr;
};

Tables tables_of(const link_map& map) {
  Tables tables;
  for (const Elf64_Dyn* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto* at = reinterpret_cast<const void*>(entry->d_un.d_ptr); // relocated by the linker
    if (entry->d_tag == DT_SYMTAB) tables.symbols = static_cast<const Elf64_Sym*>(at);
    if (entry->d_tag == DT_STRTAB) tables.names = static_cast<const char*>(at);
    if (entry->d_tag == DT_GNU_HASH) tables.gnu_hash = static_cast<const std::uint32_t*>(at);
    if (entry->d_tag == DT_HASH) tables.hash = static_cast<const std::uint32_t*>(at);
  }
  return tables;
}

// A GNU hash table does not say how many symbols there are: the last one is at the end of the chain
// that starts last.
std::uint32_t count_by_gnu_hash(const std::uint32_t* table) {
  const std::uint32_t buckets = table[0], first = table[1], bloom_words = table[2];
  const std::uint32_t* bucket = table + 4 + bloom_words * 2;
  const std::uint32_t* chain = bucket + buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = std::max(last, bucket[i]);
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + 1;
}

std::uint32_t symbol_count(const Tables& tables) {
  if (tables.gnu_hash) return count_by_gnu_hash(tables.gnu_hash);
  return tables.hash ? tables.hash[1] : 0;
}

// "transpose" of "lab::transpose(float*)".
std::string base_name(const std::string& signature) {
  const auto end = signature.find_first_of("(<");
  const auto head = signature.substr(0, end);
  const auto begin = head.find_last_of(": ");
  return begin == std::string::npos ? head : head.substr(begin + 1);
}

} // namespace

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

std::vector<Export> exported_functions(void* library) {
  const link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map) return {};
  const Tables tables = tables_of(*map);
  if (!tables.symbols || !tables.names) return {};
  std::vector<Export> exports;
  const auto count = symbol_count(tables);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = tables.symbols[i];
    if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
    const char* name = tables.names + symbol.st_name;
    exports.push_back({system::demangled_if_simple(name),
                       reinterpret_cast<void*>(map->l_addr + symbol.st_value)});
  }
  return exports;
}

void* find_function(const std::vector<Export>& exports, const std::string& signature) {
  const auto found = std::find_if(exports.begin(), exports.end(),
                                  [&](const Export& e) { return e.signature == signature; });
  return found == exports.end() ? nullptr : found->address;
}

std::vector<std::string> namesakes(const std::vector<Export>& exports,
                                   const std::string& signature) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> same;
  for (const auto& e : exports) {
    if (same.size() == kMost || base_name(e.signature) != base_name(signature)) continue;
    const bool c = e.signature.find('(') == std::string::npos;
    same.push_back((c ? "extern \"C\" " : "") + e.signature.substr(0, 1000));
  }
  return same;
}

} // namespace course::runtime
