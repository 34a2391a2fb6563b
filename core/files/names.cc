#include "files/names.h"

#include <tuple>
#include <vector>

namespace steertag::files {
namespace {

// Bytes in front of the handle in a key: two addresses, each with its kind.
constexpr size_t kScope = 2 * (1 + std::tuple_size_v<decltype(base::Address::octets)>);

}  // namespace

bool can_be_name(std::string_view name) {
  constexpr size_t kMostName = 255;  // bytes, of all file systems that are exported
  return !name.empty() && name.size() <= kMostName && name != "." && name != ".." &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

std::string joined(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') {
    path += '/';
  }
  path += name;
  return path;
}

// What is beside the texts, each of which is there twice, is about as much as they are.
size_t Names::cost(const File& file) {
  constexpr size_t kBeside = 192;
  return kBeside + 2 * (file.key.size() + file.name.size());
}

void Names::set_key(const Scope& scope, std::string_view handle) {
  key_.clear();
  for (const base::Address* address : {&scope.client, &scope.server}) {
    key_ += static_cast<char>(address->kind);
    for (const uint8_t octet : address->octets) {
      key_ += static_cast<char>(octet);
    }
  }
  key_ += handle;
}

Names::Id Names::find(const Scope& scope, std::string_view handle) {
  set_key(scope, handle);
  const auto found = by_key_.find(key_);
  return found != by_key_.end() ? found->second : 0;
}

Names::Id Names::enter(const Scope& scope, std::string_view handle) {
  if (handle.size() > kMostHandle) {
    return 0;
  }
  if (const Id known = find(scope, handle); known != 0) {
    ages_.splice(ages_.begin(), ages_, files_.find(known)->second.age);
    return known;
  }
  const Id id = ++last_;
  ages_.push_front(id);
  File& file = files_[id];
  file = {.key = key_, .name = {}, .root = handle.empty(), .age = ages_.begin()};
  by_key_[key_] = id;
  bytes_ += cost(file);
  keep_within_bounds();
  return id;
}

void Names::make_root(Id file) {
  if (const auto found = files_.find(file); found != files_.end()) {
    unname(found->second);
    found->second.root = true;
  }
}

void Names::unname(File& file) {
  if (file.name.empty()) {
    return;
  }
  by_place_.erase(Place(file.directory, file.name));
  bytes_ -= 2 * file.name.size();
  file.name.clear();
  file.directory = 0;
}

void Names::name(Id file, Id directory, std::string_view name) {
  const auto found = files_.find(file);
  if (found == files_.end() || file == directory || directory == 0 || name.empty() ||
      name.size() > kMostPath) {
    return;
  }
  File& named = found->second;
  if (named.directory == directory && named.name == name) {
    return;
  }
  forget(directory, name);
  unname(named);
  named.root = false;
  named.directory = directory;
  named.name = name;
  by_place_[Place(directory, name)] = file;
  bytes_ += 2 * name.size();
  keep_within_bounds();
}

bool Names::named(Id file) const {
  const auto found = files_.find(file);
  return found != files_.end() && (found->second.root || !found->second.name.empty());
}

void Names::link(Id file, Id directory, std::string_view name) {
  const auto holder = by_place_.find(Place(directory, name));
  if (holder != by_place_.end() && holder->second != file) {
    forget(directory, name);
  }
  if (!named(file)) {
    this->name(file, directory, name);
  }
}

void Names::forget(Id directory, std::string_view name) {
  const auto found = by_place_.find(Place(directory, name));
  if (found != by_place_.end()) {
    unname(files_.find(found->second)->second);
  }
}

void Names::move(Id from, std::string_view old_name, Id to, std::string_view new_name) {
  const auto found = by_place_.find(Place(from, old_name));
  const Id file = found != by_place_.end() ? found->second : 0;
  if (from == to && old_name == new_name) {
    return;
  }
  forget(to, new_name);
  forget(from, old_name);
  name(file, to, new_name);
}

void Names::drop(Id file) {
  const auto found = files_.find(file);
  if (found == files_.end()) {
    return;
  }
  unname(found->second);
  bytes_ -= cost(found->second);
  by_key_.erase(found->second.key);
  ages_.erase(found->second.age);
  files_.erase(found);
}

std::optional<Names::Whereabouts> Names::whereabouts(Id file) const {
  const auto found = files_.find(file);
  if (found == files_.end() || found->second.root || found->second.name.empty()) {
    return std::nullopt;
  }
  const auto directory = files_.find(found->second.directory);
  if (directory == files_.end()) {  // forgotten since
    return std::nullopt;
  }
  return Whereabouts{.directory = directory->second.key.substr(kScope), .name = found->second.name};
}

void Names::keep_within_bounds() {
  while (files_.size() > kMostFiles || bytes_ > kMostBytes) {
    drop(ages_.back());
  }
}

std::string Names::path(Id file) {
  std::vector<std::string_view> parts;
  size_t length = 0;
  bool from_root = false;
  Id at = file;
  for (auto found = files_.find(at); found != files_.end(); found = files_.find(at)) {
    File& one = found->second;
    ages_.splice(ages_.begin(), ages_, one.age);
    from_root = one.root;
    // Of directories that hostile names have put into one another, the length is the end.
    if (one.root || one.name.empty() || length + one.name.size() + 1 > kMostPath) {
      break;
    }
    length += one.name.size() + 1;
    parts.push_back(one.name);
    at = one.directory;
    if (at == file) {
      break;
    }
  }
  std::string path(from_root ? "/" : "");
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    path = joined(path, *part);
  }
  return path;
}

}  // namespace steertag::files
