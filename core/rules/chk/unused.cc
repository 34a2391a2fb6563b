// Memory that was registered and advertised for nothing.

#include "rules/answers.h"
#include "rules/fared.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_unused_chunk(const flow::Message& message, const Answers& pair, Report& report) {
  const rpcrdma::ChunkLists& advertised = pair.call->header.chunks;
  const rpcrdma::ChunkLists& returned = message.header->chunks;
  if ((advertised.writes.empty() && advertised.reply.empty()) ||
      fared(*pair.open, message) == Fared::failed) {
    return Outcome::not_applicable;
  }
  for (size_t i = 0; i < std::min(advertised.writes.size(), returned.writes.size()); ++i) {
    if (advertised.writes[i].length() != 0 && returned.writes[i].length() == 0) {
      report("Write chunk {}, of {} bytes, was not used", i + 1, advertised.writes[i].length())
          .in(returned.writes[i].at)
          .with(*pair.open->call)
          .blame_nobody();
    }
  }
  if (message.header->is_msg() && !advertised.reply.empty() && advertised.reply[0].length() != 0) {
    report("Reply chunk, of {} bytes, was not used: the Reply was sent inline, with {} bytes",
           advertised.reply[0].length(), message.payload_length)
        .with(*pair.open->call)
        .blame_nobody();
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule unused_chunk = {
    .id = "CHK-15",
    .name = "unused-chunk",
    .severity = Severity::note,
    .source = {"RFC 8166", "4.3.2.2"},
    .needs = needs_both_ways,
    .about = kinds::replies,
    .habit = true,
    .message = given<answers, check_unused_chunk>,
    .plain_message = plain::asked_with(plain::writes | plain::reply_chunk),
};

}  // namespace steertag::rules
