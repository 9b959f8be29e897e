#include "cli/mcp/working_folder.hpp"

#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

namespace course::cli::mcp {
namespace {

namespace fs = std::filesystem;

// A working folder, copies beside it, and what is nobody's business.
struct Place {
  system::TemporaryFolder all{"course-mcp-test"};
  fs::path mine = all.path() / "mine", copies = all.path() / "copies";

  Place() { fs::create_directories(mine); }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((all.path() / name).parent_path());
    system::write_file(all.path() / name, text);
  }
  WorkingFolder::Gathered gathered(const std::string& file) const {
    auto result = WorkingFolder(mine).gather(file, copies);
    const auto* refused = std::get_if<WorkingFolder::Refused>(&result);
    REQUIRE_MESSAGE(!refused, refused->why);
    return std::get<WorkingFolder::Gathered>(std::move(result));
  }
  std::string why_not(const std::string& file) const {
    const auto result = WorkingFolder(mine, {all.path() / "mine/kept"}).gather(file, copies);
    const auto* refused = std::get_if<WorkingFolder::Refused>(&result);
    REQUIRE_MESSAGE(refused, file);
    return refused->why;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a program is copied with what it includes from beside it and below") {
  const Place place;
  place.write("mine/kernels/turn.cu", "#include <cstdio>\n#include \"../tile.cuh\"\nint main() {}");
  place.write("mine/tile.cuh", "#include \"deep/size.h\"\n");
  place.write("mine/deep/size.h", "// wgmma.fence\n");
  place.write("mine/other.h", "not included");
  const auto gathered = place.gathered("kernels/turn.cu");
  CHECK(gathered.source == "kernels/turn.cu");
  CHECK(has(gathered.text, "int main"));
  CHECK(gathered.specific);
  CHECK(gathered.left_out.empty());
  CHECK(fs::exists(place.copies / "kernels/turn.cu"));
  CHECK(fs::exists(place.copies / "tile.cuh"));
  CHECK(fs::exists(place.copies / "deep/size.h"));
  CHECK_FALSE(fs::exists(place.copies / "other.h"));
}

TEST_CASE("an absolute path below the working folder is as good as a relative one") {
  const Place place;
  place.write("mine/a.cu", "int main() {}");
  CHECK(place.gathered((fs::canonical(place.mine) / "a.cu").string()).source == "a.cu");
  CHECK(place.gathered("./b/../a.cu").source == "a.cu");
}

TEST_CASE("nothing outside of the working folder is read") {
  const Place place;
  place.write("secret.cu", "int main() {}");
  CHECK(has(place.why_not("../secret.cu"), "is outside of the working folder"));
  CHECK(has(place.why_not((place.all.path() / "secret.cu").string()), "is outside"));
  CHECK(has(place.why_not("/etc/passwd"), "is no CUDA source"));
  CHECK(has(place.why_not("/etc/absent.cu"), "is outside"));
  fs::create_symlink(place.all.path() / "secret.cu", place.mine / "link.cu");
  CHECK(has(place.why_not("link.cu"), "is a symbolic link"));
  fs::create_directory_symlink(place.all.path(), place.mine / "up");
  CHECK(has(place.why_not("up/secret.cu"), "is a symbolic link, or below one"));
}

TEST_CASE("what a program includes is no way out either, and that is said") {
  const Place place;
  place.write("secret.h", "secret");
  fs::create_symlink(place.all.path() / "secret.h", place.mine / "link.h");
  place.write("mine/a.cu",
              "#include \"../secret.h\"\n#include \"link.h\"\n#include \"/etc/passwd\"\n"
              "#include \"absent.h\"\n");
  const auto gathered = place.gathered("a.cu");
  CHECK(gathered.left_out.size() == 3);
  CHECK(std::distance(fs::recursive_directory_iterator(place.copies), {}) == 1);
}

TEST_CASE("hidden files, pipes, folders, odd names and kept results are refused") {
  const Place place;
  place.write("mine/.ssh/id.cu", "");
  place.write("mine/.a.cu", "");
  place.write("mine/a$(id).cu", "");
  place.write("mine/kept/b.cu", "");
  fs::create_directories(place.mine / "folder.cu");
  mkfifo((place.mine / "pipe.cu").c_str(), 0600);
  CHECK(has(place.why_not(".ssh/id.cu"), "hidden"));
  CHECK(has(place.why_not(".a.cu"), "hidden"));
  CHECK(has(place.why_not("a$(id).cu"), "characters"));
  CHECK(has(place.why_not("kept/b.cu"), "keeps"));
  CHECK(has(place.why_not("folder.cu"), "is no file"));
  CHECK(has(place.why_not("pipe.cu"), "is no file"));
  CHECK(has(place.why_not("absent.cu"), "is not there"));
}

TEST_CASE("of a course the labs' sources are read, and not its answers") {
  const Place place;
  place.write("mine/labs/05_transpose/2_pad.cu", "a student's");
  place.write("mine/labs/05_transpose/2_pad.toml", "a hint");
  place.write("mine/solutions/05_transpose/2_pad.cu", "a solution");
  place.write("mine/attacks/odd/x.cu", "a control");
  place.write("mine/own.cu", "#include \"solutions/05_transpose/2_pad.cu\"\n"
                             "#include \"labs/05_transpose/2_pad.toml\"\n");
  CHECK(place.gathered("labs/05_transpose/2_pad.cu").text == "a student's");
  CHECK(has(place.why_not("solutions/05_transpose/2_pad.cu"), "part of the course"));
  CHECK(has(place.why_not("labs/../solutions/05_transpose/2_pad.cu"), "part of the course"));
  CHECK(has(place.why_not("attacks/odd/x.cu"), "part of the course"));
  CHECK(place.gathered("own.cu").left_out.size() == 2);
}

TEST_CASE("a course below or above the working folder is a course as well") {
  const Place place;
  place.write("mine/copy/labs/01_banks/1_x.toml", "");
  place.write("mine/copy/solutions/01_banks/1_x.cu", "a solution");
  CHECK(has(place.why_not("copy/solutions/01_banks/1_x.cu"), "part of the course"));
  place.write("mine/labs/01_banks/1_x.toml", "");
  place.write("mine/solutions/a.cu", "a solution");
  const auto result = WorkingFolder(place.mine / "solutions").gather("a.cu", place.copies);
  CHECK(std::holds_alternative<WorkingFolder::Refused>(result));
}

TEST_CASE("somebody's folders that are no course have any names") {
  const Place place;
  place.write("mine/solutions/week1.cu", "int main() {}");
  place.write("mine/build/generated.cu", "int main() {}");
  CHECK(place.gathered("solutions/week1.cu").source == "solutions/week1.cu");
  CHECK(place.gathered("build/generated.cu").source == "build/generated.cu");
}

TEST_CASE("a program that is too large is refused") {
  const Place place;
  place.write("mine/large.cu", std::string((1 << 20) + 1, ' '));
  CHECK(has(place.why_not("large.cu"), "cannot be read"));
  std::string all;
  for (int i = 0; i < 70; ++i) {
    place.write("mine/h" + std::to_string(i) + ".h", "");
    all += "#include \"h" + std::to_string(i) + ".h\"\n";
  }
  place.write("mine/many.cu", all);
  CHECK(has(place.why_not("many.cu"), "more than 64 files"));
}

} // namespace course::cli::mcp
