// A census: what the emulated device accepts, against what the differential tests cover. Every
// opcode that it decodes is in the table below, covered by a test beside this one, or not, with the
// reason; and of loads, stores, atomics and barriers every combination of modifiers is tried.
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/differential/atomic_reference.hpp"
#include "device/emulator/differential/matrix_form.hpp"
#include "device/emulator/differential/memory_form.hpp"
#include "device/emulator/differential/warp_reference.hpp"
#include "device/emulator/execute/atomics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace course::emulator::differential {
namespace {

// Opcodes with a decoder of their own: the test that covers them, and what it leaves out and why.
struct Coverage {
  const char* test;
  const char* reason;
};
const std::map<std::string_view, Coverage>& coverage() {
  static const std::map<std::string_view, Coverage> all = {
      {"ld", {"memory", ""}},
      {"ldu", {"memory", ""}},
      {"st", {"memory", ""}},
      {"discard", {nullptr, "what it leaves nobody may read; memory_actions_test.cpp"}},
      {"cvta", {"memory", ""}},
      {"isspacep", {"memory", ""}},
      {"call", {"memory", ""}},
      {"atom", {"atomics", ""}},
      {"red", {"atomics", ""}},
      {"bar", {"barriers", "but bar.warp.sync, which has no result: findings/pairs_test.cpp"}},
      {"barrier", {"barriers", ""}},
      {"ldmatrix", {"matrix", ""}},
      {"stmatrix", {"matrix", ""}},
      {"mma", {"matrix", "and tiles_test.cpp; cli/programs/tiles.cu"}},
      {"wmma", {nullptr, "tiles_test.cpp; cli/programs/tiles.cu"}},
      {"tex", {nullptr, "cli/programs/textures.cu"}},
      {"tld4", {nullptr, "cli/programs/textures.cu"}},
      {"suld", {nullptr, "cli/programs/textures.cu"}},
      {"sust", {nullptr, "cli/programs/textures.cu"}},
      {"mov", {"forms", "but packing and special registers: forms_test.cpp, warp_test.cpp"}},
      {"bra", {"programs", ""}},
      {"ret", {"programs", ""}},
      {"brx", {nullptr, "nvcc makes it of large switches only; control_flow_test.cpp"}},
      {"exit", {nullptr, "random programs end by ret; control_flow_test.cpp, items_test.cpp"}},
      {"trap", {nullptr, "ends the kernel, and has no result; items_test.cpp"}},
      {"cp", {nullptr, "what it gives depends on when it is waited for; async_copy_test.cpp"}},
      {"mbarrier", {nullptr, "what it gives depends on who has come; phases_test.cpp"}},
      {"mapa", {nullptr, "an address in another block; cluster_test.cpp"}},
      {"getctarank", {nullptr, "of an address in another block; cluster_test.cpp"}},
      {"tcgen05", {nullptr, "refused by name: tensor memory came later"}},
      {"wgmma", {nullptr, "its operands are tiles that descriptors name; wgmma_test.cpp"}},
      {"setmaxnreg", {nullptr, "a number of registers, without result"}},
      {"membar", {nullptr, "no result; the checker's pairs, findings/pairs_test.cpp"}},
      {"fence", {nullptr, "no result; the checker's pairs, findings/pairs_test.cpp"}},
      {"prefetch", {nullptr, "a hint, without result"}},
      {"prefetchu", {nullptr, "a hint, without result"}},
      {"nanosleep", {nullptr, "a hint, without result"}},
      {"brkpt", {nullptr, "for debuggers, without result"}},
      {"pmevent", {nullptr, "for profilers, without result"}},
      {"createpolicy", {nullptr, "what hints read; items_test.cpp"}},
      {"applypriority", {nullptr, "a hint, without result"}},
      {"griddepcontrol", {nullptr, "orders launches; streams_test.cpp"}},
  };
  return all;
}

bool is_accepted(const std::string& instruction) {
  const std::string ptx = ".version 9.0\n.target sm_90\n.address_size 64\n"
                          ".func (.param .align 32 .b8 made[64]) f(.param .align 32 .b8 given[64])"
                          "\n{\n.param .align 32 .b8 area[64];\n"
                          ".reg .b16 %h<8>; .reg .b32 %w<8>; .reg .b64 %d<8>; .reg .b128 %q<4>;\n"
                          ".reg .pred %p<3>;\n" +
                          instruction + ";\nret;\n}\n.visible .entry k(.param .u64 in) {\n" +
                          ".param .align 32 .b8 p[64]; .param .align 32 .b8 r[64];\n"
                          "call (r), f, (p);\nret;\n}\n";
  Program program({ptx, {}}, 0);
  REQUIRE_MESSAGE(program.error().empty(), instruction << ": " << program.error());
  try {
    program.entry("k");
    return true;
  } catch (const Refusal&) {
    return false;
  }
}

const std::vector<std::string>& types() {
  static const std::vector<std::string> all = {
      "b8",  "u8",  "s8",  "b16", "u16", "s16",  "b32",   "u32",  "s32",   "f32",
      "b64", "u64", "s64", "f64", "f16", "bf16", "f16x2", "b128", "bf16x2"};
  return all;
}
char letter_of(const std::string& type) {
  if (type == "b128") return 'q';
  const int bits = bits_of_type(type);
  return bits <= 16 ? 'h' : bits == 32 ? 'w' : 'd';
}
std::string registers(const std::string& type, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(1, letter_of(type)) +
            (type == "b128" ? "1" : std::to_string(i));
  return count == 1 ? text : "{" + text + "}";
}

// Tries each, and tells those that are accepted but not covered, or covered but not accepted.
std::size_t compare(const std::map<std::string, std::string>& instruction_of,
                    const std::set<std::string>& covered) {
  std::size_t accepted = 0;
  for (const auto& each : instruction_of) {
    const bool accepts = is_accepted(each.second);
    accepted += accepts;
    const bool agrees = accepts == covered.contains(each.first);
    CHECK_MESSAGE(agrees,
                  each.first << (accepts ? " is accepted, and no differential test covers it"
                                         : " is covered, and not accepted"));
  }
  for (const std::string& name : covered)
    CHECK_MESSAGE(instruction_of.contains(name), name << " is covered, and was not tried");
  return accepted;
}

} // namespace

TEST_CASE("every opcode that is decoded is covered, or says why not") {
  const auto opcodes = Decoder::opcodes();
  std::string uncovered;
  for (const std::string_view opcode : opcodes) {
    const auto found = coverage().find(opcode);
    REQUIRE_MESSAGE(found != coverage().end(), opcode << " is in no differential test");
    const std::string_view reason = found->second.reason;
    const bool is_explained = found->second.test || !reason.empty();
    CHECK_MESSAGE(is_explained, opcode);
    if (!reason.empty()) uncovered += "\n  " + std::string(opcode) + ": " + std::string(reason);
  }
  CHECK(coverage().size() == opcodes.size());
  MESSAGE("not covered, of " << opcodes.size()
                             << " opcodes with a decoder of their own:" << uncovered);
}

TEST_CASE("whatever can be executed has a row in the table of instructions") {
  std::vector<std::string> names = exchange_names();
  for (std::string& name : memory_action_names()) names.push_back(std::move(name));
  for (const auto& [name, form] : forms().all()) names.push_back(name);
  for (const std::string& name : names) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= name.size(); at = std::min(name.find('.', at), name.size()) + 1)
      words.push_back(name.substr(at, name.find('.', at) - at));
    if (words[0] == "extend") continue; // what follows a load: PTX has no such instruction
    const bool known = ptx::row_of(words[0], std::span(words).subspan(1)).is_known();
    CHECK_MESSAGE(known, name);
  }
}

TEST_CASE("every combination of a load's or store's modifiers is covered or refused") {
  std::map<std::string, std::string> tried;
  for (const std::string opcode : {"ld", "ldu", "st"})
    for (const std::string space :
         {"", ".global", ".global.nc", ".shared", ".shared.nc", ".local", ".const", ".param"})
      for (const int count : {1, 2, 4, 8})
        for (const std::string& type : types()) {
          const std::string name =
              opcode + space + (count == 1 ? "" : ".v" + std::to_string(count)) + "." + type;
          const std::string where =
              space == ".param" ? opcode == "st" ? "[made]" : "[given]" : "[%d7]";
          const std::string what = registers(type, count);
          tried[name] = name + " " + (opcode == "st" ? where + ", " + what : what + ", " + where);
        }
  std::set<std::string> covered;
  for (const MemoryForm& form : memory_forms()) covered.insert(form.full());
  const std::size_t accepted = compare(tried, covered);
  MESSAGE(tried.size() << " combinations tried, " << accepted << " accepted and covered");
}

TEST_CASE("every combination of an atomic's modifiers is covered or refused") {
  std::map<std::string, std::string> tried;
  std::set<std::string> covered;
  const std::vector<std::string> spaces = {"", ".global", ".shared"};
  for (const std::string opcode : {"atom", "red"}) {
    for (const std::string space : {"", ".global", ".shared", ".local", ".const"})
      for (const std::string operation : {"add", "add.noftz", "min", "min.noftz", "max", "and",
                                          "or", "xor", "exch", "cas", "inc", "dec"})
        for (const std::string& type : types()) {
          const std::string name = opcode + space + "." + operation + "." + type;
          const std::string value = registers(type, 1);
          tried[name] = name + " " + (opcode == "atom" ? value + ", [%d7], " : "[%d7], ") + value +
                        (operation == "cas" ? ", " + value : "");
        }
    for (const AtomicForm& form : atomic_forms())
      for (const std::string& space : spaces)
        if (opcode == "atom" || form.is_reduction())
          covered.insert(opcode + space + "." + form.full());
  }
  const std::size_t accepted = compare(tried, covered);
  MESSAGE(tried.size() << " combinations tried, " << accepted << " accepted and covered");
}

TEST_CASE("every barrier is covered or refused") {
  std::map<std::string, std::string> tried;
  std::set<std::string> covered;
  for (const std::string prefix : {"bar", "bar.cta", "bar.cluster", "barrier", "barrier.cta"})
    for (const std::string suffix : {"", ".aligned"})
      for (const std::string form :
           {"sync", "arrive", "red.popc.u32", "red.and.pred", "red.or.pred", "red.xor.pred"})
        for (const bool counts : {false, true}) {
          const std::size_t dot = form.rfind('.');
          const bool reduces = dot != std::string::npos;
          const std::string opcode =
              prefix + "." +
              (reduces ? form.substr(0, dot) + suffix + form.substr(dot) : form + suffix);
          const std::string name = opcode + (counts ? " a, b" : " a");
          tried[name] = opcode + " " +
                        (!reduces                  ? ""
                         : form.find("popc") < dot ? "%w0, "
                                                   : "%p0, ") +
                        "1" + (counts ? ", 64" : "") + (reduces ? ", %p1" : "");
          const bool exists =
              prefix != "bar.cluster" && form != "red.xor.pred" && (form != "arrive" || counts);
          if (exists) covered.insert(name);
        }
  const std::size_t accepted = compare(tried, covered);
  MESSAGE(tried.size() << " spellings tried, " << accepted << " accepted and covered");
}

TEST_CASE("how many forms the differential tests cover") {
  const std::size_t arithmetic = forms().all().size(), exchanges = warp_forms().size();
  const std::size_t memory = memory_forms().size(), matrix = products().size() + moves().size();
  std::size_t atomics = 0;
  for (const AtomicForm& form : atomic_forms()) atomics += form.is_reduction() ? 6 : 3;
  MESSAGE("arithmetic " << arithmetic << ", exchanges " << exchanges << ", loads and stores "
                        << memory << ", atomics " << atomics << ", matrices " << matrix
                        << ", barriers 5: "
                        << arithmetic + exchanges + memory + atomics + matrix + 5 << " in all");
  CHECK(arithmetic > 2000);
  CHECK(memory + atomics > 700);
}

} // namespace course::emulator::differential
