// Names: which file a handle stands for, as far as exchanges have shown it: the name that somebody looked up,
// created or listed, in which directory. Kept by client and server, since a handle means something to its
// server alone, and a share of the connections hears of whole pairs of hosts.
//
// A name is the latest that the capture shows. What was removed or replaced has none, and what the capture
// does not explain never had one: nothing is guessed. Of more than can be kept, what was not used for the
// longest time is forgotten.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/address.h"

namespace steertag::files {

struct Scope {
  base::Address client, server;
};

class Names {
 public:
  static constexpr size_t kMostFiles = 32768;
  static constexpr size_t kMostBytes = 16 << 20;  // of their handles and names, with what keeps them
  static constexpr size_t kMostHandle = 128;      // bytes of a handle (RFC 8881 §3.1)
  static constexpr size_t kMostPath = 1024;       // bytes of a path; of a longer one the end is shown

  using Id = uint64_t;  // 0: none

  // The file of that handle; of an empty one, the root of the server's tree (RFC 8881 §7.3).
  Id find(const Scope& scope, std::string_view handle);
  // The same; it is known from now on. 0 where it is too long for a handle.
  Id enter(const Scope& scope, std::string_view handle);
  void make_root(Id file);

  // `name` may be that of something below several directories, of which only the first is known.
  void name(Id file, Id directory, std::string_view name);
  bool named(Id file) const;
  // One more name; a file that has one keeps that. What had the new one has it no more.
  void link(Id file, Id directory, std::string_view name);
  // Nothing has that name any more, or something that is not known has.
  void forget(Id directory, std::string_view name);
  // What had a name in one directory has one in another. What had that is replaced.
  void move(Id from, std::string_view old_name, Id to, std::string_view new_name);
  // Its handle stands for nothing any more.
  void drop(Id file);

  // The handle of the directory that it has its name in, and that name; of the root, and of what has no name,
  // there is none.
  struct Whereabouts {
    std::string directory, name;
  };
  std::optional<Whereabouts> whereabouts(Id file) const;

  // "dir/file", as far as it is known, "/export/dir/file" from the root on; empty where there is no name.
  std::string path(Id file);

  size_t size() const { return files_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct File {
    std::string key;  // scope and handle
    std::string name;
    Id directory = 0;
    bool root = false;
    std::list<Id>::iterator age;
  };
  using Place = std::pair<Id, std::string>;  // directory, and name in it

  static size_t cost(const File& file);
  void set_key(const Scope& scope, std::string_view handle);
  void unname(File& file);
  void keep_within_bounds();

  absl::flat_hash_map<Id, File> files_;
  absl::flat_hash_map<std::string, Id> by_key_;
  absl::flat_hash_map<Place, Id> by_place_;
  std::list<Id> ages_;  // the latest used first
  size_t bytes_ = 0;
  Id last_ = 0;
  std::string key_;  // scratch
};

// Whether that can be the name of an entry of a directory; what stands for a directory itself is none.
bool can_be_name(std::string_view name);

// "directory/name"; the name alone where nothing is known of the directory.
std::string joined(std::string_view directory, std::string_view name);

}  // namespace steertag::files
