// Defects: what is wrong with a Call that was answered, as far as its own bytes
// show. For rules that ask whether an RDMA_ERROR was due. Reported in words, the
// first that a receiver would stumble over.
#pragma once

#include <optional>
#include <string>

#include "flow/exchange.h"

namespace steertag::rules {

// A defect that every Responder has to refuse (RFC 8166 §4.5.2, version-two-02
// §§5.2.4); empty where there is none. An unknown rdma_proc is not among them.
std::string plain_defect(const flow::KeptMessage& call);

// A Position that is no multiple of four (RFC 8166 §3.4.5).
bool misaligned_read(const flow::KeptMessage& call);

// Read chunks in a Call of a procedure that has no argument to move in them (RFC
// 8267 §4, §5): a Responder may refuse it.
bool ineligible_read(const flow::KeptMessage& call);

// What shows only when the Call is walked: a Read chunk of the wrong length or in
// the wrong place, a Position-Zero Read chunk that is no whole message, the pad of
// an RDMA_MSGP in the wrong place, a Write chunk that is too short for its result.
// Unset where the capture holds too little of the Call to know.
std::optional<bool> walked_defect(const flow::Exchange& call);

// RDMA Writes put something into the memory for results, before the answer.
bool results_written(const flow::Exchange& exchange);

// What else a Responder may reject: more chunks or segments than a
// simple Call has; empty where nothing meets the eye.
std::string possible_cause(const flow::KeptMessage& call);

}  // namespace steertag::rules
