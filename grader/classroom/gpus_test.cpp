#include "classroom/gpus.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace course::classroom {

TEST_CASE("GPUs are those of the driver, less those that CUDA_VISIBLE_DEVICES hides") {
  const hand_made::Folder folder;
  CHECK(find_gpus(folder.path).empty());
  for (const char* bus : {"0000:18:00.0", "0000:2a:00.0", "0000:3a:00.0"})
    folder.write("driver/nvidia/gpus/" + std::string(bus) + "/information", "");
  using List = std::vector<std::string>;
  CHECK(find_gpus(folder.path) == List{"0", "1", "2"});
  CHECK(find_gpus(folder.path, "2,0") == List{"2", "0"});
  CHECK(find_gpus(folder.path, "7,1") == List{"1"});
  CHECK(find_gpus(folder.path, "").empty());
}

TEST_CASE("CTest's specification has a few slots a GPU") {
  const auto json = nlohmann::json::parse(resource_specification({"0", "2"}));
  CHECK(json["version"]["major"] == 1);
  CHECK(json["local"][0]["gpus"][1]["id"] == "2");
  CHECK(json["local"][0]["gpus"][1]["slots"] == kSlots);
}

TEST_CASE("the allocation is read as CTest writes it") {
  CHECK(allocated_gpu("id:2,slots:1") == "2");
  CHECK(allocated_gpu("id:0") == "0");
  for (const char* other : {"", "2", "slots:1", "id:,slots:1"}) CHECK_FALSE(allocated_gpu(other));
}

} // namespace course::classroom
