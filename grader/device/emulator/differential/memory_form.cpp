#include "device/emulator/differential/memory_form.hpp"

namespace course::emulator::differential {

std::string MemoryForm::registers() const {
  const std::string all = "hwdq", smallest = element() <= 2   ? "h"
                                             : element() == 4 ? "w"
                                             : element() == 8 ? "d"
                                                              : "q";
  if (is_float_type(type) || type == "b128") return smallest;
  return all.substr(all.find(smallest), 3 - all.find(smallest));
}

const std::vector<MemoryForm>& memory_forms() {
  static const std::vector<MemoryForm> all = [] {
    std::vector<MemoryForm> made;
    const auto add = [&](const char* opcode, const char* space) {
      for (const char* type : {"b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32",
                               "b64", "u64", "s64", "f64", "b128"}) {
        for (const std::size_t count : {1, 2, 4, 8}) {
          const MemoryForm form{opcode, space, count, type};
          const bool wide = form.width() == 32 && std::string(space).starts_with(".global") &&
                            std::string(opcode) != "ldu" && form.element() != 16;
          if (wide || (form.width() <= 16 && count <= 4)) made.push_back(form);
        }
      }
    };
    for (const char* space : {"", ".global", ".global.nc", ".shared", ".local", ".const", ".param"})
      add("ld", space);
    for (const char* space : {"", ".global", ".shared", ".local", ".param"}) add("st", space);
    for (const char* space : {"", ".global"}) add("ldu", space);
    return made;
  }();
  return all;
}

std::size_t bytes_of_register(char letter) {
  return letter == 'h' ? 2 : letter == 'w' ? 4 : letter == 'd' ? 8 : 16;
}

Bits loaded(const MemoryForm& form, const unsigned char* bytes, char letter) {
  Bits value = 0;
  const std::size_t size = form.element() == 16 ? 8 : form.element();
  for (std::size_t i = 0; i < size; ++i) value |= Bits{bytes[i]} << 8 * i;
  const bool negative = is_signed_type(form.type) && (value >> (8 * size - 1) & 1);
  for (std::size_t i = size; i < bytes_of_register(letter) && i < 8 && negative; ++i)
    value |= Bits{0xff} << 8 * i;
  return value;
}

} // namespace course::emulator::differential
