// Anomalies of a trace, as short texts that tests can compare: feeds the tables
// of connections as the Analyzer does, with checksums verified, whatever the
// connections carry.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "intake.h"
#include "rdma/anomaly.h"
#include "support/trace.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"

namespace steertag::support {

inline const char* name(rdma::Anomaly::Kind kind) {
  constexpr const char* kNames[] = {"orphan",
                                    "cut_off",
                                    "packet_size",
                                    "inner_pad",
                                    "write_length",
                                    "ddp_version",
                                    "rdmap_version",
                                    "tagged_flag",
                                    "queue_number",
                                    "message_number",
                                    "message_offset",
                                    "stag_change",
                                    "tagged_offset",
                                    "read_short",
                                    "read_long",
                                    "read_sink_stag",
                                    "read_sink_offset",
                                    "read_unasked",
                                    "reads_outstanding",
                                    "inner_size",
                                    "mpa_key",
                                    "mpa_revision",
                                    "mpa_private_data_length",
                                    "mpa_early_fpdu",
                                    "mpa_length",
                                    "mpa_marker",
                                    "mpa_pad",
                                    "mpa_crc",
                                    "icrc",
                                    "icrc_never",
                                    "changed_repeat",
                                    "missing"};
  return kNames[static_cast<size_t>(kind)];
}

// "cut_off b 8192/4096": kind, sender, expected/found; "missing a x2 acked" for
// what is counted, "icrc_never a x3" likewise.
inline std::string text(const rdma::Anomaly& anomaly) {
  using Kind = rdma::Anomaly::Kind;
  std::string out = name(anomaly.kind);
  out += anomaly.from == rdma::Side::a ? " a" : " b";
  switch (anomaly.kind) {
    case Kind::missing:
      return out + " x" + std::to_string(anomaly.count) + (anomaly.related ? " acked" : "");
    case Kind::icrc_never:
      return out + " x" + std::to_string(anomaly.count) + (anomaly.alike == anomaly.count ? " alike" : "");
    case Kind::icrc:
    case Kind::mpa_crc:
      return out + (anomaly.expected != anomaly.found ? "" : " ?");
    case Kind::changed_retransmission:
      return out + (anomaly.expected != anomaly.found ? "" : " ?") + (anomaly.acknowledged ? " acked" : "");
    default:
      return out + " " + std::to_string(anomaly.expected) + "/" + std::to_string(anomaly.found);
  }
}

class AnomalyLog final : public track::Observer {
 public:
  std::vector<rdma::Anomaly> anomalies;
  uint32_t retransmissions = 0, copies = 0;

  void feed(const Trace& trace) {
    for (const TraceFrame& frame : trace.frames) {
      if (!intake_.take({frame.at, trace.link_type, frame.bytes, frame.original_length}, arrival_)) {
        continue;
      }
      if (arrival_.packet.carrier == link::Carrier::tcp) {
        iwarp_.on_packet(arrival_);
      } else {
        roce_.on_packet(arrival_);
      }
    }
    roce_.finish();
    iwarp_.finish();
  }

  static bool is_mistake(const rdma::Anomaly& anomaly) {
    return anomaly.kind != rdma::Anomaly::Kind::reads_outstanding &&
           anomaly.kind != rdma::Anomaly::Kind::inner_size;
  }
  // All but those that are no mistakes.
  std::string texts() const {
    std::string out;
    for (const rdma::Anomaly& anomaly : anomalies) {
      if (is_mistake(anomaly)) {
        out += (out.empty() ? "" : ", ") + text(anomaly);
      }
    }
    return out;
  }
  uint64_t most_reads() const {
    uint64_t most = 0;
    for (const rdma::Anomaly& anomaly : anomalies) {
      if (anomaly.kind == rdma::Anomaly::Kind::reads_outstanding) {
        most = std::max(most, anomaly.found);
      }
    }
    return most;
  }

 private:
  struct Ear final : rdma::Listener {
    explicit Ear(AnomalyLog& log) : owner(log) {}
    void on_setup(rdma::Side, const rdma::SetupHalf&, const Stamp&) override {}
    void on_op(const rdma::RdmaOp&) override {}
    void on_fault(const rdma::Fault&) override {}
    void on_gap(rdma::Side, const Stamp&) override {}
    void on_end(rdma::EndReason, const Stamp&) override {}
    void on_anomaly(const rdma::Anomaly& anomaly) override { owner.anomalies.push_back(anomaly); }
    AnomalyLog& owner;
  };

  rdma::Listener& on_open(track::Connection&) override { return ear_; }
  void on_close(track::Connection& connection) override {
    for (const track::End& end : connection.ends) {
      retransmissions += end.retransmissions;
      copies += end.copies;
    }
  }

  static constexpr int64_t kWindow_ns = 2'000'000;

  Ear ear_{*this};
  Intake intake_{{.ports = {}, .verify_icrc = true, .copy_window_ns = kWindow_ns}};
  track::Arrival arrival_;
  base::Budget budget_;
  Moment now_;
  track::RoceTable roce_{*this, budget_, now_};
  track::IwarpTable iwarp_{*this, {true, {20049}}, budget_, now_};
};

}  // namespace steertag::support
