// Terms: what one end of a connection has said in RDMA2_OPTIONAL messages about
// transport characteristics (xcharext-02): its values in force, its requests to
// change values of the peer and what became of them, and operations that it rejected.
//
// Kept by Characteristics, read by rules. Every list is bounded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "flow/term.h"
#include "frame.h"

namespace steertag::history {

using namespace flow;

// A value when it was conveyed, and by which message: an INITXCH, an UPDXCH, or a RESPXCH that accepts it.
struct Conveyed : Term {
  Stamp at;
  xchar::Operation by{};
};

// A value in force: conveyed by INITXCH or UPDXCH, or accepted by a RESPXCH.
struct Reported : Term {
  Stamp at;
  std::optional<Stamp> nochg;  // the INITXCH that said it would not change
  bool solicited = false;      // the peer had asked for a change of this characteristic
  uint32_t earlier = 0;        // what the peer may have relied on before, where it was a number
  // The value before, in case the peer rejects the message that reported this one.
  struct Before {
    Term term;
    Stamp at;
    bool solicited = false;
  };
  std::optional<Before> before = {};
};

// A REQXCH that has no answer yet.
struct Asked {
  uint32_t xid = 0;
  Stamp at;
  std::vector<Term> want;                    // the first kMaxTerms
  std::vector<std::optional<uint32_t>> old;  // of each, the number in force; unset: never reported
  size_t elements = 0;                       // of optreqxch_want
  bool whole = true;                         // optreqxch_want could be read to its end
  bool certain = true;                       // no gap in the capture may hide the answer
};

// A change that a RESPXCH left pending, and that no UPDXCH with pendclr has settled for certain.
struct Pended : Term {
  std::optional<uint32_t> old;  // as in Asked
  Stamp asked, answered;        // the REQXCH, the RESPXCH
  bool certain = true;  // no gap in the capture may hide the UPDXCH, nor has one settled another such change
};

// A message that belongs to no RPC, but that an RDMA_ERROR may answer: an OPTIONAL,
// an RDMA_DONE, or one whose direction nothing shows.
struct Aside {
  uint32_t xid = 0, version = 0, procedure = 0;
  Stamp at;
  uint32_t length = 0;                      // bytes of the Send
  std::optional<xchar::Operation> opttype;  // OPTIONAL
  bool foreign = false;  // OPTIONAL of an extension that is not known here, as far as was captured
  bool reply = false;    // OPTIONAL: its rdma_optdir
  // OPTIONAL: its rdma_optdir is neither CALL nor REPLY, so that a receiver cannot read the header.
  std::optional<uint32_t> misdirected;
  bool payload = false;                // OPTIONAL of an unknown extension: something follows the header
  const char* broken = nullptr;        // the field at which a receiver cannot read on; null where it can
  bool sound = false;                  // OPTIONAL of this extension: decodes, every value in range
  std::optional<xchar::Id> invalid;    // a characteristic in it whose data is not of its type
  std::optional<xchar::Id> unknown;    // a characteristic in it that has no name
  std::optional<Stamp> error, answer;  // the RDMA_ERROR, the RESPXCH or Reply that answered it
  std::optional<uint32_t> code;        // rdma_err of that RDMA2_ERROR
  bool certain = true;                 // no gap in the capture may hide an answer
};

// An operation that this end has rejected by INVAL_OPTION.
struct Rejected {
  xchar::Operation opttype{};
  Stamp sent, at;  // the OPTIONAL, the error
};

// What one end has said.
struct Terms {
  static constexpr size_t kMaxTerms = 64;  // of each list

  std::vector<Reported> reported;  // its values, one for each id
  std::vector<Conveyed>
      conveyed;  // the latest kMaxTerms, whatever their ids, as they came; none that was rejected
  std::optional<Stamp> first_init;
  std::array<std::optional<Stamp>, 4> first;  // by operation - 1: its first message
  uint64_t optionals = 0;                     // OPTIONAL messages that it sent
  uint64_t settled = 0;                       // messages that it sent once the version was agreed
  std::vector<Asked> asked;                   // its requests without an answer
  std::vector<Pended> owed;                   // changes of its values that it left pending
  std::vector<Rejected> rejected;             // by it
  std::vector<Aside> asides;                  // that it sent
  std::vector<uint32_t> early;                // XIDs of its answers whose requests had not been seen
  std::optional<Stamp> heard;                 // its latest message that the peer has answered
  bool missed = false;                        // something that it sent may be missing
  bool forgot = false;                        // a list was full, and lost its first entry

  const Reported* find(xchar::Id id) const;
  const Asked* find_asked(uint32_t xid) const;
  const Rejected* find_rejected(xchar::Operation opttype) const;
  const Stamp* first_of(xchar::Operation operation) const;
  // It has used the extension itself.
  bool uses_characteristics() const;
  // It has reported or asked for a value of `id` itself.
  bool uses(xchar::Id id) const;
  // The peer has shown that it received what was sent at `at`.
  bool was_heard(const Stamp& at) const { return heard && captured_before(at, *heard); }
  // Whether the oldest had to give way.
  template <typename T>
  static bool keep_latest(std::vector<T>& list, T made) {
    const bool full = list.size() == kMaxTerms;
    if (full) {
      list.erase(list.begin());
    }
    list.push_back(std::move(made));
    return full;
  }
  void log(Conveyed value) { keep_latest(conveyed, std::move(value)); }
  void note_early(uint32_t xid) { keep_latest(early, xid); }
  bool take_early(uint32_t xid) { return std::erase(early, xid) != 0; }  // whether it was among them
  // Of the changes that are pending, its UPDXCH settles the one with that value, else the oldest. It may
  // stand for all of them: whether the others get updates of their own is not certain.
  void settle(const Term& now);
  // The largest number that the peer may rely on for `reported`: a reduction that
  // it did not ask for counts only once it must have arrived.
  uint32_t relied_on(const Reported& reported) const;

  size_t bytes() const;  // of the heap
};

// Whether `peer` has asked for a change of `id` that is still open or pending; `owner` has the value.
const Stamp* asked_for(const Terms& owner, const Terms& peer, xchar::Id id);

}  // namespace steertag::history
