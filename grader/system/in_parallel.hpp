// One piece of work for each of many numbers, by a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace course::system {

// Calls `work` with 0 … count - 1, each once, from at most so many threads, and comes back when all
// are done. The work must not throw.
void in_parallel(std::size_t count, std::size_t threads,
                 const std::function<void(std::size_t)>& work);

} // namespace course::system
