// Analyzer: the front door. Feed it the frames of a capture in order, and it
// reports to its observer what it finds in them: connections, messages, RDMA
// operations tied to chunks, whole RPCs. It opens no file, reads no clock and
// throws nothing; the same frames give the same events.
//
//   steertag::Analyzer analyzer(observer, {});
//   for (...) analyzer.feed(frame);
//   analyzer.finish();
//
// Memory is bounded by Options::memory, never by the length of the capture: beyond it
// what is of least use is given up, and that is reported; see core/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "event.h"
#include "flow/course.h"
#include "frame.h"
#include "intake.h"
#include "link/counters.h"
#include "link/others.h"
#include "track/arrival.h"

namespace steertag {

struct Options {
  static constexpr size_t kDefaultMemory = 512 << 20;

  std::vector<uint16_t> rpcrdma_ports = {20049};  // RDMA CM or TCP ports that NFS/RDMA is expected on
  // UDP destination ports that carry RoCEv2, and those of tunnels
  std::vector<uint16_t> roce_ports = {4791};
  std::vector<uint16_t> vxlan_ports = {4789};
  std::vector<uint16_t> geneve_ports = {6081};
  // Bytes kept of each inline payload and each segment for Exchange; 1 KiB
  // is enough to name the procedure of an RPC in a Position-Zero Read chunk.
  uint32_t payload_limit = 1024;
  // How long an Exchange waits after its Reply for RDMA traffic that the tap
  // shows late, nanoseconds.
  int64_t linger_ns = 2'000'000;
  // How far apart two sightings of one packet may be, where several taps or switch ports see it, nanoseconds.
  int64_t copy_window_ns = 2'000'000;
  // A Call without a Reply this long before its connection's last frame was not answered; with less, the
  // capture may have ended too early. Nanoseconds.
  int64_t settle_ns = 30'000'000'000;
  // Bytes that may be held of connections, messages and RPCs. Tables of a fixed size, some 15 MiB, come
  // beside it.
  size_t memory = kDefaultMemory;
  bool verify_checksums = false;  // ICRC and MPA CRC
  // Report what rules ask for beside the rest: AccessSeen, Message::standing, Exchange::call_message and
  // ::reply_message.
  bool for_rules = false;
  // Report what reports about RPCs ask for beside the rest: ExchangeTimed, Exchange::timing and ::subject.
  bool for_reports = false;
  // Beside that: which file each RPC is about, which bytes of it, and for whom.
  bool for_files = false;
  // Beside for_reports: how the sequence numbers of each connection went on (timing::Sequences, of
  // ConnectionClosed::transit).
  bool for_sequences = false;
  // Report PlacementSeen.
  bool for_placements = false;
  // Report what who writes the frames anew asks for: PieceSeen, UnitSeen.
  bool for_rewriting = false;
  // Kept up to date while frames are followed, where somebody asks for it; outlives the Analyzer. With
  // Course::numbering only a share of the connections is followed.
  flow::Course* course = nullptr;

  Intake::Options intake() const;
};

// A frame that an Intake elsewhere has taken: what it means to an Analyzer that has a share of the
// connections.
struct TakenFrame {
  Stamp at;
  const track::Arrival* arrival =
      nullptr;           // what it carries; null: nothing to be followed, or time alone passes
  bool ours = true;      // else it is of a connection that another Analyzer follows
  bool dropped = false;  // frames in front of it were lost by who captured
};

// What went by, counted.
struct Counters {
  uint64_t frames = 0;             // fed
  uint64_t messages = 0;           // MessageSeen events
  uint64_t exchanges = 0;          // ExchangeDone events
  uint64_t connections = 0;        // that carried RPC-over-RDMA
  uint64_t lost = 0;               // packets known to be missing from the capture
  uint64_t dropped = 0;            // frames that whoever captured says were lost, of whatever kind
  uint64_t pauses = 0;             // pause frames that stop a link
  uint64_t fragments_dropped = 0;  // IP fragments that no whole datagram came of
  uint64_t checksum_errors = 0;    // with Options::verify_checksums
  // Connections, RPCs and packets that waited, each given up as one thing for want of Options::memory.
  uint64_t given_up = 0;
  link::Counters link;  // what became of the frames
  link::Others others;  // other protocols, and iWARP's own segments

  // Of the frames themselves.
  void set(const Intake& intake);
  // Of what was found in another share of the same frames.
  void add_share(const Counters& share);
  // Of another capture; what became of single frames is not added up.
  void add_capture(const Counters& other);
};

class Analyzer {
 public:
  explicit Analyzer(Observer& observer, const Options& options = {});
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  void feed(const Frame& frame);
  // The same for some in a row, whose bytes are good until it returns: what is known of their connections is
  // fetched from memory for all at once.
  void feed(std::span<const Frame> frames);
  void feed(std::span<const TakenFrame> frames);
  static constexpr size_t kTogether = 32;  // frames that are best fed together
  // Behind the latest frame so many are missing: Frame::dropped of one that does not come.
  void note_dropped(uint64_t frames);
  void finish();  // the capture ends here: what is open is reported as far as it got
  const Counters& counters() const;

  // Whether frames of this LINKTYPE_ value are read; those of others are counted, and passed over.
  static bool reads(uint32_t link_type);

 private:
  class Pipeline;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace steertag
