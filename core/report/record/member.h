// Member: the name of a member of a record, its type, and a sentence for people, written once. One function
// for each kind of record lists its members. It is a template over its listener, which prints records or
// describes them (json_teller.h, flat_teller.h, schema_teller.h). A new member is added to that function.
//
// A listener has these functions, each for members that are always there, and with std::optional for those
// that are left out where there is nothing to say:
//
//   number, hex, seconds, microseconds, duration, boolean, text, prose, choice, connection
//   stretch     a duration between two times, so that those of several that follow one another add up; left
//               out where it is 0
//   frame       and its file, where several were read: those of all, or others that are handed over
//   some        a number that is left out where it is 0
//   truth       a bool that is left out where it is false
//   text_if     text that is left out where it is empty
//   bytes       hex digits, xdr_bool: a bool as it was sent; left out where they are unset
//   texts, numbers   a list of them; texts_if, numbers_if, and moments for times: left out where they are
//   empty frames      a list of frames, and of their files part        members that are there, or not,
//   together variant     members of records of one kind alone: those for a report object      an object;
//   object_if: or nothing list        a list of objects; list_if: or nothing; groups: a list of such lists
//   lists_if    a list for each element of a range, of the objects in it; or nothing
//   needs       a member is only there where others are
//   rule        what else the schema says of the object, as its text
//
// Some listeners are told of an empty record, to learn which members there could be. So a function that is
// handed to part, object or list runs without data: it takes a value as std::optional, or with a default.
#pragma once

#include <string_view>

namespace steertag::report::record {

struct Member {
  std::string_view name;
  // In the schema: the name of a definition, or from the first quote on its text; of what is told member by
  // member nothing, or bounds: "minItems" of a list, "minProperties" of an object.
  std::string_view type;
  std::string_view says = {};  // empty where its type says it
  bool traced = true;
};

// For Member::traced: a trace shows it otherwise (facts.h), as it does with times.
constexpr bool kNotTraced = false;

// The schema of text that says something.
constexpr std::string_view kSomeText = R"("type": "string", "minLength": 1)";

// A frame, and the name of its file, where several were read.
struct FrameMember {
  std::string_view name, file_name;
  std::string_view says = {};
  bool file_always = false;  // in records, also of a single capture
};

// Frames, and the file of each, where they are not all of one.
struct FramesMember {
  std::string_view name, files_name;
  std::string_view says = {}, says_of_files = {};
  bool traced = true;
  std::string_view type = "frames";  // of the frames
};

// For a list that leaves out no element of its range.
inline constexpr auto kEvery = [](const auto& /*element*/) { return true; };

}  // namespace steertag::report::record
