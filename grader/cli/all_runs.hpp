// `course run --orders all`: every order of each launch's threads that differs, and the program
// gone on with from each end that launches come to.
#pragma once

#include "cli/other_runs.hpp"

namespace course::cli {

report::OtherOrders run_in_all_orders(const FirstTime& first, runtime::LiveProgram program,
                                      emulator::Options how, runtime::Stop& stop);

} // namespace course::cli
