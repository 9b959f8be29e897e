// A launch in every order of its threads' steps that differs, or in one that was chosen.
#pragma once

#include "device/emulator/execute/grid.hpp"
#include "device/emulator/explore/exploration.hpp"

namespace course::emulator {

// Why the launch cannot be explored; none: it can.
Exploration::WhyNot why_not_explored(const Launch&);

// Memory is then as one of the orders leaves it: the first wrong one, the one that was chosen, or
// the usual one. Findings are those of all orders.
GridResult run_in_all_orders(Launch&, Cores&, Exploration&);

} // namespace course::emulator
