// What a walk over a message says of files.
#include "files/notes.h"

#include <catch2/catch.hpp>
#include <string>

#include "nfs/made.h"

namespace steertag::files {
namespace {

using nfs::Meaning;

Notes noted(const made::Message& message, size_t kept = SIZE_MAX) {
  Notes notes;
  nfs::Stream stream(slice(message.bytes, 0, kept), nullptr, message.bytes.size());
  stream.marks = &notes;
  nfs::CallWalk walk;
  nfs::walk_call(stream, walk);
  notes.read(stream);
  return notes;
}

}  // namespace

TEST_CASE("a READ of NFSv3 says its handle, an offset and a count") {
  const Notes notes = noted(made::call(3, 6).opaque(5).words(1, 2, 4096));
  REQUIRE(notes.all().size() == 3);
  CHECK(notes.all()[0].text == "AAAAA");
  CHECK(first(notes.all(), Meaning::offset)->value == 0x1'0000'0002);
  CHECK(first(notes.all(), Meaning::count)->value == 4096);
  CHECK(first(notes.all(), Meaning::name) == nullptr);
}

TEST_CASE("a READ and a WRITE of NFSv2 say the 32 bytes of their handle, an offset and a count") {
  const Notes read = noted(made::call(2, 6).fill(32).words(8192, 4096, 5));
  REQUIRE(read.all().size() == 3);
  CHECK(read.all()[0].text == std::string(32, 'A'));
  CHECK(first(read.all(), Meaning::offset)->value == 8192);
  CHECK(first(read.all(), Meaning::count)->value == 4096);
  const Notes write = noted(made::call(2, 8).fill(32).words(1, 8192, 2).opaque(7));
  CHECK(first(write.all(), Meaning::handle)->text == std::string(32, 'A'));
  CHECK(first(write.all(), Meaning::offset)->value == 8192);
  CHECK(first(write.all(), Meaning::count)->value == 7);
}

TEST_CASE("notes belong to operations of a COMPOUND, and an item counts its bytes") {
  const Notes notes =
      noted(made::compound_of(0, 2).words(22).opaque(4).words(38).zeros(4).words(0, 8192, 0).opaque(5));
  CHECK(notes.entered() == 2);
  REQUIRE(notes.of(0).size() == 1);
  CHECK(notes.of(0)[0].text == "AAAA");
  REQUIRE(notes.of(1).size() == 2);
  CHECK(first(notes.of(1), Meaning::offset)->value == 8192);
  CHECK(first(notes.of(1), Meaning::count)->value == 5);
  CHECK(notes.of(2).empty());
}

TEST_CASE("what was not captured is not there") {
  const made::Message read = made::call(3, 6).opaque(8).words(1, 2, 4096);
  for (size_t kept = 0; kept < read.bytes.size(); ++kept) {
    const Notes notes = noted(read, kept);
    CHECK((first(notes.all(), Meaning::handle) != nullptr) == (kept >= 52));
    CHECK((first(notes.all(), Meaning::offset) != nullptr) == (kept >= 60));
    CHECK(first(notes.all(), Meaning::count) == nullptr);
  }
}

TEST_CASE("notes are bounded by Notes::kMostNotes, their text by Notes::kMostText") {
  constexpr uint32_t lookup = 15;
  made::Message many = made::compound_of(0, Notes::kMostNotes + 9);
  for (size_t i = 0; i < Notes::kMostNotes + 9; ++i) {
    many.words(lookup).opaque(1);
  }
  CHECK(noted(many).all().size() == Notes::kMostNotes);
  CHECK(noted(many).entered() == Notes::kMostNotes + 9);
  CHECK(first(noted(made::compound_of(0, 1).words(lookup).opaque(Notes::kMostText)).all(), Meaning::name));
  CHECK_FALSE(
      first(noted(made::compound_of(0, 1).words(lookup).opaque(Notes::kMostText + 1)).all(), Meaning::name));
}

}  // namespace steertag::files
