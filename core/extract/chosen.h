// Chosen: what an extract is to show: findings, RPCs, whole connections; and the frames that were seen to
// belong to them while the trace was followed. Surroundings (surroundings.h) finds what else these need,
// Proof (proof.h) whether they are still there when nothing but the extract is looked at. It is filled once,
// by who follows the trace.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/address.h"
#include "extract/frame_levels.h"
#include "flow/exchange.h"
#include "frame.h"
#include "rules/finding.h"
#include "track/connection.h"

namespace steertag::extract {

struct ChosenFinding {
  rules::Finding finding;  // its connection may be gone
  uint32_t connection = 0;
  base::Address by;  // of the end to blame
};

struct ChosenRpc {
  uint32_t connection = 0;
  uint32_t xid = 0;
  flow::Status status = flow::Status::no_reply;
  bool complete = true;  // flow::Exchange::complete
  std::optional<Stamp> call, reply;
  // As flow::Timing has them.
  std::optional<int64_t> delivered_ns;
  std::array<int64_t, flow::kPhases> phases_ns{};
};

// The memory that an RPC advertises, and when.
struct ChosenMemory {
  int64_t begin_ns = 0, end_ns = 0;
  std::vector<uint32_t> handles;
};

struct ChosenConnection {
  // What is known of it; `number` is the key.
  track::Connection facts;
  bool whole = false;   // all of its frames are chosen
  uint64_t frames = 0;  // of it that are chosen, but for those of its setup
  std::vector<ChosenMemory> memory;
};

// An attempt to connect that came to nothing: what its two ends sent each other meanwhile to set it up.
struct ChosenAttempt {
  base::Address client, server;
  std::optional<uint16_t> port;  // TCP: the server's; unset: the CM set it up
  int64_t begin_ns = 0, end_ns = 0;
};

struct Chosen {
  static constexpr size_t kMostFindings = 256, kMostRpcs = 65536;
  static constexpr size_t kMostProven = 4096;  // RPCs that are looked for in the extract

  std::vector<ChosenFinding> findings;
  std::vector<ChosenRpc> rpcs;  // kMostProven of them
  uint64_t rpcs_in_all = 0;
  std::map<uint32_t, ChosenConnection> connections;  // by number
  std::vector<ChosenAttempt> attempts;
  FrameLevels frames;  // 0: it is chosen
  FrameLevels setups;  // 0: it is half of the setup of a connection

  // That connection, chosen from now on.
  ChosenConnection& connection(const track::Connection& of) {
    ChosenConnection& chosen = connections[of.number];
    chosen.facts = of;
    return chosen;
  }
  // False where there are as many as may be.
  bool add(ChosenFinding finding) {
    if (findings.size() == kMostFindings) {
      return false;
    }
    findings.push_back(std::move(finding));
    return true;
  }
  // The same; of those that there is room for, the first are looked for in the extract.
  enum class Proven : uint8_t { yes, no };
  bool add(const ChosenRpc& rpc, Proven proven) {
    if (rpcs_in_all++ >= kMostRpcs) {
      return false;
    }
    if (proven == Proven::yes && rpcs.size() < kMostProven) {
      rpcs.push_back(rpc);
    }
    return true;
  }
  bool too_many_rpcs() const { return rpcs_in_all > kMostRpcs; }
  void add(ChosenConnection& connection, const Stamp& frame) {
    connection.frames += frames.lower(frame, 0) ? 1 : 0;
  }
};

}  // namespace steertag::extract
