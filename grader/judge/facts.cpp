#include "judge/facts.hpp"

template struct course::CompiledOnce<course::judge::AnyEnd>;
template struct course::CompiledOnce<course::judge::AnyNote>;
template struct course::CompiledOnce<course::judge::AnyFact>;
