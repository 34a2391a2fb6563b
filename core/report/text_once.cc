#include "base/counted.h"
#include "base/units.h"
#include "report/text_parts.h"
#include "report/text_stats.h"

namespace steertag::report {
namespace {

using stats::EndLoad;
using stats::Load;
using stats::Remark;
using stats::Standout;

// "2 RPCs waited 12.0 s for it; the longest, 8.00 s, is the RPC in frame 7"; "1 RPC waited 8.00 s for it: the
// one in frame 7".
std::string waited_once(const Remark& remark, std::string_view for_what, const TextStyle& style) {
  const std::string frame = frame_text(remark.evidence.at, style);
  return fmt::format("{} waited {} for {}{}", base::counted(remark.rpcs, "RPC"),
                     base::duration_text(static_cast<int64_t>(remark.time_ns)), for_what,
                     remark.rpcs == 1 ? fmt::format(": the one in frame {}", frame)
                                      : fmt::format("; the longest, {}, is the RPC in frame {}",
                                                    base::duration_text(remark.evidence.weight), frame));
}

std::string not_ready_once(const Remark& remark, const TextStyle& style) {
  const Load& load = *remark.load;
  const EndLoad& end = *remark.end;
  const bool naks = end.rnr_naks != 0;
  return fmt::format("The {} {} had no {} ({}, connection #{}); {}",
                     !load.roles_known      ? "end"
                     : &end == &load.client ? "client"
                                            : "server",
                     end.address.text(), naks ? "receive buffer ready" : "room for more bytes",
                     naks ? "RNR NAKs" : "TCP windows of zero", load.number,
                     waited_once(remark, "that", style));
}

}  // namespace

std::string sentence_once(const Remark& remark, const TextStyle& style) {
  switch (remark.kind) {
    case Standout::loss:
      return waited_once(remark, "packets sent again", style);
    case Standout::server:
      return fmt::format("The {} {} was slow: {}", remark.topic->callback ? "client" : "server",
                         remark.topic->server.text(), waited_once(remark, "it", style));
    case Standout::not_ready:
      return not_ready_once(remark, style);
    case Standout::congestion:
      return fmt::format(
          "The network was congested: pause frames stopped some link while connection #{} was open; {}",
          remark.load->number, waited_once(remark, "that", style));
    default:
      return network_sentence(remark, style);
  }
}

}  // namespace steertag::report
