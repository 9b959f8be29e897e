#include "device/emulator/explore/chooser.hpp"

#include <algorithm>

namespace course::emulator {

std::optional<std::size_t> usual_choice(const std::vector<Step>& stopped,
                                        std::optional<Agent> last) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < stopped.size(); ++i) {
    if (!stopped[i].can_go_on) continue;
    if (stopped[i].agent == last) return i;
    if (!first) first = i;
  }
  return first;
}

std::optional<std::size_t> Replay::choose(const std::vector<Step>& stopped) {
  std::optional<std::size_t> chosen;
  if (next_ < choices_.size()) {
    const auto of = [&](const Step& step) {
      return step.agent == choices_[next_] && step.can_go_on;
    };
    const auto found = std::ranges::find_if(stopped, of);
    ++next_;
    if (found != stopped.end())
      chosen = static_cast<std::size_t>(found - stopped.begin());
    else
      followed_ = false;
  }
  if (!chosen) chosen = usual_choice(stopped, last_);
  if (chosen) last_ = stopped[*chosen].agent;
  return chosen;
}

} // namespace course::emulator
