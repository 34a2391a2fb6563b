// Shapes: XDR types as C++ types, just enough of each to know where it ends. A
// procedure is then one line of a table, for example READ of NFSv4
//
//   Seq<StateId, U64, U32>   and   Ok<U32, Data<ItemKind::read_data>>
// A shape has `static void walk(Cursor&)`, which moves the cursor past it. No
// shape refers to itself, so hostile bytes cannot make the walk recurse; every
// round of a loop reads a captured word, so they cannot make it long either.
#pragma once

#include <cstdint>
#include <type_traits>

#include "nfs/cursor.h"

namespace steertag::nfs {

using Shape = void (*)(Cursor&);

// `Length` bytes, a multiple of four, whatever they mean.
template <uint64_t Length>
struct Fixed {
  static constexpr uint64_t length = Length;
  static void walk(Cursor& at) { at.skip(Length); }
};
// The same, where they are numbers that say what is asked for, or how it ended, and nothing of anybody. What
// the server made up, and may say again elsewhere, is none: a cookie, a file id, a client id.
template <uint64_t Length>
struct Numeric {
  static constexpr uint64_t length = Length;
  static void walk(Cursor& at) { at.numbers(Length); }  // of eight bytes one, else words
};
using U32 = Numeric<4>;  // enum, bool and int too
using U64 = Numeric<8>;

// An enumeration whose values are those from Least to Most. Any other value stops the walk.
template <uint32_t Least, uint32_t Most>
struct Enum {
  static void walk(Cursor& at) {
    const uint32_t value = at.number();
    if (!at.stopped() && (value < Least || value > Most)) {
      at.stop(Reason::unknown_arm);
    }
  }
};
using Bool = Enum<0, 1>;

struct Opaque {  // opaque<> and string<>
  static void walk(Cursor& at) { at.opaque(); }
};
struct Handle {  // of a file: nfs_fh3, nfs_fh4
  static void walk(Cursor& at) { at.opaque(Meaning::handle); }
};
struct FixedHandle {  // of NFSv2: 32 bytes without a count
  static void walk(Cursor& at) { at.skip(32, Meaning::handle); }
};
struct Name {  // of an entry of a directory: filename, filename3, component4
  static void walk(Cursor& at) { at.opaque(Meaning::name); }
};

// Which bytes of a file are asked for.
struct Offset {
  static void walk(Cursor& at) { at.numbers(8, Meaning::offset); }
};
struct ShortOffset {
  static void walk(Cursor& at) { at.numbers(4, Meaning::offset); }
};
struct Count {
  static void walk(Cursor& at) { at.numbers(4, Meaning::count); }
};
struct LongCount {
  static void walk(Cursor& at) { at.numbers(8, Meaning::count); }
};

template <ItemKind Kind>
struct Data {  // opaque<> or string<> that is DDP-eligible
  static void walk(Cursor& at) { at.item(Kind); }
};

template <ItemKind Kind>
struct Asks {  // a count: at most so many bytes of an eligible result
  static void walk(Cursor& at) { at.want(Kind, at.number(Meaning::count)); }
};
template <ItemKind Kind, uint32_t Most = Wanted::kUnbounded>
struct AsksFor {  // no count: what the protocol lets the result be
  static void walk(Cursor& at) { at.want(Kind, Most); }
};
template <Meaning What = Meaning::number>
struct AsksListed {  // a count: at most so many bytes of a result that is not eligible
  static void walk(Cursor& at) { at.want_listed(at.number(What)); }
};

template <typename... Parts>
struct Seq {  // struct { ... }
  static void walk([[maybe_unused]] Cursor& at) { (Parts::walk(at), ...); }
};
using Void = Seq<>;

template <typename Element>
struct Array {  // Element<>
  static void walk(Cursor& at) {
    if constexpr (requires { Element::length; }) {
      const uint32_t count = at.word();
      if constexpr (std::is_same_v<Element, Numeric<Element::length>>) {
        for (uint32_t i = 0; i < count && !at.stopped(); ++i) {
          at.numbers(Element::length);
        }
      } else {
        at.skip(count * Element::length);
      }
    } else {
      constexpr uint32_t kLeast = 4;  // bytes
      const uint32_t count = at.count(kLeast);
      for (uint32_t i = 0; i < count && !at.stopped(); ++i) {
        Element::walk(at);
      }
    }
  }
};

template <typename... Parts>
struct Maybe {  // *struct { ... }, and union switch (bool) with nothing for FALSE
  static void walk(Cursor& at) {
    if (at.flag()) {
      Seq<Parts...>::walk(at);
    }
  }
};

template <typename... Parts>
struct Chain {  // linked list: { 1, element }* 0 (RFC 4506 §4.19)
  static void walk(Cursor& at) {
    while (at.flag()) {
      Seq<Parts...>::walk(at);
    }
  }
};

// The arms of a union; the first that fits is taken. A value without an arm stops the walk.
template <uint32_t Value, typename... Parts>
struct Case {
  static constexpr bool fits(uint32_t value) { return value == Value; }
  static void walk(Cursor& at) { Seq<Parts...>::walk(at); }
};
template <typename... Parts>
struct Default {
  static constexpr bool fits(uint32_t) { return true; }
  static void walk(Cursor& at) { Seq<Parts...>::walk(at); }
};

template <typename... Arms>
struct Switch {  // union switch (enum)
  static void walk(Cursor& at) {
    const uint32_t value = at.word();
    if (!at.stopped() && !((Arms::fits(value) && (Arms::walk(at), true)) || ...)) {
      at.stop(Reason::unknown_arm);
    }
  }
};

template <typename... Parts>
struct IfAny {  // these parts, or nothing where the message ends
  static void walk(Cursor& at) {
    if (!at.stopped() && !at.at_end()) {
      Seq<Parts...>::walk(at);
    }
  }
};

struct Status {  // of which nothing depends
  static void walk(Cursor& at) { at.status(); }
};

// Any status but 0; what is larger than every one of NFS is none.
template <typename... Parts>
struct Failed {
  static constexpr bool fits(uint32_t value) { return value < Cursor::kLeastNoStatus; }
  static void walk(Cursor& at) { Seq<Parts...>::walk(at); }
};
// A result that begins with a status: these parts where it is 0, else nothing.
template <typename... Parts>
using Ok = Switch<Case<0, Parts...>, Failed<>>;

}  // namespace steertag::nfs
