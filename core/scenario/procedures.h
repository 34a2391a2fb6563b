// Names of the RPC procedures and NFSv4 operations that scenarios can call, and
// their numbers. What their arguments and results look like is in nfs3.cc and
// nfs4.cc; a procedure that is not named here can be called as
// rpc(PROGRAM VERSION PROCEDURE).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenario/script.h"

namespace steertag::scenario {

namespace nfs3 {
enum Number : uint32_t {
  kNull = 0,
  kGetattr = 1,
  kLookup = 3,
  kAccess = 4,
  kReadlink = 5,
  kRead = 6,
  kWrite = 7,
  kSymlink = 10,
  kReaddir = 16,
  kFsinfo = 19,
  kCommit = 21
};
}

namespace nfs4 {
enum Number : uint32_t {
  kCreate = 6,
  kGetattr = 9,
  kGetfh = 10,
  kLookup = 15,
  kPutfh = 22,
  kPutrootfh = 24,
  kRead = 25,
  kReaddir = 26,
  kReadlink = 27,
  kWrite = 38,
  kBindConnToSession = 41,
  kExchangeId = 42,
  kCreateSession = 43,
  kDestroySession = 44,
  kSequence = 53,
  kReclaimComplete = 58,
  kReadPlus = 68,
  // callbacks
  kCbRecall = 4,
  kCbSequence = 11,
};
}

std::optional<uint32_t> nfs3_procedure(std::string_view name);
std::optional<uint32_t> nfs4_operation(std::string_view name);
std::optional<uint32_t> callback_operation(std::string_view name);

// The names, for error messages.
std::string nfs3_names();
std::string nfs4_names();
std::string callback_names();

constexpr uint32_t kCallbackProgram = 0x40000000;

// "READ" of NFSv4 as a COMPOUND: SEQUENCE, PUTFH and the operation, or what it
// can be sent alone.
Procedure nfs4_compound(uint32_t operation);
Procedure callback_compound(uint32_t operation);

}  // namespace steertag::scenario
