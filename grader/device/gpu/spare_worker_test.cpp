#include "device/gpu/spare_worker.hpp"

#include "device/gpu/channel.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace course::gpu {
namespace {

using namespace std::chrono_literals;

// The bytes of an answer on its way.
std::string travelling(const Answer& answer) {
  int pair[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  REQUIRE_FALSE(send(pair[0], encode(answer)));
  close(pair[0]);
  std::string bytes(4096, '\0');
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(pair[1], bytes.data(), 4096))));
  close(pair[1]);
  return bytes;
}

// A program in the worker's place, which describes a GPU so many times.
class Describer {
public:
  explicit Describer(int times) {
    const auto folder = std::filesystem::temp_directory_path();
    const auto name = "course_spare_" + std::to_string(getpid()) + "_" + std::to_string(count_++);
    answer_ = folder / (name + ".answer");
    path_ = folder / name;
    Description description;
    description.gpu = name;
    std::ofstream(answer_) << travelling(description);
    std::ofstream script(path_);
    script << "#!/bin/sh\n";
    for (int i = 0; i < times; ++i) script << "cat " << answer_ << " >&3\n";
    script << (times > 1 ? "exec sleep 60\n" : "exit 0\n");
    script.close();
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Describer() {
    std::filesystem::remove(path_);
    std::filesystem::remove(answer_);
  }
  DescribedWorker described() const {
    auto made = described_worker(path_, 10s);
    if (const auto* why = std::get_if<std::string>(&made)) FAIL(*why);
    return std::move(std::get<DescribedWorker>(made));
  }
  const std::filesystem::path& path() const { return path_; }

private:
  static inline int count_ = 0;
  std::filesystem::path answer_, path_;
};

} // namespace

TEST_CASE("a worker that was kept is the next one, once") {
  const Describer describer(5);
  auto first = describer.described();
  const auto id = first.process.id();
  CHECK(first.description.gpu == describer.path().filename());
  keep_for_next(describer.path(), std::move(first.process));
  const auto second = describer.described();
  CHECK(second.process.id() == id);
  CHECK(describer.described().process.id() != id);
}

TEST_CASE("a kept worker that is gone by then is made again") {
  const Describer describer(1);
  auto first = describer.described();
  const auto id = first.process.id();
  keep_for_next(describer.path(), std::move(first.process));
  CHECK(describer.described().process.id() != id);
}

TEST_CASE("a worker of one program does not serve for another") {
  const Describer one(5), other(5);
  keep_for_next(one.path(), one.described().process);
  CHECK(other.described().description.gpu == other.path().filename());
  const auto missing = described_worker("/no/such/worker", 1s);
  REQUIRE(std::holds_alternative<std::string>(missing));
  CHECK(std::get<std::string>(missing).find("/no/such/worker") != std::string::npos);
}

} // namespace course::gpu
