#include "store.hpp"

#include "build/digest.hpp"
#include "system/file.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;

class StoreFolder {
public:
  StoreFolder() {
    char name[] = "/tmp/course-store-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~StoreFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  fs::path only(const char* name) const { return fs::directory_iterator(path_ / name)->path(); }

private:
  fs::path path_;
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

const std::string kKey = digest("key");
const Result kResult{"/folder", "a warning\n", {}};
const Made kMade{"the device code", "the library"};

} // namespace

TEST_CASE("what was put is found by its key, whole") {
  const StoreFolder folder;
  const Store store(folder / "new/store");
  CHECK_FALSE(store.find(kKey));
  const std::string bytes("bytes\0of a library", 18);
  const Stored put = store.put(kKey, kResult, {"device\n", bytes});
  const auto found = Store(folder / "new/store").find(kKey);
  REQUIRE(found);
  CHECK(found->made.device == "device\n");
  CHECK(found->made.library == bytes);
  CHECK(found->library == put.library);
  CHECK(system::content_of(found->library) == bytes);
  CHECK(found->library.extension() == ".so");
  CHECK(found->result.warnings == "a warning\n");
  CHECK(found->result.folder == "/folder");
  CHECK_FALSE(store.find(digest("another key")));
}

TEST_CASE("an artifact that was changed or cut off is not found") {
  const StoreFolder folder;
  const Store store(folder.path());
  store.put(kKey, kResult, kMade);
  std::vector<fs::path> artifacts;
  for (const auto& entry : fs::directory_iterator(folder / "artifacts"))
    artifacts.push_back(entry.path());
  REQUIRE(artifacts.size() == 2);
  for (const fs::path& artifact : artifacts) {
    INFO(artifact);
    const std::string whole = *system::content_of(artifact);
    write(artifact, "T" + whole.substr(1));
    CHECK_FALSE(store.find(kKey));
    write(artifact, whole.substr(0, 7));
    CHECK_FALSE(store.find(kKey));
    fs::remove(artifact);
    CHECK_FALSE(store.find(kKey));
    store.put(kKey, kResult, kMade);
    CHECK(store.find(kKey));
  }
}

TEST_CASE("device code alone has no library") {
  const StoreFolder folder;
  const Store store(folder.path());
  store.put(kKey, kResult, {"the device code", ""});
  const auto found = store.find(kKey);
  REQUIRE(found);
  CHECK(found->made.device == "the device code");
  CHECK(found->library.empty());
}

TEST_CASE("no damage to a record is taken for a record") {
  const StoreFolder folder;
  const Store store(folder.path());
  store.put(kKey, kResult, kMade);
  const fs::path record = folder.only("results");
  const std::string whole = *system::content_of(record);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(record, whole.substr(0, size));
    CHECK_FALSE(store.find(kKey));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    write(record, damaged);
    CHECK_FALSE(store.find(kKey));
  }
  // Not damage: a record of another version, rightly sealed.
  for (const char* text : {"{}", "[1]", R"({"artifact": 7})"}) {
    write(record, digest(text) + "\n" + text);
    CHECK_FALSE(store.find(kKey));
  }
  write(record, whole);
  CHECK(store.find(kKey));
}

TEST_CASE("a result holds while its headers are what they were") {
  const StoreFolder folder;
  const Store store(folder.path());
  write(folder / "a.h", "int a;");
  Result result = kResult;
  result.headers = headers_in("out : in.cu " + (folder / "a.h").string(), "/toolkit");
  REQUIRE(result.headers.size() == 1);
  store.put(kKey, result, kMade);
  CHECK(store.find(kKey));
  write(folder / "a.h", "int b;");
  CHECK_FALSE(store.find(kKey));
  write(folder / "a.h", "int a;");
  CHECK(store.find(kKey));
  fs::remove(folder / "a.h");
  CHECK_FALSE(store.find(kKey));
}

TEST_CASE("headers are read from what nvcc writes for make") {
  const auto paths = [](const std::string& text) {
    std::string result;
    for (const Header& header : headers_in(text, "/opt/cuda")) result += header.path + "\n";
    return result;
  };
  CHECK(paths("library.so : 2_pad.cu \\\n    /usr/include/a.h \\\n"
              "    /opt/cuda/bin/../targets/include/b.h\n") == "/usr/include/a.h\n");
  CHECK(paths("o: /a\\ b/c.h /d$$e.h \\\n /f\\#g.h") == "/a b/c.h\n/d$e.h\n/f#g.h\n");
  CHECK(paths("o: /opt/cuda-headers/a.h") == "/opt/cuda-headers/a.h\n");
  CHECK(paths("") == "");
  CHECK(paths("no colon /a.h") == "");
  CHECK(paths("o : \\") == "");
}

// Until a file gets a later time than one that was written before.
void await_next_time(const std::filesystem::path& folder) {
  const auto time_now = [&] {
    std::ofstream(folder / "time") << "x";
    return std::filesystem::last_write_time(folder / "time");
  };
  for (const auto first = time_now(); time_now() == first;) {
  }
  std::filesystem::remove(folder / "time");
}

TEST_CASE("beyond its size what was not used for longest goes first") {
  const StoreFolder folder;
  const Store store(folder.path());
  const std::string large(10'000, 'x');
  const auto key = [](int i) { return digest("key " + std::to_string(i)); };
  for (int i = 0; i < 4; ++i) {
    store.put(key(i), kResult, {large + std::to_string(i), ""});
    await_next_time(folder.path());
  }
  CHECK(store.find(key(0))); // used last
  store.prune(1 << 20);
  CHECK(store.find(key(1)));
  await_next_time(folder.path());
  CHECK(store.find(key(0)));
  store.prune(22'000);
  CHECK(store.find(key(0)));
  CHECK(store.find(key(1)));
  CHECK_FALSE(store.find(key(2)));
  CHECK_FALSE(store.find(key(3)));
}

TEST_CASE("a workspace is empty at first, and cleared when its holder is gone") {
  const StoreFolder folder;
  const Store store(folder.path());
  fs::path workspace;
  {
    const auto lock = store.lock(kKey);
    workspace = store.workspace(kKey);
    write(workspace / "a", "text");
    store.prune(0);
    CHECK(fs::exists(workspace / "a")); // somebody works there
  }
  {
    const auto lock = store.lock(kKey);
    CHECK(store.workspace(kKey) == workspace);
    CHECK(fs::is_empty(workspace));
  }
  store.prune(0);
  CHECK_FALSE(fs::exists(workspace));
}

TEST_CASE("a workspace is empty at first, though the one before is still written to") {
  const StoreFolder folder;
  const Store store(folder.path());
  for (int round = 0; round < 5; ++round) {
    const auto lock = store.lock(kKey);
    const auto workspace = store.workspace(kKey);
    CHECK(fs::is_empty(workspace));
    const int old = open(workspace.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::atomic<int> written = 0;
    std::atomic<bool> done = false;
    std::thread writer([&] { // as a compiler does in its working folder
      for (int i = 0; !done && i < 20'000; ++i, ++written)
        close(openat(old, std::to_string(i).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    });
    while (written < 200) std::this_thread::yield();
    CHECK_NOTHROW(store.workspace(kKey));
    CHECK(fs::is_empty(workspace));
    done = true;
    writer.join();
    close(old);
  }
  store.prune(0);
  CHECK(std::distance(fs::directory_iterator(folder / "work"), {}) == 1); // the lock
}

TEST_CASE("one at a time holds the lock of a key") {
  const StoreFolder folder;
  const Store store(folder.path());
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const auto lock = store.lock(kKey);
        if (++inside > 1) together = true;
        std::this_thread::yield();
        --inside;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_FALSE(together);
}

TEST_CASE("readers beside a writer see an old entry or a new one, never half of one") {
  const StoreFolder folder;
  const Store store(folder.path());
  store.put(kKey, kResult, {"version 0", "0"});
  std::thread writer([&] {
    for (int i = 1; i < 50; ++i)
      store.put(kKey, kResult, {"version " + std::to_string(i), std::to_string(i)});
  });
  for (int i = 0; i < 200; ++i) {
    const auto found = store.find(kKey);
    REQUIRE(found);
    CHECK(found->made.device == "version " + found->made.library);
  }
  writer.join();
  CHECK(store.find(kKey)->made.device == "version 49");
}

TEST_CASE("a folder that cannot be made is an exception") {
  const StoreFolder folder;
  write(folder / "file", "text");
  CHECK_THROWS_AS(Store(folder / "file/store"), fs::filesystem_error);
}

} // namespace course::build
