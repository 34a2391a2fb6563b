// Plan: what is to be written in place of RDMA payload, as the first reading of a capture found out
// (survey.h) and the second one asks (rewriter.h). All that it says nothing of is overwritten with zeros.
//
// Of RoCE and InfiniBand it goes by which packet it is (packet_name.h) and what that carries, so that
// whatever is captured twice, or sent again, is treated alike. Of iWARP it goes by the place in the TCP
// stream, since segments may be cut otherwise when they are sent again.
//
// An image is the new payload of one piece of a message, from its front. They are the only thing that grows
// with the capture, beside a few words and the headers of each FPDU; full() says that there was no room for
// another.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/bytes.h"
#include "rdma/unit.h"
#include "sanitize/fpdu.h"
#include "sanitize/key.h"
#include "sanitize/packet_name.h"
#include "sanitize/queue_pairs.h"
#include "sanitize/soundness.h"
#include "sanitize/targets.h"
#include "track/connection.h"

namespace steertag::sanitize {

// An FPDU or a setup frame in its stream: the headers that stay (markers not counted), then the image, then
// zeros.
struct Part {
  uint64_t begin = 0;
  uint32_t size = 0;   // on the wire
  uint32_t kept = 0;   // bytes of its headers, the length field among them ...
  size_t headers = 0;  // ... and where the Plan has them
  uint32_t image = 0;  // its number, from 1; 0: there is none
  uint32_t crc = 0;    // of what is written, where the FPDU was captured whole; else 0
  bool has_crc = false;
  bool damaged = false;  // its CRC is wrong: any word of it may be another, or lie elsewhere
};

// One direction of a TCP connection.
struct Stream {
  uint64_t order = 0;  // of its connection's first frame, among all frames
  uint32_t base = 0;   // sequence number of offset 0
  rdma::iwarp::Markers markers;
  std::vector<Part> parts;       // by place, without overlap
  uint64_t proven = UINT64_MAX;  // a CRC that is right ends there: an FPDU begins
  bool with_crc = false;         // one was right
  bool any_crc = false;          // one was not zero
  bool broken = false;           // where the next FPDU begins is up to what may be content: nothing is shown
};

// Who sends, and to whom.
struct FlowKey {
  base::Address source, destination;
  uint16_t source_port = 0, destination_port = 0;
  friend bool operator==(const FlowKey&, const FlowKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const FlowKey& k) {
    return H::combine(std::move(h), k.source, k.destination, k.source_port, k.destination_port);
  }
};

// A piece of a message: a packet of RoCE, by its name and what it carries, or a part of a stream.
struct Place {
  bool of_stream = false;
  uint32_t stream = 0, part = 0;
  uint64_t packet = 0;
};

// What was known of a message when an image was made of a piece of it. Of one payload that was sent twice,
// the one that was read with more stays.
enum class Known : uint8_t { alone, with_its_call };

class Plan {
 public:
  // `most`: bytes that it may hold.
  Plan(const Key& key, size_t most) : key_(key.derive('P')), most_(most) {}

  // --- the first reading ---
  void add(const track::Connection& connection, const rdma::Unit& unit);
  // The memory that a sound message advertises.
  void add_targets(const track::Connection& connection, const rpcrdma::TransportHeader& header) {
    targets_.add(connection, header);
  }
  void forget(const track::Connection& connection);  // it is over
  Soundness& soundness() { return soundness_; }      // of all packets
  // The segment of a stream in this frame was sent before, with other content.
  void add_changed(const Stamp& at);
  // Whether an FPDU of that side which is shown as one ends there; true of other transports.
  bool shows(const track::Connection& connection, rdma::Side from, uint64_t end_position) const;
  // Whether nothing of that side's stream is shown any more.
  bool broken(const track::Connection& connection, rdma::Side from) const;
  // Where a piece of that connection is whose FPDU, if it is one, is known. `name`: of a packet.
  std::optional<Place> place_of(const track::Connection& connection, const rdma::RdmaOp& op,
                                const std::optional<PacketName>& name) const;
  // Whether that piece lies in an FPDU with a wrong CRC.
  bool damaged(const Place& place) const {
    return place.of_stream && streams_[place.stream].parts[place.part].damaged;
  }
  // Of a piece with `length` bytes of payload, as captured, those from `at` on.
  void overlay(const Place& place, size_t length, size_t at, Bytes bytes, Known known);
  bool full() const { return full_; }

  // --- the second ---
  const QueuePairs& queue_pairs() const { return queue_pairs_; }
  const Soundness& soundness() const { return soundness_; }
  Bytes image_of(const PacketName& name, Bytes payload) const;  // empty: zeros
  Bytes headers(const Part& part) const { return slice(bytes_, part.headers, part.kept); }
  Bytes image(const Part& part) const { return part.image == 0 ? Bytes() : image_at(part.image); }
  // The stream that a segment belongs to which is the `order`th frame; null: none that is iWARP.
  const Stream* find(const FlowKey& flow, uint64_t order) const;
  // What stands at that place of a stream where a part has neither header nor image: sanitize::blank().
  uint8_t blank(uint64_t place) const { return key_.images == Key::Images::bytes ? any(place) : 0; }
  bool changed(const Stamp& at) const { return changed_.contains({at.file, at.number}); }

 private:
  struct Image {
    size_t begin = 0;
    uint32_t length = 0;
    Known known = Known::alone;
  };
  Bytes image_at(uint32_t number) const {
    const Image& image = images_[number - 1];
    return slice(bytes_, image.begin, image.length);
  }
  // Whether a part of a stream, if it looks like an FPDU, is one, so that what it names is a target.
  bool believes(const track::Connection& connection, const Stream& stream, const rdma::Unit& unit, Crc crc,
                Bytes plain) const;
  uint32_t keep(Bytes image, Known known);
  void set_image(const Place& place, Bytes image, Known known);
  void set_crc(Part& part, const rdma::Unit& unit, bool right) const;
  uint8_t any(uint64_t place) const;
  void change_crc(const Stream& stream, Part& part, Bytes before, Bytes now) const;
  uint32_t stream_of(const track::Connection& connection, const rdma::Unit& unit);
  const Stream* open_stream(const track::Connection& connection,
                            rdma::Side from) const;  // null: there is none
  // Of the FPDU of that side which ends there.
  std::optional<Place> place_at(const track::Connection& connection, rdma::Side from,
                                uint64_t end_position) const;
  // Of the streams of a flow, the first one that begins after that frame.
  std::vector<uint32_t>::const_iterator behind(const std::vector<uint32_t>& of_flow, uint64_t order) const;
  size_t held() const {
    return bytes_.size() + parts_ * sizeof(Part) + images_.size() * sizeof(Image) * 3 +
           changed_.size() * sizeof(std::pair<uint32_t, uint64_t>) * 2 + soundness_.bytes();
  }

  Key key_;
  size_t most_;
  bool full_ = false;
  std::vector<uint8_t> bytes_;
  std::vector<Image> images_;
  Targets targets_;
  QueuePairs queue_pairs_;
  Soundness soundness_;
  absl::flat_hash_map<uint64_t, uint32_t> by_packet_;  // number of the image
  std::vector<Stream> streams_;
  size_t parts_ = 0;
  absl::flat_hash_map<FlowKey, std::vector<uint32_t>> by_flow_;  // in the order in which they begin
  absl::flat_hash_set<std::pair<uint32_t, uint64_t>> changed_;   // file, number of the frame
  absl::flat_hash_map<const track::Connection*, std::array<uint32_t, 2>> open_;  // by Side; number, from 1
};

// What is shown of a byte of a marker: what it should be (RFC 5044 §4.3: zeros, then the distance back to the
// length field), or 0xFF where the marker is wrong. Bytes of a wrong one that are right by chance are not
// told from the others: `near` has those around it, and itself at `in`.
uint8_t shown_marker_byte(const rdma::iwarp::Markers& markers, const Part& part, uint32_t at, Bytes near,
                          size_t in);

// Where a byte of a part stands when the markers of its FPDU are taken out; unset where it is of a marker.
std::optional<uint32_t> without_markers(const rdma::iwarp::Markers& markers, const Part& part, uint32_t at);

}  // namespace steertag::sanitize
