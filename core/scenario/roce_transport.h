// RoceTransport: a pair of QPs. It gives every request packet its PSN, answers
// RDMA Reads in the requester's PSN space, counts MSNs, and repairs losses by
// going back (IBTA vol. 1 §9.7). Everything ends before the ICRC, which covers
// the IP header and is added with it.
#pragma once

#include <array>

#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "scenario/transport.h"

namespace steertag::scenario {

class RoceTransport final : public Transport {
 public:
  RoceTransport(const ConnectionSpec& spec, bool ipv6);

  void connect(const ConnectionSpec& spec, Side active) override;
  void disconnect(Side from, bool reset) override;
  void send(Side from, const Send& send) override;
  void write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) override;
  void complain(Side from, const ComplaintLine& complaint) override;
  void acknowledge_stray(Side from, const AckLine& line) override;
  void slow_down(Side from) override;
  std::vector<Datagram> repair(const std::vector<Datagram>& line, size_t first,
                               const std::vector<bool>& lost) override;

 private:
  struct End {
    uint32_t psn = 0;              // of its next request
    uint32_t line_psn = 0;         // where its latest line began
    uint32_t furthest = 0;         // `again`: where it had got to
    uint32_t msn = 0;              // requests that it completed as a responder
    std::optional<uint32_t> owed;  // PSN that it has to acknowledge
    uint32_t received_psn = 0;     // latest request PSN from the other end
  };
  End& end_of(Side side) { return ends_[rdma::index(side)]; }

  void reset_sequences();
  void message(Side from, std::vector<rdma::roce::Packet> packets, bool read = false);
  void responses(Side from, uint32_t psn, const rdma::Memory& memory, Bytes data, bool counted);
  Datagram* emit(Side from, Datagram::Kind kind, const rdma::roce::Packet& packet);
  Datagram plain(Side from, Datagram::Kind kind, rdma::roce::Packet packet) const;
  rdma::roce::Packet acknowledgment(Side from, uint32_t psn, uint8_t syndrome);
  void management(Side from, const rdma::roce::CmMessage& message);
  rdma::roce::CmMessage connection_request(Side active);
  void ask_to_wait(Side from, const rdma::roce::CmMessage& request);
  uint32_t comm_id(Side side) const;

  void request_read(Request& request) override;
  void respond(const Request& request) override;
  bool iwarp() const override { return false; }
  void rewind(Side from) override;
  void mark(Side from) override;
  void forward(Side from) override;
  void acknowledge(Side from) override;
  void receiver_not_ready(Side from) override;

  bool ipv6_;
  std::array<End, 2> ends_;
  uint32_t epoch_ = 0;
  uint32_t mad_psn_ = 0;
};

}  // namespace steertag::scenario
