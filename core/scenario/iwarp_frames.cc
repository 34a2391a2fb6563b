#include "scenario/iwarp_frames.h"

#include "scenario/transport.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::scenario {

namespace iwarp = rdma::iwarp;
using iwarp::EnhancedWord;
using iwarp::ReadRequestHeader;
using iwarp::SetupFrame;
using iwarp::TaggedHeader;
using iwarp::UntaggedHeader;

namespace {

struct Code {
  uint8_t layer, etype, code;
};

// RFC 5040 §4.8 and RFC 5041 §7.2: the counterpart of a RoCE NAK.
Code code_of(Complaint complaint, bool tagged, bool read) {
  switch (complaint) {
    case Complaint::invalid_request:
      return {1, 2, 5};  // message too long for the receive buffer
    case Complaint::rnr:
      return {1, 2, 2};  // no receive buffer
    case Complaint::remote_access:
      return tagged && !read ? Code{1, 1, 0} : Code{0, 1, 0};  // invalid STag
    case Complaint::remote_operational:
      return {0, 2, 7};
    case Complaint::sequence:
      break;
  }
  return {0, 0, 0};
}

}  // namespace

iwarp::TerminateHeader terminate_of(const ComplaintLine& complaint, const ReceivedSegment& received) {
  Code code = code_of(complaint.complaint, received.is_tagged, received.is_read);
  if (complaint.terminate) {
    code = {complaint.terminate->layer, complaint.terminate->etype, complaint.terminate->code};
  }
  iwarp::TerminateHeader terminate;
  terminate.layer_etype = static_cast<uint8_t>(code.layer << 4 | (code.etype & 0xF));
  terminate.code = code.code;
  if (received.length != 0 && code.layer < 2) {
    terminate.header_control = iwarp::TerminateHeader::kLength | iwarp::TerminateHeader::kDdp;
    terminate.segment_length = received.length;
    terminate.terminated =
        received.is_tagged || complaint.handle ? received.tagged.control : received.untagged.control;
    terminate.tagged = received.tagged;
    terminate.tagged.stag = complaint.handle.value_or(received.tagged.stag);
    terminate.untagged = received.untagged;
    if (received.is_read && code.layer == 0) {
      terminate.header_control |= iwarp::TerminateHeader::kRdmap;
      terminate.read_request = received.read_request;
    }
  }
  return terminate;
}

SetupFrame setup_frame_of(const ConnectionSpec& spec, Side from, bool reply, std::vector<uint8_t>& data) {
  const size_t own = rdma::index(from);
  SetupFrame frame;
  frame.key = reply ? iwarp::kReplyKey : iwarp::kRequestKey;
  frame.revision = spec.revision;
  frame.flags = static_cast<uint8_t>((spec.markers[own] ? SetupFrame::kMarkers : 0) |
                                     (spec.crc ? SetupFrame::kCrc : 0) |
                                     (reply && spec.rejected() ? SetupFrame::kRejected : 0));
  if (spec.revision >= 2) {
    using Rtr = ConnectionSpec::Rtr;
    frame.flags |= SetupFrame::kEnhanced;
    const auto depth = static_cast<uint16_t>(spec.depth[own].value_or(EnhancedWord::kNotNegotiated));
    EnhancedWord word{depth, depth};
    word.ird_word |=
        static_cast<uint16_t>((spec.rtr != Rtr::none ? 0x8000 : 0) | (spec.rtr == Rtr::send ? 0x4000 : 0));
    word.ord_word |=
        static_cast<uint16_t>((spec.rtr == Rtr::write ? 0x8000 : 0) | (spec.rtr == Rtr::read ? 0x4000 : 0));
    wire::write(data, word);
  }
  const std::vector<uint8_t> consumer = private_data(spec.private_data[own]);
  data.insert(data.end(), consumer.begin(), consumer.end());
  frame.pd_length = static_cast<uint16_t>(data.size());
  return frame;
}

std::vector<wire::Node> outline(Bytes ulpdu, bool tagged, bool read_request) {
  std::vector<wire::Node> nodes;
  wire::BasicReader<wire::OutlineTrace> reader(ulpdu, ulpdu.size(), wire::Limit::message,
                                               wire::OutlineTrace(nodes));
  const auto walk = [&](auto header) { decltype(header)::layout(reader, header); };
  tagged ? walk(TaggedHeader{}) : walk(UntaggedHeader{});
  if (read_request) {
    walk(ReadRequestHeader{});
  }
  return nodes;
}

}  // namespace steertag::scenario
