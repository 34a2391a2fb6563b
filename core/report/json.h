// JSON Lines: the records that programs read, one object per line; names and
// widths never change. Each function appends one line. Fields that do not apply
// are omitted; the order of the fields is always the same.
//
// Identifiers are text in hex ("0x0000002a": XIDs and handles have 8 digits,
// offsets 16, QPNs 6), times are text in seconds with nine decimals, everything
// else is a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "history/in_force.h"
#include "report/buffer.h"
#include "report/files.h"
#include "stats/setbacks.h"
#include "track/connection.h"

namespace steertag::report {

// {"type":"connection"}. `number` stands in for a connection that has none,
// because it carries no RPC-over-RDMA. Ended: nothing more will come of it, so
// that its last frame, its gaps and its end are known, too.
// `in_force`: what counts on it, where that is known.
enum class Stage : uint8_t { named, ended };
void json_connection(Buffer& out, const track::Connection& connection, uint32_t number, Stage stage,
                     const Files& files, const history::InForce* in_force = nullptr);

// {"type":"message"}: one transport header, as far as it could be read.
void json_message(Buffer& out, const flow::Message& message, const Files& files);

// {"type":"rpc"}: one Call, its Reply and what moved in between.
void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files);
// The same for a report: also when each segment was touched, the credits, which copies arrived and what went
// wrong meanwhile; of many frames only so many.
inline constexpr size_t kMostReportSetbacks = 24;  // of an RPC
void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files,
              const stats::Setbacks::Some& setbacks);

// The same as a line of comma-separated values, and the line with the names of all. Chunks are left out.
void csv_rpc_heading(Buffer& out, const Files& files);
void csv_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files);

// {"type":"xchar"}: one request for other transport characteristics, and its answer.
void json_negotiation(Buffer& out, const flow::Negotiation& negotiation, const Files& files);

}  // namespace steertag::report
