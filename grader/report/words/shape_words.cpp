#include "report/words/shape_words.hpp"

#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/numbers.hpp"

namespace course::report {

std::string called(const judge::Shape& shape) {
  const auto said = said_by_form("shape", shape.label).value_or(shape.label);
  if (shape.again) return trc("a shape", "{}, {}", said, trc("shape", "after another call"));
  if (shape.drawn_order)
    return trc("a shape", "{}, {}", said, tr("drawn order {}", shape.drawn_order));
  return shape.backwards ? trc("a shape", "{}, {}", said, trc("shape", "the last block first"))
                         : said;
}

std::string in_words(const judge::Shape& shape) {
  const bool as_usual = !shape.backwards && !shape.drawn_order && !shape.again;
  return shape.is_matrix && as_usual ? tr("a {} matrix", shape.label) : called(shape);
}

bool counts_elements(const judge::Shape& shape, std::uint64_t elements) {
  const language::InEnglish as_it_is_called;
  return judge::name(shape) == counted(elements, "{} element", "{} elements");
}

} // namespace course::report
