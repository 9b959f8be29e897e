#include "lab/variants.hpp"

#include "system/file.hpp"

#include <algorithm>
#include <fstream>

namespace course::lab {
namespace {

using std::filesystem::path;

path folder_of_wrong(const Exercise& exercise) {
  return path("solutions") / exercise.lab() / "wrong";
}

std::string written_in(const path& file) {
  return system::content_of(file).value_or("");
}

std::vector<Variant> with_files(const Exercise& exercise, const path& root) {
  std::vector<Variant> variants;
  const auto folder = folder_of_wrong(exercise);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder, error)) {
    const auto name = entry.path().filename();
    if (name.extension() == ".cu" && name.string().starts_with(exercise.name() + "_"))
      variants.push_back({folder / name, written_in(entry.path())});
  }
  return variants;
}

} // namespace

path edits_of(const Exercise& exercise) {
  return folder_of_wrong(exercise) / (exercise.name() + ".diff");
}

std::vector<Variant> wrong_variants_of(const Exercise& exercise, const path& root) {
  auto variants = with_files(exercise, root);
  const auto edits = written_in(root / edits_of(exercise));
  const auto solution = written_in(root / "solutions" / (exercise.id + ".cu"));
  for (const auto& one : edited_variants(edits)) {
    const auto file = folder_of_wrong(exercise) / (exercise.name() + "_" + one.name + ".cu");
    auto source = applied(one, solution);
    if (std::ranges::find(variants, file, &Variant::file) != variants.end() && !one.fault)
      source = EditFault{EditFault::What::name_again, one.edits.front().line};
    variants.push_back({file, std::move(source)});
  }
  std::ranges::stable_sort(variants, {}, &Variant::file);
  return variants;
}

std::string name_of(const Variant& variant, const Exercise& exercise) {
  return variant.file.stem().string().substr(exercise.name().size() + 1);
}

std::optional<Variant> wrong_variant(const Exercise& exercise, const path& root,
                                     const std::string& name) {
  for (auto& one : wrong_variants_of(exercise, root)) {
    const auto stem = one.file.stem().string(), whole = "/" + one.file.string();
    if (name == name_of(one, exercise) || name == stem || ("/" + name).ends_with(whole))
      return std::move(one);
  }
  return std::nullopt;
}

VariantFile::VariantFile(const Variant& variant)
    : folder_("course-wrong"), path_(folder_.path() / variant.file.filename()) {
  folder_.let_pass();
  std::ofstream stream(path_, std::ios::binary);
  stream.exceptions(std::ios::failbit | std::ios::badbit);
  stream << *variant.text();
}

} // namespace course::lab
