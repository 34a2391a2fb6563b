#include "analyzer.h"

#include <absl/container/flat_hash_map.h>

#include "base/newest.h"
#include "flow/conversation.h"
#include "link/decoder.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"

namespace steertag {

// The story of a frame: link layers come off, the table of its fabric finds the
// connection and what the receiver would accept of it, and the connection's
// conversation makes messages and exchanges of that.
class Analyzer::Pipeline final : public track::Observer, public flow::Sink {
 public:
  Pipeline(steertag::Observer& observer, const Options& options)
      : observer_(observer),
        common_(*this, {options.rpcrdma_ports, options.payload_limit, options.linger_ns, options.settle_ns,
                        options.for_rules}),
        link_({options.roce_ports, options.vxlan_ports, options.geneve_ports}),
        roce_(*this, options.verify_checksums, options.copy_window_ns),
        iwarp_(*this, {.verify_crc = options.verify_checksums, .ports = options.rpcrdma_ports},
               options.copy_window_ns) {}

  void feed(const Frame& frame) {
    ++counters_.frames;
    const link::Packet& packet = link_.decode(frame);
    switch (packet.carrier) {
      case link::Carrier::none:
        break;
      case link::Carrier::tcp:
        if (counters_.messages == 0) {
          others_.note_segment(packet);
        }
        iwarp_.on_packet(packet, frame.at, counters_.frames);
        break;
      case link::Carrier::pause:
        on_pause(packet.pause, frame.at);
        break;
      default:
        roce_.on_packet(packet, frame.at, counters_.frames);
        break;
    }
    common_.agenda.advance(frame.at.file, frame.at.time_ns);
  }

  void finish() {
    roce_.finish();
    iwarp_.finish();
  }

  const Counters& counters() {
    counters_.lost = roce_.lost();
    counters_.link = link_.counters();
    counters_.others = others_;
    counters_.others.roce = link_.others().roce;
    counters_.others.roce_port = link_.others().roce_port;
    counters_.fragments_dropped = link_.counters().fragments_dropped;
    counters_.checksum_errors = roce_.icrc_errors() + iwarp_.crc_errors();
    return counters_;
  }

 private:
  // --- track::Observer ---

  rdma::Listener& on_open(track::Connection& connection) override {
    auto& conversation = conversations_[&connection];
    conversation = std::make_unique<flow::Conversation>(connection, common_);
    if (const uint64_t before = counters_.pauses - pauses_since(connection.order); before != 0) {
      pauses_before_[&connection] = before;
    }
    return *conversation;
  }

  void on_close(track::Connection& connection) override {
    const auto found = conversations_.find(&connection);
    found->second->finish();
    const auto before = pauses_before_.find(&connection);
    connection.pauses =
        static_cast<uint32_t>(counters_.pauses - (before == pauses_before_.end() ? 0 : before->second));
    pauses_before_.erase(&connection);
    observer_.on(
        ConnectionClosed{connection, common_.settings.for_rules ? &found->second->history() : nullptr});
    conversations_.erase(found);
  }

  void on_congestion(const track::Connection& connection, const track::Congestion& congestion) override {
    observer_.on(CongestionSeen{connection, congestion});
  }

  // --- pauses ---

  void on_pause(const link::Pause& pause, const Stamp& at) {
    if (pause.stops()) {
      ++counters_.pauses;
      pauses_.add(counters_.frames, [](uint64_t) { return false; });
    }
    observer_.on(PauseSeen{pause, at});
  }

  // Of the latest, those behind the frame with this ordinal: a connection may be known later than it begins.
  uint64_t pauses_since(uint64_t order) const {
    return pauses_.count([&](uint64_t at) { return at > order; });
  }

  // --- flow::Sink ---

  void on_claimed(track::Connection& connection) override {
    ++counters_.connections;
    observer_.on(ConnectionNamed{connection});
  }

  void on_message(const flow::Message& message) override {
    ++counters_.messages;
    observer_.on(MessageSeen{message});
  }

  void on_placement(const flow::Exchange& exchange, const flow::SegmentFlow& segment, const rdma::RdmaOp& op,
                    uint32_t offset, uint32_t length) override {
    observer_.on(PlacementSeen{exchange, segment, op, offset, length});
  }

  void on_exchange(const flow::Exchange& exchange) override {
    ++counters_.exchanges;
    observer_.on(ExchangeDone{exchange});
  }

  void on_incident(const flow::Incident& incident) override { observer_.on(IncidentSeen{incident}); }

  void on_access(const flow::Access& access) override { observer_.on(AccessSeen{access}); }

  steertag::Observer& observer_;
  flow::Common common_;
  link::Decoder link_;
  track::RoceTable roce_;
  track::IwarpTable iwarp_;
  // Each goes before its Connection does, which the two above own.
  absl::flat_hash_map<const track::Connection*, std::unique_ptr<flow::Conversation>> conversations_;

  base::Newest<uint64_t, 1024> pauses_;  // ordinals of their frames
  absl::flat_hash_map<const track::Connection*, uint64_t>
      pauses_before_;    // of those open, where there were any
  link::Others others_;  // among TCP
  Counters counters_;
};

Analyzer::Analyzer(Observer& observer, const Options& options)
    : pipeline_(std::make_unique<Pipeline>(observer, options)) {}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

void Analyzer::feed(const Frame& frame) {
  pipeline_->feed(frame);
}
void Analyzer::finish() {
  pipeline_->finish();
}
const Counters& Analyzer::counters() const {
  return pipeline_->counters();
}
bool Analyzer::reads(uint32_t link_type) {
  link::Decoder decoder;
  decoder.decode(Frame{.at = {}, .link_type = link_type, .bytes = {}});
  return decoder.counters().unknown_link == 0;
}

}  // namespace steertag
