#include "link/fragments.h"

#include <algorithm>
#include <iterator>

namespace steertag::link {
namespace {

constexpr uint32_t kMaxDatagram = 65535;    // bytes, RFC 791 §3.1; behind the header for IPv6
constexpr uint32_t kIpv6HeaderSize = 40;    // bytes
constexpr size_t kKeptCapacity = 8 * 1024;  // a closed datagram's buffer is kept up to this size

void put16(uint8_t* at, uint32_t value) {
  at[0] = static_cast<uint8_t>(value >> 8);
  at[1] = static_cast<uint8_t>(value);
}

// Is the fragment one of this datagram? RFC 791 tells datagrams apart by their protocol too, RFC 8200 does
// not.
bool is_of(const auto& datagram, const IpHeader& ip) {
  return datagram.id == ip.fragment->id && datagram.v6 == ip.v6 &&
         (ip.v6 || datagram.protocol == ip.protocol) && datagram.source == ip.source &&
         datagram.destination == ip.destination;
}

}  // namespace

bool Reassembler::add(const IpHeader& ip, int64_t time_ns, Counters& counters, Stretch& whole) {
  Datagram& datagram = find_or_open(ip, time_ns, counters);
  const Piece piece{ip.fragment->offset,
                    static_cast<uint32_t>(std::min<uint64_t>(ip.payload.length, UINT32_MAX)),
                    static_cast<uint32_t>(ip.payload.captured.size())};
  switch (datagram.poisoned ? Fit::contradicts : fit(datagram, ip, piece)) {
    case Fit::repeats:
      return false;
    case Fit::contradicts:
      counters.fragments_dropped += datagram.pieces.size() + 1;
      poison(datagram);
      return false;
    case Fit::fits:
      break;
  }
  make_room(datagram, kMaxHeader + size_t{piece.end()}, counters);
  insert(datagram, ip, piece);
  if (!complete(datagram)) {
    return false;
  }
  // The header that counts is the first fragment's, which may be the longest.
  if (datagram.header_length + datagram.total > kMaxDatagram + (ip.v6 ? kIpv6HeaderSize : 0)) {
    counters.fragments_dropped += datagram.pieces.size();
    poison(datagram);
    return false;
  }
  whole = rebuild(datagram);
  whole_.add({datagram.source, datagram.destination, datagram.id, datagram.protocol, datagram.v6, time_ns},
             [](const Whole&) { return false; });
  close(datagram);
  return true;
}

Reassembler::Datagram& Reassembler::find_or_open(const IpHeader& ip, int64_t time_ns, Counters& counters) {
  Datagram* free = nullptr;
  Datagram* oldest = &datagrams_[0];
  for (Datagram& datagram : datagrams_) {
    if (!datagram.open) {
      free = &datagram;
      continue;
    }
    if (is_of(datagram, ip)) {
      if (time_ns - datagram.time_ns <= (datagram.echo ? kEcho_ns : kLifetime_ns)) {
        return datagram;
      }
      // An id that came round again.
      counters.fragments_dropped += datagram.echo ? 0 : datagram.pieces.size();
      close(datagram);
      free = &datagram;
      break;
    }
    if (!oldest->open || datagram.begun < oldest->begun) {
      oldest = &datagram;
    }
  }
  if (free == nullptr) {
    counters.fragments_dropped += oldest->echo ? 0 : oldest->pieces.size();
    close(*oldest);
    free = oldest;
  }
  free->open = true;
  free->echo = just_whole(ip, time_ns);
  free->source = ip.source;
  free->destination = ip.destination;
  free->id = ip.fragment->id;
  free->protocol = ip.protocol;
  free->v6 = ip.v6;
  free->begun = next_++;
  free->time_ns = time_ns;
  return *free;
}

bool Reassembler::just_whole(const IpHeader& ip, int64_t time_ns) const {
  return whole_.find([&](const Whole& whole) {
    return is_of(whole, ip) && time_ns - whole.time_ns <= kEcho_ns;
  }) != nullptr;
}

Reassembler::Fit Reassembler::fit(const Datagram& datagram, const IpHeader& ip, const Piece& piece) const {
  const IpHeader::Fragment& fragment = *ip.fragment;
  const uint32_t fixed = ip.v6 ? kIpv6HeaderSize : 0;
  const bool too_long = uint64_t{fragment.header_length} - fixed + piece.offset + piece.length > kMaxDatagram;
  if (piece.length == 0 || too_long || fragment.header_length > kMaxHeader) {
    return Fit::contradicts;
  }
  // Every fragment but the last holds a multiple of eight bytes.
  if (fragment.more && (piece.length % 8 != 0 || (datagram.total != 0 && piece.end() >= datagram.total))) {
    return Fit::contradicts;
  }
  if (!fragment.more && ((datagram.total != 0 && datagram.total != piece.end()) ||
                         (!datagram.pieces.empty() && datagram.pieces.back().end() > piece.end()))) {
    return Fit::contradicts;
  }
  const auto next = std::lower_bound(datagram.pieces.begin(), datagram.pieces.end(), piece.offset,
                                     [](const Piece& a, uint32_t offset) { return a.offset < offset; });
  if (next != datagram.pieces.end() && next->offset == piece.offset && next->length == piece.length) {
    const uint32_t known = std::min(next->captured, piece.captured);
    const auto held = datagram.buffer.begin() + kMaxHeader + piece.offset;
    return std::equal(held, held + known, ip.payload.captured.begin()) ? Fit::repeats : Fit::contradicts;
  }
  const bool overlaps = (next != datagram.pieces.end() && next->offset < piece.end()) ||
                        (next != datagram.pieces.begin() && std::prev(next)->end() > piece.offset);
  return overlaps || datagram.pieces.size() == kMaxFragments ? Fit::contradicts : Fit::fits;
}

void Reassembler::insert(Datagram& datagram, const IpHeader& ip, const Piece& piece) {
  const size_t needed = kMaxHeader + size_t{piece.end()};
  if (datagram.buffer.size() < needed) {
    bytes_ += needed - datagram.buffer.size();
    datagram.buffer.resize(needed);
  }
  const Bytes data = ip.payload.captured;
  std::copy(data.begin(), data.end(), datagram.buffer.begin() + kMaxHeader + piece.offset);
  datagram.pieces.insert(std::upper_bound(datagram.pieces.begin(), datagram.pieces.end(), piece,
                                          [](const Piece& a, const Piece& b) { return a.offset < b.offset; }),
                         piece);
  if (!ip.fragment->more) {
    datagram.total = piece.end();
  }
  if (piece.offset == 0) {
    datagram.protocol = ip.protocol;
    datagram.header_length = ip.fragment->header_length;
    datagram.protocol_at = ip.fragment->protocol_at;
    std::copy_n(ip.datagram.captured.begin(), datagram.header_length,
                datagram.buffer.begin() + kMaxHeader - datagram.header_length);
  }
}

bool Reassembler::complete(const Datagram& datagram) const {
  if (datagram.total == 0 || datagram.header_length == 0) {
    return false;
  }
  // Nothing overlaps and nothing lies behind the end: the lengths say so.
  uint32_t sum = 0;
  for (const Piece& piece : datagram.pieces) {
    sum += piece.length;
  }
  return sum == datagram.total;
}

Stretch Reassembler::rebuild(Datagram& datagram) {
  uint32_t captured = 0;
  for (const Piece& piece : datagram.pieces) {
    captured += piece.captured;
    if (piece.captured < piece.length) {
      break;
    }
  }
  bytes_ -= datagram.buffer.size();
  delivered_.swap(datagram.buffer);
  datagram.buffer.clear();

  uint8_t* header = delivered_.data() + kMaxHeader - datagram.header_length;
  if (datagram.v6) {
    header[datagram.protocol_at] = datagram.protocol;
    put16(header + 4, datagram.header_length - kIpv6HeaderSize + datagram.total);
  } else {
    put16(header + 2, datagram.header_length + datagram.total);
    put16(header + 6, (header[6] & 0x40u) << 8);  // "don't fragment" may stand; offset and MF go
  }
  return Stretch(Bytes(header, datagram.header_length + captured),
                 uint64_t{datagram.header_length} + datagram.total);
}

// Gives up the oldest datagrams until this one's buffer may grow to `bytes`.
void Reassembler::make_room(const Datagram& keep, size_t bytes, Counters& counters) {
  while (bytes > keep.buffer.size() && bytes_ - keep.buffer.size() + bytes > kMaxBytes) {
    Datagram* oldest = nullptr;
    for (Datagram& datagram : datagrams_) {
      if (&datagram != &keep && !datagram.buffer.empty() &&
          (oldest == nullptr || datagram.begun < oldest->begun)) {
        oldest = &datagram;
      }
    }
    if (oldest == nullptr) {
      return;  // cannot be: one datagram is smaller than kMaxBytes
    }
    counters.fragments_dropped += oldest->pieces.size();
    close(*oldest);
  }
}

void Reassembler::poison(Datagram& datagram) {
  release(datagram);
  datagram.poisoned = true;
}

void Reassembler::close(Datagram& datagram) {
  release(datagram);
  datagram.open = false;
  datagram.poisoned = false;
  datagram.total = 0;
  datagram.header_length = 0;
}

void Reassembler::release(Datagram& datagram) {
  bytes_ -= datagram.buffer.size();
  datagram.pieces.clear();
  datagram.buffer.clear();
  if (datagram.buffer.capacity() > kKeptCapacity) {
    datagram.buffer = {};
  }
}

}  // namespace steertag::link
