#include "rdma/iwarp/engine.h"

#include <algorithm>
#include <utility>

#include "link/tcp_stream.h"
#include "rdma/iwarp/framer.h"
#include "rdma/iwarp/messages.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/opening.h"
#include "rdma/iwarp/resync.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {

namespace {

// Segments with data in which no FPDU was found: enough in each direction, or in
// both together, to say that there are none.
constexpr uint32_t kGiveUpEach = 64;
constexpr uint32_t kGiveUpTogether = 256;

// How often what a resynchronisation kept may lose the framing again before the
// rest of it is thrown away.
constexpr unsigned kMaxReplayDepth = 8;

// An MPA Request this far from the sequence numbers in use is another connection's.
constexpr int32_t kForeignDistance = 16 << 20;

Side side(unsigned direction) {
  return direction == 0 ? Side::a : Side::b;
}

}  // namespace

// Opening: the first bytes, an MPA Request or Reply if it is iWARP. Then
// waiting, for the initiator, until the Reply told about markers. Then framed:
// FPDUs. Searching: the next FPDU boundary is not known.
enum class Phase : uint8_t { opening, waiting, framed, searching };

class Engine::State final : public link::TcpStream::Sink, public Framer::Sink {
 public:
  State(Listener& listener, const Options& options)
      : listener_(&listener), options_(&options), messages_(listener) {}

  void on_segment(Side from, const link::Packet& segment, const Stamp& at);
  void finish(const Stamp& at);
  bool opens_new_epoch(Side from, const link::Packet& segment) const;

  Verdict verdict = Verdict::undecided;
  bool ended = false;
  std::optional<Side> initiator;
  MpaFacts mpa;
  Counters counters;

 private:
  struct Half {
    Phase phase = Phase::opening;
    Opening opening;
    Framer framer;
    Resync resync;
    Markers markers;
    std::optional<uint64_t> aligned;  // an offset that was an FPDU boundary
    bool anchored = false;            // `aligned` comes from the setup, not from a search
    bool finished = false;            // FIN
    bool interrupted = false;         // it was framed before it was lost
    uint32_t searched = 0;            // segments
  };

  void on_bytes(unsigned from, const link::StreamBytes& bytes) override;
  void on_hole(unsigned from, uint64_t end, const Stamp& at) override;
  void on_fin(unsigned from, const Stamp& at) override;
  void on_reset(unsigned from, const Stamp& at) override;
  void on_fpdu(const Fpdu& fpdu) override;

  void open(unsigned from, const link::StreamBytes& bytes);
  void opened(unsigned from, uint64_t end, const Stamp& at);
  void framed(unsigned from, const link::StreamBytes& bytes);
  void search(unsigned from, const link::StreamBytes& bytes);
  void lose(unsigned from);
  void gap(unsigned from, const Stamp& at);
  void check_crc(const Fpdu& fpdu);
  void end(EndReason reason, const Stamp& at);
  bool over() const { return ended || verdict == Verdict::not_rdma; }
  void release_if_over();
  Half& half(unsigned from) { return halves_[from]; }

  Listener* listener_;
  const Options* options_;
  link::TcpStream tcp_;
  Messages messages_;
  std::array<Half, 2> halves_;
  unsigned current_ = 0;  // the direction of the FPDU that is delivered
  unsigned replay_depth_ = 0;
  bool named_port_ = false;
  bool released_ = false;
};

void Engine::State::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  if (over()) {
    return;
  }
  const auto named = [&](uint16_t port) {
    return std::find(options_->ports.begin(), options_->ports.end(), port) != options_->ports.end();
  };
  if (verdict == Verdict::undecided && !named_port_) {
    named_port_ = named(segment.tcp.source_port) || named(segment.tcp.destination_port);
  }
  tcp_.push(static_cast<unsigned>(index(from)), segment, at, *this);
  release_if_over();
}

void Engine::State::finish(const Stamp& at) {
  if (!over()) {
    tcp_.finish(at, *this);
    release_if_over();
  }
}

void Engine::State::release_if_over() {
  if (!over() || released_) {
    return;
  }
  released_ = true;
  tcp_.release();
  messages_.release();
  for (Half& h : halves_) {
    h.opening.release();
    h.framer.release();
    h.resync.release();
  }
}

void Engine::State::on_bytes(unsigned from, const link::StreamBytes& bytes) {
  if (over()) {
    return;
  }
  switch (half(from).phase) {
    case Phase::framed:
      return framed(from, bytes);
    case Phase::opening:
      return open(from, bytes);
    case Phase::waiting:
      // The initiator goes on, so it has the Reply; the capture has not, and
      // with it the answer to the question of markers.
      half(from).phase = Phase::searching;
      return search(from, bytes);
    case Phase::searching:
      return search(from, bytes);
  }
}

// --- the setup ---

void Engine::State::open(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  const uint32_t used = h.opening.add(bytes);
  link::StreamBytes rest = bytes;
  rest.offset += used;
  rest.length -= used;
  rest.captured = slice(bytes.captured, used);
  rest.segment_start = bytes.segment_start && used == 0;
  switch (h.opening.state()) {
    case Opening::State::incomplete:
      return;
    case Opening::State::refused:
      if (tcp_.from_start(from) && h.opening.begin() == 0 && verdict == Verdict::undecided) {
        verdict = Verdict::not_rdma;
        return;
      }
      h.phase = Phase::searching;
      h.opening.release();
      return search(from, bytes);
    case Opening::State::complete:
      opened(from, rest.offset, bytes.at);
      h.opening.release();
      if (rest.length > 0) {
        on_bytes(from, rest);
      }
      return;
  }
}

// RFC 5044 §7.1: the Request says what its sender wants to receive, and so does
// the Reply; a CRC is used where either wants it.
void Engine::State::opened(unsigned from, uint64_t end_offset, const Stamp& at) {
  Half& h = half(from);
  Half& peer = half(1 - from);
  const SetupFrame& frame = h.opening.frame();
  const bool request = h.opening.is_request();
  verdict = Verdict::rdma;
  initiator = side(request ? from : 1 - from);
  (request ? mpa.request_seen : mpa.reply_seen) = true;
  (request ? mpa.request_revision : mpa.reply_revision) = frame.revision;
  mpa.markers[1 - from] = frame.markers();
  if (frame.crc()) {
    mpa.crc = true;
  } else if (mpa.request_seen && mpa.reply_seen && !mpa.crc) {
    mpa.crc = false;
  }
  SetupHalf setup = h.opening.setup();
  if (setup.initiator_depth) {
    mpa.ord[from] = static_cast<uint16_t>(*setup.initiator_depth);
  }
  if (setup.responder_resources) {
    mpa.ird[from] = static_cast<uint16_t>(*setup.responder_resources);
  }

  h.aligned = end_offset;
  h.anchored = true;
  h.markers.origin = end_offset;
  h.phase = Phase::waiting;
  if (mpa.markers[from]) {
    h.markers.in_use = *mpa.markers[from];
    h.phase = Phase::framed;
    h.framer.begin(end_offset, h.markers);
  }
  if (peer.phase == Phase::waiting) {
    peer.markers.in_use = frame.markers();
    peer.phase = Phase::framed;
    peer.framer.begin(peer.markers.origin, peer.markers);
  }
  listener_->on_setup(side(from), setup, at);
  if (!request && frame.rejected()) {
    mpa.rejected = true;
    end(EndReason::reject, at);
  }
}

// --- FPDUs ---

void Engine::State::framed(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  current_ = from;
  const std::optional<uint64_t> lost = h.framer.on_bytes(bytes, *this);
  if (!lost || over()) {
    return;
  }
  lose(from);
  if (!h.anchored) {
    h.aligned.reset();  // perhaps the search was misled
  }
  gap(from, bytes.at);
  link::StreamBytes rest = bytes;
  const uint64_t used = *lost - bytes.offset;
  rest.offset += used;
  rest.length -= static_cast<uint32_t>(used);
  rest.captured = slice(bytes.captured, used);
  rest.segment_start = bytes.segment_start && used == 0;
  if (rest.length > 0) {
    search(from, rest);
  }
}

void Engine::State::on_fpdu(const Fpdu& fpdu) {
  if (over()) {
    return;
  }
  ++counters.fpdus;
  if (options_->verify_crc && mpa.crc.value_or(false) && fpdu.raw.size() == fpdu.size) {
    check_crc(fpdu);
  }
  switch (messages_.on_fpdu(side(current_), fpdu)) {
    case Messages::Outcome::delivered:
      return;
    case Messages::Outcome::unreadable:
      return gap(current_, fpdu.frames.back());
    case Messages::Outcome::terminated:
      return end(EndReason::terminate, fpdu.frames.back());
  }
}

void Engine::State::check_crc(const Fpdu& fpdu) {
  ++counters.crc_checked;
  if (!crc_matches(fpdu.raw)) {
    ++counters.crc_bad;
    if (!counters.first_crc_bad) {
      counters.first_crc_bad = fpdu.frames.back();
    }
  }
}

// --- what is missing ---

void Engine::State::lose(unsigned from) {
  Half& h = half(from);
  h.aligned = h.framer.boundary();
  h.phase = Phase::searching;
  h.interrupted = true;
  h.resync.clear();
}

void Engine::State::gap(unsigned from, const Stamp& at) {
  messages_.on_gap(side(from));
  listener_->on_gap(side(from), at);
}

void Engine::State::on_hole(unsigned from, uint64_t end_offset, const Stamp& at) {
  if (over()) {
    return;
  }
  Half& h = half(from);
  gap(from, at);
  current_ = from;
  switch (h.phase) {
    case Phase::framed:
      if (!h.framer.on_hole(end_offset, *this)) {
        lose(from);
      }
      return;
    case Phase::opening:
    case Phase::waiting:
      h.phase = Phase::searching;
      return h.opening.release();
    case Phase::searching:
      return;  // Resync sees it from the offsets
  }
}

void Engine::State::search(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  const bool proven = verdict == Verdict::rdma;
  const std::optional<uint64_t> found = h.resync.on_bytes(bytes, {h.markers, h.aligned, mpa.crc, proven});
  if (!found) {
    ++h.searched;
    const uint32_t peer = half(1 - from).searched;
    if (!proven && !named_port_ &&
        ((h.searched >= kGiveUpEach && peer >= kGiveUpEach) || h.searched + peer >= kGiveUpTogether)) {
      verdict = Verdict::not_rdma;
    }
    return;
  }
  verdict = Verdict::rdma;
  counters.resyncs += h.interrupted ? 1 : 0;
  h.aligned = h.anchored ? h.aligned : found;
  h.phase = Phase::framed;
  h.framer.begin(*found, h.markers);
  if (replay_depth_ >= kMaxReplayDepth) {
    h.phase = Phase::searching;
    return h.resync.clear();
  }
  ++replay_depth_;
  const Resync kept = std::exchange(h.resync, Resync{});
  uint64_t position = *found;
  kept.replay(*found, [&](const link::StreamBytes& piece) {
    if (piece.offset > position && !over()) {
      current_ = from;
      if (h.phase == Phase::framed && !h.framer.on_hole(piece.offset, *this)) {
        lose(from);
      }
    }
    position = piece.end();
    on_bytes(from, piece);
  });
  --replay_depth_;
}

// --- the end ---

void Engine::State::on_fin(unsigned from, const Stamp& at) {
  half(from).finished = true;
  if (half(1 - from).finished) {
    end(EndReason::fin, at);
  }
}

void Engine::State::on_reset(unsigned, const Stamp& at) {
  end(EndReason::reset, at);
}

void Engine::State::end(EndReason reason, const Stamp& at) {
  if (!over()) {
    ended = true;
    listener_->on_end(reason, at);
  }
}

bool Engine::State::opens_new_epoch(Side from, const link::Packet& segment) const {
  const auto direction = static_cast<unsigned>(index(from));
  if (segment.tcp.syn) {
    return tcp_.foreign_syn(direction, segment.tcp.sequence);
  }
  if (!tcp_.known(direction) || segment.payload.size() < kRequestKey.size() ||
      segment.payload[0] != kRequestKey[0]) {
    return false;
  }
  const auto distance = static_cast<int32_t>(segment.tcp.sequence - tcp_.next_sequence(direction));
  return (distance < -kForeignDistance || distance > kForeignDistance) &&
         std::equal(kRequestKey.begin(), kRequestKey.end(), segment.payload.begin());
}

// --- the front ---

Engine::Engine(Listener& listener, const Options& options)
    : state_(std::make_unique<State>(listener, options)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

void Engine::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  state_->on_segment(from, segment, at);
}
void Engine::finish(const Stamp& at) {
  state_->finish(at);
}
bool Engine::opens_new_epoch(Side from, const link::Packet& segment) const {
  return state_->opens_new_epoch(from, segment);
}
Verdict Engine::verdict() const {
  return state_->verdict;
}
bool Engine::ended() const {
  return state_->ended;
}
std::optional<Side> Engine::initiator() const {
  return state_->initiator;
}
const MpaFacts& Engine::mpa() const {
  return state_->mpa;
}
const Counters& Engine::counters() const {
  return state_->counters;
}

}  // namespace steertag::rdma::iwarp
