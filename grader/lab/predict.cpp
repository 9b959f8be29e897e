#include "lab/predict.hpp"

#include "device/model/shared.hpp"

#include <array>
#include <functional>

namespace course::lab {
namespace {

Question question(const std::string& read, int width, const std::function<int(int)>& byte_of_lane) {
  Question row{read, {}};
  row.request.width = width;
  for (int lane = 0; lane < model::kLanes; ++lane)
    row.request.offset[lane] = static_cast<std::uint32_t>(byte_of_lane(lane));
  return row;
}

Question stride(int words) {
  const auto factor = words == 1 ? "lane" : std::to_string(words) + " * lane";
  return question("word[" + factor + "]", 4, [words](int lane) { return 4 * words * lane; });
}

std::array<Question, 13> table() {
  return {stride(1),
          stride(2),
          stride(3),
          stride(4),
          stride(32),
          stride(33),
          question("word[5]", 4, [](int) { return 20; }),
          question("word[lane % 2 * 32]", 4, [](int lane) { return lane % 2 * 128; }),
          question("letter[lane]", 1, [](int lane) { return lane; }),
          question("number[lane]", 8, [](int lane) { return 8 * lane; }),
          question("quad[lane]", 16, [](int lane) { return 16 * lane; }),
          question("pair[lane].x", 4, [](int lane) { return 8 * lane; }),
          question("triple[lane].x", 4, [](int lane) { return 12 * lane; })};
}

} // namespace

std::span<const Question> questions() {
  static const auto rows = table();
  return rows;
}

int conflicts(const Question& row) {
  return model::shared_passes(row.request).conflicts();
}

} // namespace course::lab
