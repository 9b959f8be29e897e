// Runs ways to do one thing in turn, checks what each leaves, and prints a row of CSV for each:
//
//   experiment,size,way,rounds,median_us,low_us,high_us,times,times_low,times_high
//
// `times` is how many times as long as the first way it takes, from the pairs of one round; low and
// high bound each median with a confidence of 95 in a hundred (order statistics). Before each run
// the input is as it was and L2 holds other data; who comes first changes from round to round.
// As `PROGRAM check`, with small sizes: no times, only whether the results are right; for
// `course run`, which has no clock. As `PROGRAM once`: the same with the sizes that are timed, for
// a profiler.
#pragma once

#include "../contest/contest.cuh"

#include <cstring>

namespace experiment {

using contest::must;

inline bool& only_checks() {
  static bool value = false;
  return value;
}
inline bool& all_right() {
  static bool value = true;
  return value;
}

// Reads the command line, prints the heading. True: small sizes.
inline bool begin(int count, char** arguments) {
  only_checks() = count > 1;
  if (!only_checks())
    std::puts("experiment,size,way,rounds,median_us,low_us,high_us,times,times_low,times_high");
  return count > 1 && std::strcmp(arguments[1], "check") == 0;
}
inline int end() {
  return all_right() ? 0 : 1;
}

struct Interval {
  double median, low, high;
};

// The median, and the two values between which the true one lies 95 times in a hundred.
inline Interval interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  const double reach = 0.98 * std::sqrt(n);
  const auto at = [&](double rank) {
    return values[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))];
  };
  return {at((n - 1) / 2), at(std::floor((n - 1) / 2 - reach)), at(std::ceil((n - 1) / 2 + reach))};
}

template <class T>
class Experiment {
public:
  // `in` is put back before each run; `count` results are compared with what `reference` leaves.
  Experiment(std::string name, int size, T* in, std::size_t in_count, std::size_t count)
      : name_(std::move(name)), size_(size), in_(in), kept_(contest::memory<T>(in_count)),
        in_count_(in_count), count_(count), out(contest::memory<T>(count)),
        expected_(contest::memory<T>(count)) {
    must(cudaMemcpy(kept_, in_, in_count_ * sizeof(T), cudaMemcpyDeviceToDevice), "copy");
  }
  ~Experiment() {
    for (T* each : {kept_, out, expected_}) cudaFree(each);
  }

  void reference(const std::function<void()>& run) {
    run();
    must(cudaGetLastError(), "the reference");
    must(cudaMemcpy(expected_, out, count_ * sizeof(T), cudaMemcpyDeviceToDevice), "copy");
    put_back();
  }
  // What a ceiling leaves is compared with `instead`: a copy, with what was to be copied.
  void add(const std::string& way, std::function<void()> run, const T* instead = nullptr) {
    ways_.push_back({way, std::move(run), instead, {}, {}});
  }

  void hold(int rounds) {
    check();
    if (only_checks()) return;
    const std::size_t scratch_bytes = 128u << 20;
    static float4* const scratch = [&] {
      auto* made = contest::memory<float4>(scratch_bytes / sizeof(float4));
      must(cudaMemset(made, 0, scratch_bytes), "cudaMemset");
      return made;
    }();
    cudaEvent_t before, after;
    must(cudaEventCreate(&before), "event");
    must(cudaEventCreate(&after), "event");
    const std::size_t n = ways_.size();
    for (int round = -2; round < rounds; ++round) {
      std::vector<double> microseconds(n);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = (i + static_cast<std::size_t>(round + 2)) % n;
        put_back();
        contest::read_all<<<528, 512>>>(scratch, scratch_bytes / sizeof(float4), nullptr);
        must(cudaEventRecord(before), "event");
        ways_[k].run();
        must(cudaEventRecord(after), "event");
        must(cudaEventSynchronize(after), ways_[k].name.c_str());
        float milliseconds = 0;
        must(cudaEventElapsedTime(&milliseconds, before, after), "event");
        microseconds[k] = 1e3 * milliseconds;
      }
      for (std::size_t k = 0; k < n && round >= 0; ++k) {
        ways_[k].microseconds.push_back(microseconds[k]);
        ways_[k].times.push_back(microseconds[k] / microseconds[0]);
      }
    }
    for (const auto& way : ways_) {
      const Interval time = interval(way.microseconds), times = interval(way.times);
      std::printf("%s,%d,%s,%d,%.2f,%.2f,%.2f,%.3f,%.3f,%.3f\n", name_.c_str(), size_,
                  way.name.c_str(), rounds, time.median, time.low, time.high, times.median,
                  times.low, times.high);
    }
    std::fflush(stdout);
    must(cudaEventDestroy(before), "event");
    must(cudaEventDestroy(after), "event");
  }

private:
  struct Way {
    std::string name;
    std::function<void()> run;
    const T* instead;
    std::vector<double> microseconds, times;
  };

  void put_back() {
    must(cudaMemcpyAsync(in_, kept_, in_count_ * sizeof(T), cudaMemcpyDeviceToDevice), "copy");
  }

  void check() {
    auto* unequal = contest::memory<unsigned long long>(1);
    for (const auto& way : ways_) {
      must(cudaMemset(out, 0xa5, count_ * sizeof(T)), "cudaMemset");
      must(cudaMemset(unequal, 0, sizeof *unequal), "cudaMemset");
      put_back();
      way.run();
      must(cudaGetLastError(), way.name.c_str());
      const T* const right = way.instead ? way.instead : expected_;
      contest::count_unequal<<<256, 256>>>(out, right, count_, 1e-6, unequal);
      unsigned long long found = 0;
      must(cudaMemcpy(&found, unequal, sizeof found, cudaMemcpyDeviceToHost), way.name.c_str());
      if (only_checks() || found != 0)
        std::printf("%s %d: %s: %llu of %zu wrong\n", name_.c_str(), size_, way.name.c_str(), found,
                    count_);
      if (found != 0) all_right() = false;
    }
    cudaFree(unequal);
  }

  std::string name_;
  int size_;
  T *in_, *kept_;
  std::size_t in_count_, count_;
  std::vector<Way> ways_;

public:
  T* out;

private:
  T* expected_;
};

} // namespace experiment
