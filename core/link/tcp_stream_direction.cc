// What waits of one direction of a TCP connection, and where it stands.
#include <algorithm>
#include <utility>

#include "link/tcp_stream.h"

namespace steertag::link {

void TcpStream::Direction::start(uint32_t sequence, bool is_start) {
  known = true;
  from_start = is_start;
  first_sequence = next_sequence = sequence;
}

uint64_t TcpStream::Direction::reached() const {
  const uint64_t passed = std::max(next, acked);
  return waiting() ? std::max(passed, held.back().bytes.end()) : passed;
}

void TcpStream::Direction::advance(uint64_t to) {
  next_sequence += static_cast<uint32_t>(to - next);
  next = to;
}

// Stream offset of a sequence number, taken as the nearest to `next`.
uint64_t TcpStream::Direction::place(uint32_t sequence, int64_t& distance) const {
  distance = static_cast<int32_t>(sequence - next_sequence);
  return next + static_cast<uint64_t>(distance);  // below zero: huge, the caller looks at distance first
}

// Is this a duplicate of what waits already?
bool TcpStream::Direction::holds(const StreamBytes& bytes, bool fin) const {
  const auto place = std::upper_bound(held.begin() + static_cast<ptrdiff_t>(head), held.end(), bytes.offset,
                                      [](uint64_t offset, const Held& h) { return offset < h.bytes.offset; });
  if (place == held.begin() + static_cast<ptrdiff_t>(head)) {
    return false;
  }
  const Held& before = *(place - 1);
  return before.bytes.end() >= bytes.end() && (before.fin || !fin);
}

void TcpStream::Direction::hold(const StreamBytes& bytes, uint64_t cause, bool fin) {
  const auto place = std::upper_bound(held.begin() + static_cast<ptrdiff_t>(head), held.end(), bytes.offset,
                                      [](uint64_t offset, const Held& h) { return offset < h.bytes.offset; });
  Held item;
  if (!spare.empty()) {
    item.copy = std::move(spare.back());
    spare.pop_back();
    spare_bytes -= item.copy.capacity();
  }
  item.copy.assign(bytes.captured.begin(), bytes.captured.end());
  item.bytes = bytes;
  item.bytes.captured = item.copy;  // stays good: moving a vector keeps its bytes in place
  item.cause = cause;
  item.fin = fin;
  held_bytes += item.copy.size();
  held.insert(place, std::move(item));
}

void TcpStream::Direction::drop_head() {
  Held& item = held[head];
  held_bytes -= item.copy.size();
  if (spare_bytes + item.copy.capacity() <= kMaxSpareBytes) {
    spare_bytes += item.copy.capacity();
    spare.push_back(std::move(item.copy));
  } else {
    std::vector<uint8_t>().swap(item.copy);
  }
  ++head;
  if (head == held.size()) {
    held.clear();
    head = 0;
  } else if (head >= 256 && head > held.size() / 2) {
    held.erase(held.begin(), held.begin() + static_cast<ptrdiff_t>(head));
    head = 0;
  }
}

}  // namespace steertag::link
