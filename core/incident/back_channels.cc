#include "incident/back_channels.h"

#include <algorithm>

#include "nfs/back_channel.h"

namespace steertag::incident {
namespace {

// CB_PATH_DOWN, CB_PATH_DOWN_SESSION, BACKCHANNEL_FAULT.
constexpr uint32_t kPathFlags = 0x00000601;

// Of a Call or a Reply with one of them.
const nfs::SessionStep* agreement(const base::List<nfs::SessionStep>& steps) {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const nfs::SessionStep& step) {
    return step.opcode == nfs::op_create_session || step.opcode == nfs::op_bind_conn_to_session;
  });
  return found == steps.end() || !found->said ? nullptr : &*found;
}

}  // namespace

bool only_path_is_down(uint32_t sequence_flags) {
  return (sequence_flags & ~kPathFlags) == 0;
}

std::optional<BackChannel> BackChannelReader::read(const flow::Exchange& exchange) {
  call_.clear();
  if (!exchange.call || !exchange.reply || exchange.error || exchange.call_padding ||
      !exchange.subject.nfs_status || !flow::lay_out_call(exchange, layout_)) {
    return std::nullopt;
  }
  nfs::Stream stream(layout_.stretches(), layout_.length());
  stream.behind = base::Behind::read;
  stream.chunks = layout_.chunks();
  nfs::walk_call(stream, call_);
  const nfs::SessionStep* const asks = call_.complete() ? agreement(call_.sessions) : nullptr;
  if (asks == nullptr) {
    return std::nullopt;
  }
  const bool creates = asks->opcode == nfs::op_create_session, failed = *exchange.subject.nfs_status != 0;
  if (!nfs::says_back_channel(*asks)) {  // one connection of several may do without
    return creates && !failed
               ? std::optional(BackChannel{.asked = false, .granted = false, .at = *exchange.call})
               : std::nullopt;
  }
  BackChannel agreed{.asked = true, .granted = false, .at = *exchange.reply};
  if (failed) {  // a session that there is not has no back channel either
    return creates ? std::nullopt : std::optional(agreed);
  }
  reply_.clear();
  if (!flow::lay_out_reply(exchange, layout_)) {
    return std::nullopt;
  }
  nfs::walk_reply(nfs::Stream(layout_.stretches(), layout_.length()), call_, {}, reply_);
  const nfs::SessionStep* const answers = agreement(reply_.sessions);
  if (answers == nullptr) {
    return std::nullopt;
  }
  agreed.granted = nfs::says_back_channel(*answers);
  return agreed;
}

}  // namespace steertag::incident
