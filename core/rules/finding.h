// Finding: one requirement that was broken, where, by whom, and how sure that
// is. Made by a rule's check through a Report, weighed by the Engine, printed by
// report/. It owns all of its text and can be kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/range.h"
#include "frame.h"
#include "rdma/op.h"
#include "rules/rule.h"
#include "track/connection.h"

namespace steertag::rules {

enum class Blame : uint8_t { undecided, requester, responder };

// What a finding is about, in words, for readers who do not have the capture; empty where nobody asked for
// it. Text of whole lines; it may name connections by their numbers.
struct Excerpt {
  std::string header;   // of the message in the finding's frame, field by field
  std::string context;  // the same, and what belongs to it: the whole RPC
  size_t weight = 0;    // bytes of both, no matter how connections are numbered
};

// The longest Settings::answer_within_ns with which a finding is found. 0: it is found with any.
struct Patience {
  int64_t found_ns = 0;
  int64_t likely_ns = 0;  // with which it is more than possible; 0: it is not
  int64_t blamed_ns = 0;  // with which an end is to blame; 0: none is
};

struct Finding {
  const Rule* rule = nullptr;
  const track::Connection* connection = nullptr;
  Severity severity = Severity::error;
  Source source;  // the clause that was broken; the rule's main one, unless another document binds here
  Certainty certainty = Certainty::definite;
  Stamp at;
  std::optional<uint32_t> xid;
  std::optional<uint32_t> handle;  // of the RDMA operation that it is about
  Blame blame = Blame::undecided;
  std::optional<rdma::Side> by;  // the end that is to blame
  uint32_t version = 0;          // rdma_vers of the message or RPC that it is about; else the connection's
  // The operation of the RPC that it is about, as Subject::op; empty where it is about none, or that is
  // unknown.
  std::string op;
  std::string text;            // what was seen and what was expected; no full stop
  std::optional<Range> where;  // in the message, where one place is at fault
  std::vector<Stamp> related;  // earlier frames that the finding rests on
  Excerpt excerpt;
  Patience patience;
  bool loss_explains = false;  // something that is missing could; only the Engine looks at it
  uint64_t count =
      1;  // violations that it stands for: of a habit, or of many alike in one fact; it is the first
};

}  // namespace steertag::rules
