// Chosen orders as a person types them: "1:0.64x2.0+3:32" is of the launches 1 and 3, counted from
// 0: in launch 1 thread 0 of the grid makes the first step, thread 64 two, then thread 0 one.
#pragma once

#include "device/emulator/explore/step.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace course::cli {

using ChosenOrders = std::map<std::uint32_t, emulator::Choices>; // by launch

// The number of a drawn order, or how many there are to be, from 1; nothing: it is none.
std::optional<std::uint64_t> drawn_of(const std::string& text);

std::string order_text(const ChosenOrders&);
std::optional<ChosenOrders> orders_of(const std::string& text); // nothing: it is none

} // namespace course::cli
