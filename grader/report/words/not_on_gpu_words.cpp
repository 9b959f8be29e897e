#include "report/words/not_on_gpu_words.hpp"

#include "language/translate.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"

namespace course::report {

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

std::string not_on_gpu_words(const judge::NotOnGpu& found) {
  using Why = judge::NotOnGpu::Why;
  const auto gpu = found.gpu;
  switch (found.why) {
  case Why::instruction: {
    const auto what =
        found.line == 0 ? found.instruction : tr("{} on line {}", found.instruction, found.line);
    const auto needs = capability_text(found.needs), has = capability_text(found.has);
    return found.alone
               ? tr("{} is of compute capability {} alone, and the {} has {}", what, needs, gpu,
                    has)
               : tr("{} needs compute capability {}, and the {} has {}", what, needs, gpu, has);
  }
  case Why::shared_memory:
    return tr("a block asks for {} bytes of shared memory, and the {} gives it {} at most",
              thousands(found.asks), gpu, thousands(found.there));
  case Why::memory:
    return tr("what is timed takes {} bytes of memory, and the {} has {}", thousands(found.asks),
              gpu, thousands(found.there));
  case Why::driver:
    return tr("the {} refused it: {}", gpu, in_words(found.said));
  }
  return "";
}

} // namespace course::report
