// Which file a handle stands for: names follow renames, are forgotten with what they named, and are bounded.
#include "files/names.h"

#include <catch2/catch.hpp>
#include <string>

#include "files/here.h"

namespace steertag::files {
namespace {

const Scope kThere{base::Address::lid(1), base::Address::lid(3)};

// A handle below a directory, by one name.
Names::Id made(Names& names, const std::string& directory, const std::string& handle,
               const std::string& name) {
  const Names::Id file = names.enter(kHere, handle);
  names.name(file, names.enter(kHere, directory), name);
  return file;
}

}  // namespace

TEST_CASE("a path goes as far up as names are known") {
  Names names;
  made(names, "D", "F", "file");
  CHECK(path_of(names, "F") == "file");
  CHECK(path_of(names, "D").empty());
  CHECK(path_of(names, "nobody").empty());
  made(names, "E", "D", "dir");
  CHECK(path_of(names, "F") == "dir/file");
  names.make_root(names.enter(kHere, "E"));
  CHECK(path_of(names, "F") == "/dir/file");
  CHECK(path_of(names, "E") == "/");
  names.name(names.enter(kHere, "G"), names.enter(kHere, ""), "a/b");  // an empty handle is the root's
  CHECK(path_of(names, "G") == "/a/b");
}

TEST_CASE("a handle of one server, or of one client, is none of another") {
  Names names;
  made(names, "D", "F", "file");
  CHECK(names.find(kThere, "F") == 0);
  CHECK(names.find({kHere.server, kHere.client}, "F") == 0);
}

TEST_CASE("a name follows a rename, and is forgotten where something is removed or replaced") {
  Names names;
  const Names::Id d = names.enter(kHere, "D"), e = names.enter(kHere, "E");
  made(names, "D", "F", "file");
  made(names, "E", "G", "other");
  names.move(d, "file", e, "new");
  CHECK(path_of(names, "F") == "new");
  names.move(e, "new", e, "other");  // which was there
  CHECK(path_of(names, "F") == "other");
  CHECK(path_of(names, "G").empty());
  names.move(d, "never seen", e, "other");
  CHECK(path_of(names, "F").empty());
  made(names, "D", "F", "file");
  names.forget(d, "file");
  names.forget(d, "file");
  CHECK(path_of(names, "F").empty());
  made(names, "D", "F", "file");
  made(names, "D", "G", "file");
  CHECK(path_of(names, "F").empty());
  CHECK(path_of(names, "G") == "file");
  made(names, "E", "G", "again");  // the latest counts
  CHECK(path_of(names, "G") == "again");
  names.drop(names.find(kHere, "G"));
  CHECK(names.find(kHere, "G") == 0);
}

TEST_CASE("directories inside of one another have an end") {
  Names names;
  made(names, "D", "E", "e");
  made(names, "E", "D", "d");
  CHECK(path_of(names, "D") == "e/d");
  made(names, "D", "F", "f");
  CHECK(path_of(names, "F").size() <= Names::kMostPath);
  const Names::Id self = names.enter(kHere, "S");
  names.name(self, self, "s");
  CHECK(names.path(self).empty());
}

TEST_CASE("what can be a name") {
  CHECK(can_be_name("a b"));
  CHECK(can_be_name("\x1b\n"));
  CHECK_FALSE(can_be_name(""));
  CHECK_FALSE(can_be_name("."));
  CHECK_FALSE(can_be_name(".."));
  CHECK_FALSE(can_be_name("a/b"));
  CHECK_FALSE(can_be_name(std::string_view("a\0b", 3)));
  CHECK(can_be_name(std::string(255, 'a')));
  CHECK_FALSE(can_be_name(std::string(256, 'a')));
}

TEST_CASE("files are bounded by Names::kMostFiles, and what was not used the longest goes first") {
  Names names;
  made(names, "D", "first", "first");
  made(names, "D", "second", "second");
  for (size_t i = 0; i < Names::kMostFiles - 3; ++i) {
    made(names, "D", std::to_string(i), std::to_string(i));
  }
  CHECK(names.size() == Names::kMostFiles);
  CHECK(path_of(names, "first") == "first");  // used
  made(names, "D", "new", "new");
  CHECK(names.size() == Names::kMostFiles);
  CHECK(path_of(names, "second").empty());
  CHECK(path_of(names, "first") == "first");
}

TEST_CASE(
    "their handles are bounded by Names::kMostBytes and Names::kMostHandle, paths by Names::kMostPath") {
  Names names;
  CHECK(names.enter(kHere, std::string(Names::kMostHandle + 1, 'h')) == 0);
  std::string directory = "D";
  for (size_t i = 0; i < Names::kMostBytes / 512; ++i) {
    std::string handle = std::to_string(i);
    handle.resize(Names::kMostHandle, 'h');
    made(names, directory, handle, std::string(200, 'n'));
    directory = handle;
  }
  CHECK(names.size() < Names::kMostBytes / 512);
  CHECK(names.bytes() <= Names::kMostBytes);
  CHECK(path_of(names, directory).size() <= Names::kMostPath);
  const Names::Id file = names.enter(kHere, "long");
  names.name(file, names.enter(kHere, "D"), std::string(Names::kMostPath + 1, 'n'));
  CHECK_FALSE(names.named(file));
}

}  // namespace steertag::files
