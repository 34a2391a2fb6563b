// IwarpTransport: a TCP connection that carries MPA, DDP and RDMAP. It cuts
// messages into FPDUs that fit a TCP segment, gives messages their MSNs, answers
// RDMA Reads at their sink, and keeps both directions' TCP sequence numbers and
// stream positions (markers, RFC 5044 §4.3). TCP and IP headers are added later.
#pragma once

#include <array>

#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/rdmap.h"
#include "scenario/iwarp_frames.h"
#include "scenario/transport.h"

namespace steertag::scenario {

class IwarpTransport final : public Transport {
 public:
  explicit IwarpTransport(const ConnectionSpec& spec);

  void connect(const ConnectionSpec& spec, Side active) override;
  void disconnect(Side from, bool reset) override;
  void send(Side from, const Send& send) override;
  void write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) override;
  void complain(Side from, const ComplaintLine& complaint) override;
  void say_room(Side from, bool room) override;
  std::vector<Datagram> repair(const std::vector<Datagram>& line, size_t first,
                               const std::vector<bool>& lost) override;

 private:
  struct Sender {                             // the state of one direction
    uint32_t sequence = 0;                    // TCP: of the next byte
    uint64_t position = 0;                    // stream offset of the next byte, counted from the first FPDU
    std::array<uint32_t, 4> msn{1, 1, 1, 1};  // next MSN, by queue
  };
  struct End {
    Sender now, line, furthest;  // line: where the latest line began; furthest: kept during `again`
    bool owes = false;           // an acknowledgement
    uint16_t window = 0xFFFF;    // that it advertises
    uint32_t sink_stag = 0;      // of its next RDMA Read
    ReceivedSegment received;    // for a Terminate
  };
  End& end_of(Side side) { return ends_[rdma::index(side)]; }

  void reset_sequences();
  uint32_t room() const;  // for a ULPDU
  void untagged(Side from, rdma::iwarp::Opcode opcode, Bytes payload, uint32_t invalidate_stag = 0);
  void tagged(Side from, rdma::iwarp::Opcode opcode, uint32_t stag, uint64_t offset, Bytes payload,
              Datagram::Kind kind);
  void fpdu(Side from, std::vector<uint8_t> ulpdu, const std::vector<wire::Node>& nodes, Datagram::Kind kind);
  void reframe(std::vector<uint8_t>& fpdu, size_t ulpdu_length, uint64_t start,
               const rdma::iwarp::Markers& markers);
  void flush(Side from, Datagram::Kind kind);
  Datagram* segment(Side from, Datagram::Kind kind, std::vector<uint8_t> data);
  enum class Flag : uint8_t { ack, syn, fin, rst };
  void control(Side from, Flag what);
  enum class SetupKind : uint8_t { request, reply };
  void setup_frame(Side from, SetupKind kind);

  void request_read(Request& request) override;
  void respond(const Request& request) override;
  bool iwarp() const override { return true; }
  void rewind(Side from) override;
  void mark(Side from) override;
  void forward(Side from) override;
  void acknowledge(Side from) override;
  void receiver_not_ready(Side from) override;

  std::array<End, 2> ends_;
  std::vector<uint8_t> pending_;  // with `segment=`: stream bytes of the current message
  uint32_t epoch_ = 0;
};

}  // namespace steertag::scenario
