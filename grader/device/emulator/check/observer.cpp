#include "device/emulator/check/observer.hpp"

namespace course::emulator {

#define OBSERVER(name) ObserverOf watch_##name(const Launch&);
#include <observers.def> // OBSERVER(name) for each (CMakeLists.txt)
#undef OBSERVER

Observers observers_of(const Launch& launch) {
  Observers all;
#define OBSERVER(name)                                                                             \
  if (ObserverOf made = watch_##name(launch)) all.push_back(std::move(made));
#include <observers.def>
#undef OBSERVER
  return all;
}

} // namespace course::emulator
