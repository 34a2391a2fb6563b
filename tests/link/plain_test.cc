// The short way of plain frames against the way by layers: the same Packets and the same
// counters, for every frame of the captures that are kept, and for what becomes of them
// when bytes of their headers change, or the capture cuts them.
#include "link/plain.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "link/decoder.h"
#include "link/frames.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

bool same(Bytes x, Bytes y) {
  return x.size() == y.size() && (x.empty() || x.data() == y.data());
}

bool same(const TcpFields& x, const TcpFields& y) {
  return x.source_port == y.source_port && x.destination_port == y.destination_port &&
         x.sequence == y.sequence && x.acknowledgment == y.acknowledgment && x.syn == y.syn &&
         x.ack == y.ack && x.fin == y.fin && x.rst == y.rst && x.window == y.window &&
         x.checksum == y.checksum && same(x.options, y.options);
}

bool same(const Packet& x, const Packet& y) {
  return x.carrier == y.carrier && x.source == y.source && x.destination == y.destination &&
         same(x.payload, y.payload) && x.payload_length == y.payload_length && same(x.tcp, y.tcp) &&
         x.udp_source_port == y.udp_source_port && same(x.network, y.network) &&
         x.routed.hops == y.routed.hops && x.routed.traffic_class == y.routed.traffic_class &&
         x.routed.id == y.routed.id && x.way == y.way && x.station == y.station &&
         x.pause.from == y.pause.from && x.pause.classes == y.pause.classes &&
         x.pause.quanta == y.pause.quanta;
}

bool same(const link::Counters& x, const link::Counters& y) {
  return x.frames == y.frames && x.roce == y.roce && x.tcp == y.tcp && x.pauses == y.pauses &&
         x.tunnels == y.tunnels && x.unknown_link == y.unknown_link && x.other == y.other && x.cut == y.cut &&
         x.malformed == y.malformed && x.fragments == y.fragments && x.reassembled == y.reassembled &&
         x.fragments_dropped == y.fragments_dropped;
}

// Both ways, of one frame after the other; what one of them left in the Packet is no matter.
class BothWays {
 public:
  bool agree(const Frame& frame) {
    either_.decode(frame, short_way_);
    by_layers_.decode_by_layers(frame, long_way_);
    Packet plain;
    plain_ += read_plain(frame, {kRocePort}, plain) ? 1 : 0;
    const bool inside = either_.assembled() || same(short_way_, long_way_);
    return inside && short_way_.carrier == long_way_.carrier &&
           either_.assembled() == by_layers_.assembled() && same(either_.counters(), by_layers_.counters());
  }
  size_t plain() const { return plain_; }

 private:
  Decoder either_, by_layers_;
  Packet short_way_, long_way_;
  size_t plain_ = 0;
};

std::vector<std::string> kept_captures() {
  std::vector<std::string> paths;
  for (const auto& folder : std::filesystem::directory_iterator(STEERTAG_ROOT "/captures")) {
    const std::filesystem::path path = folder.path() / "capture.pcap";
    if (std::filesystem::exists(path)) {
      paths.push_back(path);
    }
  }
  return paths;
}

// Changes a byte of the headers, a length now and then, or cuts the frame off; in a block of its own, so that
// a sanitizer sees what reads past it.
struct Mutant {
  std::unique_ptr<uint8_t[]> bytes;
  Frame frame;
};
template <typename Random>
Mutant mutated(const Frame& frame, Random& random) {
  const auto below = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
  constexpr size_t kHeaders = 80;
  const size_t size = below(3) == 0 ? below(std::min(frame.bytes.size(), kHeaders) + 1) : frame.bytes.size();
  Mutant mutant{std::make_unique<uint8_t[]>(size), frame};
  std::copy_n(frame.bytes.begin(), size, mutant.bytes.get());
  for (size_t changes = below(4); size != 0 && changes != 0; --changes) {
    uint8_t& octet = mutant.bytes[below(std::min(size, kHeaders))];
    const uint8_t values[] = {
        0, 1, 6, 17, 0x45, 0x81, 0x60, 0xFF, static_cast<uint8_t>(octet ^ 1u << below(8))};
    octet = values[below(std::size(values))];
  }
  mutant.frame.bytes = Bytes(mutant.bytes.get(), size);
  mutant.frame.original_length = below(4) == 0 ? 0 : frame.original_length;
  return mutant;
}

}  // namespace

TEST_CASE("plain: every frame of the kept captures is the same packet by either way") {
  size_t frames = 0, plain = 0;
  for (const std::string& path : kept_captures()) {
    const support::Trace trace = support::load(path);
    BothWays ways;
    for (const support::TraceFrame& frame : trace.frames) {
      const Frame fed{frame.at, trace.link_type, frame.bytes, frame.original_length};
      if (!ways.agree(fed)) {
        FAIL(path << ", frame " << frame.at.number);
      }
    }
    frames += trace.frames.size();
    plain += ways.plain();
  }
  CHECK(frames > 1000);
  CHECK(plain > frames * 9 / 10);
}

TEST_CASE("plain: frames with changed headers, and cut ones, are the same packets by either way") {
  std::minstd_rand random(17);
  for (const std::string& path : kept_captures()) {
    const support::Trace trace = support::load(path);
    BothWays ways;
    for (const support::TraceFrame& frame : trace.frames) {
      const Frame whole{frame.at, trace.link_type, frame.bytes, frame.original_length};
      for (int times = 0; times < 4; ++times) {
        if (!ways.agree(whole)) {  // what is changed next is predicted from it
          FAIL(path << ", frame " << frame.at.number);
        }
        const Mutant mutant = mutated(whole, random);
        if (!ways.agree(mutant.frame)) {
          FAIL(path << ", frame " << frame.at.number
                    << ", changed: " << Catch::StringMaker<Octets>::convert(octets(mutant.frame.bytes)));
        }
      }
    }
  }
}

TEST_CASE("plain: VLANs, IPv6, extension headers and options, whole and cut at every byte") {
  const Octets segment = tcp(counting(40), Octets{1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<Octets> frames;
  for (const auto& [protocol, transport] :
       {std::pair<uint8_t, Octets>{17, udp(counting(64))}, {17, udp(counting(64), 4789)}, {6, segment}}) {
    for (const Octets& tag : {Octets{}, Octets{0x81, 0, 0x20, 7}, Octets{0x81, 0, 0, 7, 0x81, 0, 0, 8}}) {
      for (const bool six : {false, true}) {
        Octets bytes =
            six ? ethernet(ipv6(protocol, transport), 0x86DD) : ethernet(ipv4(protocol, transport));
        bytes.insert(bytes.begin() + 12, tag.begin(), tag.end());
        frames.push_back(bytes);
        frames.push_back(bytes + Octets(6, 0));  // padding of the link
      }
    }
    frames.push_back(ethernet(ipv4(protocol, transport, Octets(8, 1))));
  }
  BothWays ways;
  for (const Octets& bytes : frames) {
    for (size_t captured = 0; captured <= bytes.size(); ++captured) {
      Frame cut = frame(bytes);
      const auto exact = std::make_unique<uint8_t[]>(captured);
      std::copy_n(bytes.begin(), captured, exact.get());
      cut.bytes = Bytes(exact.get(), captured);
      INFO(captured << " of " << bytes.size());
      CHECK(ways.agree(cut));
    }
  }
  CHECK(ways.plain() > 0);
}
