// What the JSON records have in common: frames with their files, segments.
// For the json_*.cc of this folder alone.
// Each function appends members to the object that is open.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "flow/exchange.h"
#include "flow/in_force.h"
#include "frame.h"
#include "report/files.h"
#include "report/json_writer.h"
#include "rpcrdma/v1.h"
#include "stats/setbacks.h"

namespace steertag::report {

// "frame":7, and "file":"b.pcap" where several files were read.
inline void json_frame(JsonWriter& json, std::string_view key, std::string_view file_key, const Stamp& at,
                       const Files& files) {
  json.number(key, at.number);
  if (files.several()) {
    json.text(file_key, files.name(at.file));
  }
}

// The frames of a Call and of its answer, when they came, and how long that took; each as far as it is known.
inline void json_legs(JsonWriter& json, const std::optional<Stamp>& call, const std::optional<Stamp>& reply,
                      const Files& files) {
  if (call) {
    json_frame(json, "call_frame", "call_file", *call, files);
  }
  if (reply) {
    json_frame(json, "reply_frame", "reply_file", *reply, files);
  }
  if (call) {
    json.seconds("call_time", call->time_ns);
  } else if (reply) {
    json.seconds("reply_time", reply->time_ns);
  }
  if (call && reply) {
    json.microseconds("latency_us", reply->time_ns - call->time_ns);
  }
}

// "frames":[7,9]. Where several files were read and the frames are not all of
// `home`, "files" gives the file of each. Also under other names.
inline void json_frames(JsonWriter& json, std::span<const Stamp> frames, uint32_t home, const Files& files,
                        std::string_view key = "frames", std::string_view files_key = "files") {
  json.list(key);
  for (const Stamp& at : frames) {
    json.number(at.number);
  }
  json.end_list();
  if (files.several() &&
      std::any_of(frames.begin(), frames.end(), [&](const Stamp& at) { return at.file != home; })) {
    json.list(files_key);
    for (const Stamp& at : frames) {
      json.text(files.name(at.file));
    }
    json.end_list();
  }
}

inline void json_segment(JsonWriter& json, const rpcrdma::Segment& segment) {
  json.hex("handle", segment.handle, 8);
  json.number("length", segment.length);
  json.hex("offset", segment.offset, 16);
}

// What one end of a connection is called: "client", "server"; "a", "b" where the roles are not known.
struct EndKey {
  std::string_view key;
  rdma::Side side;
};
using EndKeys = std::array<EndKey, 2>;
// The limits and transport characteristics that are in force.
void json_in_force(JsonWriter& json, const flow::InForce& in_force, const EndKeys& ends, const Files& files);
// A characteristic: which one it is, and its value.
void json_id(JsonWriter& json, rpcrdma::xchar::Id id);
void json_term(JsonWriter& json, const flow::Term& term);

}  // namespace steertag::report
