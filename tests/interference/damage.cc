#include "interference/damage.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "link/decoder.h"
#include "rdma/roce/bth.h"
#include "support/mended.h"

namespace steertag::interference {
namespace {

constexpr ptrdiff_t kChecksum = 4;  // bytes at the end of a packet, which are made of secrets, too

// Where something stands that looks like a transport header.
std::optional<size_t> begin_of_header(const std::vector<uint8_t>& bytes) {
  const auto word = [&](size_t at) {
    return uint32_t{bytes[at]} << 24 | uint32_t{bytes[at + 1]} << 16 | uint32_t{bytes[at + 2]} << 8 |
           bytes[at + 3];
  };
  constexpr size_t kLinks = 42, kFixed = 16;
  for (size_t at = kLinks; at + kFixed <= bytes.size(); at += 2) {
    const uint32_t version = word(at + 4);
    if ((version == 1 || version == 2) && word(at) != 0 && word(at + 8) - 1 < 0xFFFF && word(at + 12) <= 5) {
      return at;
    }
  }
  return std::nullopt;
}

// Where what software writes begins: behind TCP's header, or behind the BTH and its extensions, which the
// adapter makes together with the ICRC. The end, where that is not known.
size_t begin_of_payload(const support::Trace& trace, size_t frame) {
  const std::vector<uint8_t>& bytes = trace.frames[frame].bytes;
  link::Decoder decoder;
  const link::Packet packet = decoder.decode(support::frame_of(trace, frame));
  if (packet.payload.empty() || decoder.assembled()) {
    return bytes.size();
  }
  const auto begin = static_cast<size_t>(packet.payload.data() - bytes.data());
  return packet.carrier == link::Carrier::tcp
             ? begin
             : begin + rdma::roce::header_size(static_cast<rdma::roce::Opcode>(packet.payload[0]));
}

// Lengths, counts, discriminators, opcodes and enumerations that are not what they should be.
uint32_t wrong_word(legal::Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return dice.below(16);
    case 1:
      return dice.below(256);
    case 2:
      return 4 * dice.below(4096);
    default:
      return static_cast<uint32_t>(dice.next());
  }
}

}  // namespace

Damage draw(legal::Dice& dice, const support::Trace& trace) {
  using Kind = Damage::Kind;
  static constexpr Kind kinds[] = {Kind::word, Kind::word,    Kind::word,  Kind::word,
                                   Kind::byte, Kind::byte,    Kind::bit,   Kind::cut,
                                   Kind::lost, Kind::shifted, Kind::twice, Kind::swapped};
  Damage damage{kinds[dice.below(std::size(kinds))]};
  damage.frame = dice.below(trace.frames.size());
  const size_t size = std::max<size_t>(trace.frames[damage.frame].bytes.size(), 1);
  // Most headers are near the front.
  damage.at = dice.below(dice.chance(70) ? std::min<size_t>(size, 260) : size);
  if (damage.kind == Kind::word) {
    constexpr size_t kFront[] = {2, 0};  // behind Ethernet, words begin at multiples of four and two
    damage.at = damage.at / 4 * 4 + kFront[dice.chance(20) ? 1 : 0];
    damage.value = wrong_word(dice);
  } else if (damage.kind == Kind::shifted) {
    // In front of it are addresses and checksums, which would become something else.
    const std::optional<size_t> begin = begin_of_header(trace.frames[damage.frame].bytes);
    damage.kind = begin ? damage.kind : Kind::none;
    damage.at = begin.value_or(0) + 4 * dice.from_to(1, 12);
    damage.value = 4 * dice.from_to(1, 6);
    damage.sent = true;
  } else {
    damage.value = static_cast<uint32_t>(dice.next());
  }
  const bool field = damage.kind == Kind::word || damage.kind == Kind::byte || damage.kind == Kind::bit;
  if (field && dice.chance(50)) {
    damage.sent = damage.at >= begin_of_payload(trace, damage.frame);
  }
  return damage;
}

bool meets_secret(const Damage& damage, const support::Trace& one, const support::Trace& two) {
  using Kind = Damage::Kind;
  if (damage.kind != Kind::word && damage.kind != Kind::byte && damage.kind != Kind::bit) {
    return false;
  }
  const std::vector<uint8_t>&a = one.frames[damage.frame].bytes, &b = two.frames[damage.frame].bytes;
  const size_t end = std::min(a.size(), damage.at + (damage.kind == Kind::word ? 4 : 1));
  return damage.at < end &&
         !std::equal(a.begin() + static_cast<ptrdiff_t>(damage.at), a.begin() + static_cast<ptrdiff_t>(end),
                     b.begin() + static_cast<ptrdiff_t>(damage.at));
}

namespace {

void change(const Damage& damage, support::Trace& trace) {
  using Kind = Damage::Kind;
  std::vector<uint8_t>& bytes = trace.frames[damage.frame].bytes;
  const auto frame = trace.frames.begin() + static_cast<ptrdiff_t>(damage.frame);
  switch (damage.kind) {
    case Kind::none:
      return;
    case Kind::word:
      for (size_t i = 0; i < 4 && damage.at + i < bytes.size(); ++i) {
        bytes[damage.at + i] = static_cast<uint8_t>(damage.value >> (24 - 8 * i));
      }
      return;
    case Kind::byte:
    case Kind::bit:
      if (damage.at < bytes.size()) {
        const auto byte = static_cast<uint8_t>(damage.value);
        bytes[damage.at] =
            damage.kind == Kind::byte ? byte : bytes[damage.at] ^ static_cast<uint8_t>(1 << (byte & 7));
      }
      return;
    case Kind::cut:
      bytes.resize(std::min(bytes.size(), damage.at));
      return;
    case Kind::lost:
      trace.frames.erase(frame);
      return;
    case Kind::twice:
      trace.frames.insert(frame, support::TraceFrame(*frame));
      return;
    case Kind::swapped:
      if (damage.frame + 1 < trace.frames.size()) {
        std::swap(frame->bytes, (frame + 1)->bytes);
        std::swap(frame->original_length, (frame + 1)->original_length);
      }
      return;
    case Kind::shifted:  // words are missing there, and the frame ends as late as before
      if (damage.at + damage.value + kChecksum < bytes.size()) {
        std::copy(bytes.begin() + static_cast<ptrdiff_t>(damage.at + damage.value), bytes.end() - kChecksum,
                  bytes.begin() + static_cast<ptrdiff_t>(damage.at));
      }
      return;
  }
}

}  // namespace

void inflict(const Damage& damage, support::Trace& trace) {
  change(damage, trace);
  if (damage.sent) {
    support::mend(trace, damage.frame);
  }
}

std::string text(const Damage& damage) {
  static constexpr const char* names[] = {"none", "word",  "byte",    "bit",    "cut",
                                          "lost", "twice", "swapped", "shifted"};
  return fmt::format("{} in the frame of index {}, at {}, {:#x}{}", names[static_cast<size_t>(damage.kind)],
                     damage.frame, damage.at, damage.value, damage.sent ? ", by its sender" : "");
}

}  // namespace steertag::interference
