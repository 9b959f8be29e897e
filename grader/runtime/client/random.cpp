// cuRAND's host interface for programs under `course run`: numbers in device memory, as programs
// that teach draw their inputs.
//
// The library talks to a GPU by itself, so it cannot run here. What is drawn is a sequence of ours,
// of the distribution that was asked for: the same for a seed on every machine, and not the numbers
// of an H200. It is written as work of the generator's stream, so that bounds and races between
// streams are looked for as in a copy. A call is done when it returns, and nothing of it is
// counted. What is not drawn here is refused by its name.
//
// Declarations are our own, by the documented binary interface (cuRAND 10), as its header is not
// installed wherever nvcc is.
#include "device/splitmix64.hpp"
#include "runtime/client/grader.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

using namespace course::client;

namespace {

// curandStatus_t.
enum class Status : int {
  success = 0,
  not_initialized = 101,
  type_error = 103,
  out_of_range = 104,
  length_not_multiple = 105,
  launch_failure = 201,
  internal_error = 999,
};

constexpr int kVersion = 100400;                          // as CUDA 13.0 has it
constexpr int kFirstPseudo = 100, kFirstQuasi = 200;      // curandRngType_t
constexpr unsigned kBitsOfFloat = 24, kBitsOfDouble = 53; // of a mantissa

// curandGenerator_st, which programs see as a pointer. Owned by the program:
// curandDestroyGenerator ends it.
struct Generator {
  static constexpr std::uint32_t kLives = 0x4a4d0a4d;
  std::uint32_t lives = kLives;
  bool on_host = false; // it writes to memory of the host
  cudaStream_t stream = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t position = 0; // of the next number

  std::uint64_t next() {
    return course::device::splitmix64(course::device::splitmix64(seed) +
                                      ++position * course::device::kSplitmixStep);
  }
};

bool lives(const Generator* generator) {
  return generator && generator->lives == Generator::kLives;
}

Status wrong(const char* call, Status status, std::string why) {
  ask(call, protocol::Failed{cudaErrorInvalidValue, std::move(why)});
  return status;
}

// In (0, 1], as the library's are.
template <class T>
T uniform(Generator& generator) {
  constexpr unsigned kBits = std::is_same_v<T, float> ? kBitsOfFloat : kBitsOfDouble;
  return std::ldexp(static_cast<T>((generator.next() >> (64 - kBits)) + 1), -int{kBits});
}

// Box and Muller: two at a time.
template <class T>
std::pair<T, T> normal(Generator& generator, T mean, T deviation) {
  const double radius = std::sqrt(-2 * std::log(uniform<double>(generator)));
  const double angle = 2 * std::numbers::pi * uniform<double>(generator);
  return {mean + deviation * static_cast<T>(radius * std::cos(angle)),
          mean + deviation * static_cast<T>(radius * std::sin(angle))};
}

template <class T>
Status store(const char* call, const Generator& generator, T* to, const std::vector<T>& drawn) {
  const std::size_t bytes = drawn.size() * sizeof(T);
  if (generator.on_host) {
    std::memcpy(to, drawn.data(), bytes);
    return Status::success;
  }
  const CopyWork work{{address_of(to), bytes, 0}, {address_of(drawn.data()), bytes, 0}, bytes, 1, 1,
                      cudaMemcpyHostToDevice};
  const CalledAs named(call);
  const OnStream on(generator.stream);
  return do_copy(call, work) == cudaSuccess ? Status::success : Status::launch_failure;
}

// Fills `count` numbers at `to` by `draw`, which is given the generator and where they go.
template <class T, class Draw>
Status generate(const char* call, Generator* generator, T* to, std::size_t count, Draw draw) {
  if (!lives(generator))
    return wrong(call, Status::not_initialized,
                 "a generator that curandCreateGenerator has not made, or that is destroyed");
  if (captured(call, generator->stream, EmptyWork{})) {
    refuse(call, "while its stream is captured");
    return Status::internal_error;
  }
  ask(call, protocol::Computed{});
  if (count == 0) return Status::success;
  if (!to) return wrong(call, Status::out_of_range, kNoPlace);
  std::vector<T> drawn(count);
  draw(*generator, drawn);
  return store(call, *generator, to, drawn);
}

template <class T>
Status uniforms(const char* call, Generator* generator, T* to, std::size_t count) {
  return generate(call, generator, to, count, [](Generator& from, std::vector<T>& drawn) {
    for (T& each : drawn) each = uniform<T>(from);
  });
}

template <class T, class Last>
Status normals(const char* call, Generator* generator, T* to, std::size_t count, T mean,
               T deviation, Last last) {
  if (count % 2 != 0)
    return wrong(call, Status::length_not_multiple, "they are drawn in pairs: an odd number");
  return generate(call, generator, to, count, [&](Generator& from, std::vector<T>& drawn) {
    for (std::size_t i = 0; i < count; i += 2) {
      const auto [one, other] = normal(from, mean, deviation);
      drawn[i] = last(one), drawn[i + 1] = last(other);
    }
  });
}

template <class T>
T as_it_is(T value) {
  return value;
}
template <class T>
T exponential(T value) {
  return std::exp(value);
}

Status create(const char* call, Generator** to, int type, bool on_host) {
  if (!is_live()) {
    refuse(call);
    return Status::internal_error;
  }
  if (!to) return wrong(call, Status::out_of_range, kNoPlace);
  *to = nullptr;
  if (type < kFirstPseudo) return wrong(call, Status::type_error, "no such generator");
  if (type >= kFirstQuasi) {
    refuse(call, "of quasirandom numbers");
    return Status::internal_error;
  }
  *to = new Generator{.on_host = on_host};
  return Status::success;
}

template <class Set>
Status change(Generator* generator, Set set) {
  if (!lives(generator)) return Status::not_initialized;
  set(*generator);
  return Status::success;
}

} // namespace

extern "C" {

Status curandCreateGenerator(Generator** to, int type) {
  return create("curandCreateGenerator", to, type, false);
}
Status curandCreateGeneratorHost(Generator** to, int type) {
  return create("curandCreateGeneratorHost", to, type, true);
}
Status curandDestroyGenerator(Generator* generator) {
  if (!lives(generator)) return Status::not_initialized;
  generator->lives = 0;
  delete generator;
  return Status::success;
}
Status curandGetVersion(int* version) {
  if (!version) return Status::out_of_range;
  *version = kVersion;
  return Status::success;
}

Status curandSetStream(Generator* generator, cudaStream_t stream) {
  return change(generator, [&](Generator& of) { of.stream = stream; });
}
Status curandSetPseudoRandomGeneratorSeed(Generator* generator, unsigned long long seed) {
  return change(generator, [&](Generator& of) { of.seed = seed, of.position = 0; });
}
Status curandSetGeneratorOffset(Generator* generator, unsigned long long offset) {
  return change(generator, [&](Generator& of) { of.position = offset; });
}
Status curandSetGeneratorOrdering(Generator* generator, int /*order*/) {
  return change(generator, [](Generator&) {}); // here there is one
}
Status curandGenerateSeeds(Generator* generator) {
  return change(generator, [](Generator&) {}); // nothing to prepare
}

Status curandGenerate(Generator* generator, unsigned* to, std::size_t count) {
  return generate("curandGenerate", generator, to, count,
                  [](Generator& from, std::vector<unsigned>& drawn) {
                    for (unsigned& each : drawn) each = static_cast<unsigned>(from.next() >> 32);
                  });
}
Status curandGenerateUniform(Generator* generator, float* to, std::size_t count) {
  return uniforms("curandGenerateUniform", generator, to, count);
}
Status curandGenerateUniformDouble(Generator* generator, double* to, std::size_t count) {
  return uniforms("curandGenerateUniformDouble", generator, to, count);
}
Status curandGenerateNormal(Generator* generator, float* to, std::size_t count, float mean,
                            float deviation) {
  return normals("curandGenerateNormal", generator, to, count, mean, deviation, as_it_is<float>);
}
Status curandGenerateNormalDouble(Generator* generator, double* to, std::size_t count, double mean,
                                  double deviation) {
  return normals("curandGenerateNormalDouble", generator, to, count, mean, deviation,
                 as_it_is<double>);
}
Status curandGenerateLogNormal(Generator* generator, float* to, std::size_t count, float mean,
                               float deviation) {
  return normals("curandGenerateLogNormal", generator, to, count, mean, deviation,
                 exponential<float>);
}
Status curandGenerateLogNormalDouble(Generator* generator, double* to, std::size_t count,
                                     double mean, double deviation) {
  return normals("curandGenerateLogNormalDouble", generator, to, count, mean, deviation,
                 exponential<double>);
}

} // extern "C"
