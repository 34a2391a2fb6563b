// Captures are named as in a checkout: relative to the folder that the command was run in.
#include "report/places.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace steertag::report {
namespace {

struct Placed {
  std::vector<std::string> names;
  Places places;

  Placed(std::vector<std::string> given, std::string_view folder)
      : names(std::move(given)), places(Files{names}, folder) {}
  std::string path(uint32_t file = 0) const { return std::string(places.path(file)); }
};

TEST_CASE("places: what is below the folder is relative to it, whatever it was given as") {
  for (const char* name : {"a/b.pcap", "./a//b.pcap", "c/../a/./b.pcap", "/home/me/a/b.pcap",
                           "../me/a/b.pcap", "/home/you/../me/a/b.pcap"}) {
    const Placed placed({name}, "/home/me");
    CHECK(placed.path() == "a/b.pcap");
    CHECK_FALSE(placed.places.outside(0));
    CHECK(placed.places.base().empty());
  }
  CHECK(Placed({"/a.pcap"}, "/").path() == "a.pcap");
  CHECK(Placed({"-"}, "/home/me").path() == "-");
}

TEST_CASE("places: a folder that only begins alike is another one") {
  const Placed placed({"/home/me2/a.pcap"}, "/home/me");
  CHECK(placed.places.outside(0));
  CHECK(placed.path() == "a.pcap");
  CHECK(placed.places.base() == "/home/me2/");
}

TEST_CASE("places: what lies elsewhere is relative to the deepest folder that has all of it") {
  const Placed placed({"/srv/x/1/a.pcap", "b.pcap", "/srv/x/2/a.pcap", "../../srv/x/c.pcap"}, "/home/me");
  CHECK(placed.places.base() == "/srv/x/");
  CHECK(placed.path(0) == "1/a.pcap");
  CHECK(placed.path(1) == "b.pcap");
  CHECK_FALSE(placed.places.outside(1));
  CHECK(placed.path(2) == "2/a.pcap");
  CHECK(placed.path(3) == "c.pcap");
  CHECK(Placed({"/a/b/c", "/a/b/c"}, "/x").places.base() == "/a/b/");
  CHECK(Placed({"/a", "/b/c"}, "/x").places.base() == "/");
}

TEST_CASE("places: without a folder nothing begins with a slash or two dots") {
  const Placed placed({"a.pcap", "../../b.pcap", "/c/d.pcap"}, "");
  CHECK(placed.path(0) == "a.pcap");
  CHECK(placed.path(1) == "b.pcap");
  CHECK(placed.path(2) == "c/d.pcap");
  CHECK(placed.places.base().empty());
  CHECK(placed.path(3).empty());
}

TEST_CASE("places: of a URI, nothing but letters, digits and slashes goes unencoded") {
  CHECK(percent_encoded("a/b-1._~.pcap") == "a/b-1._~.pcap");
  CHECK(percent_encoded("http://x?#%\n\xFF") == "http%3A//x%3F%23%25%0A%FF");
}

}  // namespace
}  // namespace steertag::report
