#include "device/code/sass/resources.hpp"
#include "device/code/sass/sample.hpp"

#include <algorithm>
#include <random>

namespace course::sass {
namespace {

const Kernel& kernel_of(const Cubin& cubin, std::string_view name) {
  for (const Kernel& kernel : cubin.kernels) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error("no kernel " + std::string(name));
}

std::vector<Access> shared_of(const Kernel& kernel) {
  std::vector<Access> result;
  for (const Access& access : kernel.accesses) {
    if (access.memory == Memory::shared) result.push_back(access);
  }
  return result;
}

} // namespace

TEST_CASE("a cubin has its kernels, each with its accesses in order") {
  const Cubin cubin = sample_read("self_check");
  CHECK(cubin.has_lines);
  CHECK(cubin.kernels.size() == 9);
  const auto accesses = shared_of(kernel_of(cubin, "check_merged"));
  REQUIRE(accesses.size() == 2);
  CHECK(accesses[0].operation == Operation::store);
  CHECK(accesses[0].width == 16);
  CHECK(accesses[1].operation == Operation::load);
  CHECK(accesses[1].width == 16);
  CHECK(accesses[0].address < accesses[1].address);
  CHECK(accesses[0].address % 16 == 0);
  CHECK(cubin.files.at(accesses[0].source_file) == "/tmp/corpus/self_check.cu");
  CHECK(accesses[0].source_line == 29);
  CHECK(accesses[1].source_line == 31);
}

TEST_CASE("a function of two kernels is in both") {
  const Cubin cubin = sample_read("accesses");
  const auto one = shared_of(kernel_of(cubin, "_Z6callerPf"));
  const auto other = shared_of(kernel_of(cubin, "_Z12other_callerPf"));
  REQUIRE(one.size() == 2);
  REQUIRE(other.size() == 2);
  CHECK(one[0].ptx_line == other[0].ptx_line);
  CHECK(one[1].ptx_line == other[1].ptx_line);
}

TEST_CASE("the loads that never execute are not accesses") {
  const Cubin cubin = sample_read("accesses");
  int loads = 0, copies = 0;
  for (const Access& access : shared_of(kernel_of(cubin, "_Z6copiesP6float4"))) {
    loads += access.operation == Operation::load;
    copies += access.operation == Operation::copy;
  }
  CHECK(loads == 1);
  CHECK(copies == 2);
}

TEST_CASE("bytes that are not a cubin are an error that says so") {
  const auto message = [](const std::vector<std::byte>& bytes) {
    const auto result = read(bytes);
    REQUIRE(std::holds_alternative<Error>(result));
    return std::get<Error>(result).message;
  };
  CHECK(message({}).starts_with("the cubin cannot be read: "));
  auto bytes = sample_cubin("self_check");
  bytes[18] = std::byte{62}; // x86-64
  CHECK(message(bytes) == "the cubin cannot be read: this ELF file is not a cubin");
  CHECK(resources({}).empty());
}

TEST_CASE("registers, stack and shared memory are those that ptxas prints") {
  const auto all = resources(sample_cubin("accesses"));
  CHECK(all.at("_Z8unrolledPf").shared == 4096);
  CHECK(all.at("_Z8narrowedPf").shared == 0);
  CHECK(all.at("_Z10operationsPj").shared == 768);
  CHECK(all.at("_Z10operationsPj").registers == 29);
  CHECK(all.at("_Z7guardedPii").registers == 10);
  CHECK(all.at("_Z7guardedPii").stack == 0);
}

TEST_CASE("5,000 mutilated cubins are read or refused, and nothing worse") {
  const auto original = sample_cubin("self_check");
  const ptx::Module module = sample_module("self_check");
  std::mt19937 random(20250711);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  // Headers and tables are where offsets are: the header, the section headers at the end, the
  // lines.
  const std::size_t tables = original.size() - 64 * 60;
  int refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    auto bytes = original;
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
      const std::size_t at = below(3) == 0   ? below(64)
                             : below(2) == 0 ? tables + below(bytes.size() - tables)
                                             : below(bytes.size());
      bytes[at] = below(3) == 0 ? std::byte{0xff} : static_cast<std::byte>(below(256));
    }
    if (below(10) == 0) bytes.resize(below(bytes.size()));
    auto result = read(bytes);
    if (std::holds_alternative<Error>(result)) {
      ++refused;
    } else {
      const Matcher matcher(std::get<Cubin>(std::move(result)));
      for (const ptx::Function& function : module.functions) {
        CHECK(matcher.match(function).size() == function.body.size());
      }
    }
    resources(bytes);
  }
  CHECK(refused > 500);
  CHECK(refused < 4'900);
}

TEST_CASE("where ptxas has left setmaxnreg is known by its PTX lines") {
  for (const Kernel& kernel : sample_read("registers").kernels) {
    INFO(kernel.name);
    const bool left_out = kernel.name.find("left_out") != kernel.name.npos;
    CHECK(kernel.sets_registers.empty() == left_out);
    for (const std::uint32_t line : kernel.sets_registers) CHECK(line != 0);
  }
}

} // namespace course::sass
