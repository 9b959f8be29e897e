#include "device/gpu/library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <utility>

namespace course::gpu {

Library Library::open(const std::vector<std::string>& names) {
  Library library;
  for (const auto& name : names) {
    library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_) {
      link_map* map = nullptr;
      if (dlinfo(library.handle_, RTLD_DI_LINKMAP, &map) == 0 && map) library.path_ = map->l_name;
      library.error_.clear();
      return library;
    }
    const char* why = dlerror();
    if (library.error_.empty() && why) library.error_ = why;
  }
  return library;
}

Library::Library(Library&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), error_(std::move(other.error_)),
      path_(std::move(other.path_)) {}

Library& Library::operator=(Library&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(error_, other.error_);
  std::swap(path_, other.path_);
  return *this;
}

Library::~Library() {
  if (handle_) dlclose(handle_);
}

void* Library::find(const char* symbol) const {
  return handle_ ? dlsym(handle_, symbol) : nullptr;
}

} // namespace course::gpu
