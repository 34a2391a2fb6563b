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
  std::string text;              // what was seen and what was expected; no full stop
  std::optional<Range> where;    // in the message, where one place is at fault
  std::vector<Stamp> related;    // earlier frames that the finding rests on
  bool loss_explains = false;    // something that is missing could; only the Engine looks at it
  uint64_t count =
      1;  // violations that it stands for: of a habit, or of many alike in one fact; it is the first
};

}  // namespace steertag::rules
