// Work in a process of its own, so that whatever becomes of it, the caller goes on.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace course::system {

// Runs `work` in a child and waits. Empty when it came to its end; else what became of it: "was
// ended by signal 11 (Segmentation fault)", "took longer than 300 s", or what it threw. The child
// ends with this process. Call it before any thread is started.
std::string in_child(const std::function<void()>& work, std::chrono::seconds limit);

} // namespace course::system
