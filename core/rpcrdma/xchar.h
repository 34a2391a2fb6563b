// Transport characteristics of version two
// (draft-dnoveck-nfsv4-rpcrdma-xcharext-02): what one end reports to the other about
// itself in RDMA2_OPTIONAL messages. Four operations, each one struct.
//
// To add a characteristic: one line in enum Id, one line in `characteristics`.
// Reading, writing, names, defaults and JSON follow from those two.
//
// A characteristic keeps its data as it was sent, known or not; value() reads
// it. Short data of a known one is therefore no Stop: the message stays
// readable and a rule can point at it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/list.h"
#include "base/range.h"

namespace steertag::rpcrdma {

// An XDR bool that keeps every value it was sent with (RFC 4506 §4.4).
enum class XdrBool : uint32_t { no = 0, yes = 1 };

constexpr std::string_view text(XdrBool value) {
  return value == XdrBool::no ? "FALSE" : value == XdrBool::yes ? "TRUE" : std::string_view{};
}

namespace xchar {

// --- the characteristics (§3) ---

enum class Id : uint32_t {
  rbsiz = 1,      // bytes: the least size of the receive buffers that this end posts
  reqreminv = 2,  // this end, as a Requester, takes Send With Invalidate
  brs = 3,        // readiness for requests in the backward direction
};

enum class Type : uint8_t { number, boolean, backward_support };  // each one XDR word

struct Characteristic {
  Id id;
  std::string_view name;  // the draft's constant
  Type type;
  uint32_t default_value;  // what holds as long as nothing was conveyed
};

inline constexpr Characteristic characteristics[] = {
    {Id::rbsiz, "XCHAR_RBSIZ", Type::number, 4096},
    {Id::reqreminv, "XCHAR_REQREMINV", Type::boolean, 0},
    {Id::brs, "XCHAR_BRS", Type::backward_support, 1},
};

enum class BackwardSupport : uint32_t { none = 0, inlined = 1, general = 2 };
std::string_view text(BackwardSupport value);  // "BKREQSUP_INLINE"; empty where undefined

const Characteristic* find(Id id);  // null for an unknown id
std::string_view text(Id id);       // "XCHAR_RBSIZ"; empty for an unknown id
constexpr bool experimental(Id id) {
  return static_cast<uint32_t>(id) >= 0xFFFFFF00;
}

// --- building blocks (§2.1) ---

// xcharval: one characteristic and its value.
struct Value {
  Id which{};
  std::vector<uint8_t> data;  // as sent, without the pad
  Range at;                   // in the message

  static void layout(auto& w, auto& v) {
    w("xchv_which", v.which);
    w.opaque("xchv_data", v.data);
  }
  friend bool operator==(const Value& a, const Value& b) { return a.which == b.which && a.data == b.data; }
};

Value make(Id id, uint32_t value);  // a known characteristic, for those who write messages

// The number that a known characteristic carries; nothing where the id is
// unknown or the data is too short. Bytes after the first word are ignored.
std::optional<uint32_t> value(const Value& v);
std::optional<uint32_t> value(Id id, Bytes data);

// Whether a receiver can take the data as the type of its id: long enough, and
// a bool or an enum holds a value that it has. Unknown ids always pass.
bool well_formed(const Value& v);

// "8192", "TRUE", "BKREQSUP_GENL"; empty where value() has nothing.
std::string value_text(const Value& v);
std::string value_text(Id id, Bytes data);
std::string value_text(Id id, uint32_t number);  // of a known characteristic

// xcharsubset: some elements of another message's or field's list of
// characteristics. Bit N is bit N mod 32, from the least significant, of word N
// div 32, as in NFSv4's bitmap4; omitted words count as zero.
struct Subset {
  base::List<uint32_t> words;

  bool has(size_t n) const { return n / 32 < words.size() && (words[n / 32] >> (n % 32) & 1) != 0; }
  void set(size_t n);
  std::vector<uint32_t> indices() const;  // the elements, ascending
  void clear() { words.clear(); }

  friend bool operator==(const Subset&, const Subset&) = default;
};

// --- the operations (§4): what rdma_opttype says rdma_optinfo holds ---

enum class Operation : uint32_t { initxch = 1, reqxch = 2, respxch = 3, updxch = 4 };
std::string_view text(Operation operation);  // "ROPT_INITXCH"; empty where unknown

// ROPT_INITXCH: the sender's values at the start; one-way.
struct Init {
  base::List<Value> start;
  Subset nochg;  // those of `start` that the sender does not expect to change

  void clear() { start.clear(), nochg.clear(); }
  static void layout(auto& w, auto& o) {
    w.counted("optixch_start", o.start);
    w.counted("optixch_nochg", o.nochg.words);
  }
  friend bool operator==(const Init&, const Init&) = default;
};

// ROPT_REQXCH: asks the peer to change its values.
struct Request {
  base::List<Value> want;

  void clear() { want.clear(); }
  static void layout(auto& w, auto& o) { w.counted("optreqxch_want", o.want); }
  friend bool operator==(const Request&, const Request&) = default;
};

// ROPT_RESPXCH: the answer, with the Request's XID; subsets of its `want`.
struct Response {
  Subset done, rej, pend;

  void clear() { done.clear(), rej.clear(), pend.clear(); }
  static void layout(auto& w, auto& o) {
    w.counted("optrespxch_done", o.done.words);
    w.counted("optrespxch_rej", o.rej.words);
    w.counted("optrespxch_pend", o.pend.words);
  }
  friend bool operator==(const Response&, const Response&) = default;
};

// ROPT_UPDXCH: a new value of the sender's.
struct Update {
  Value now;
  XdrBool pendclr{};  // yes: this settles what a Response left pending

  void clear() {
    now.which = {};
    now.data.clear();
    now.at = {};
    pendclr = {};
  }
  static void layout(auto& w, auto& o) {
    w("optupdxch_now", o.now);
    w("optupdxch_pendclr", o.pendclr);
  }
  friend bool operator==(const Update&, const Update&) = default;
};

}  // namespace xchar
}  // namespace steertag::rpcrdma
