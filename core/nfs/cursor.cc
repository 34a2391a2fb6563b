#include "nfs/cursor.h"

#include <algorithm>

#include "base/digest.h"
#include "wire/reader.h"

namespace steertag::nfs {

Cursor::Cursor(const Stream& stream, uint64_t offset, Walk& walk, Pairing* pairing)
    : stream_(stream), walk_(walk), pairing_(pairing), bytes_(stream.stretches(), stream.behind) {
  walk_.offset = offset;
  find_limit();
  if (stream_.marks != nullptr) [[unlikely]] {
    stream_.marks->rewind(offset);
  }
}

void Cursor::stop(Reason reason) {
  if (!stopped()) {
    walk_.reason = reason;
  }
}

uint32_t Cursor::word() {
  return read_word(Meaning::structure);
}

// What cannot fit into the message ends the walk here, not somewhere among the elements.
uint32_t Cursor::count(uint32_t least) {
  const uint32_t value = word();
  if (!stopped() && uint64_t{value} * least > stream_.length - walk_.offset) {
    stop(Reason::past_end);
  }
  return stopped() ? 0 : value;
}

uint32_t Cursor::number(Meaning meaning) {
  return read_word(meaning);
}

uint32_t Cursor::read_word(Meaning meaning) {
  if (stopped()) {
    return 0;
  }
  const uint64_t at = walk_.offset;
  pass(4, meaning);
  if (stopped()) {
    return 0;
  }
  const Bytes run = bytes_.run(at, 4);
  return run.size() == 4 ? wire::big_endian<uint32_t>(run.data()) : word_in_pieces(at);
}

uint32_t Cursor::word_in_pieces(uint64_t at) {
  uint32_t value = 0;
  for (uint64_t end = at + 4; at != end; ++at) {
    const Bytes byte = bytes_.run(at, 1);
    if (byte.empty()) {
      walk_.offset = end - 4;
      stop(Reason::not_captured);
      return 0;
    }
    value = value << 8 | byte[0];
  }
  return value;
}

bool Cursor::flag() {
  const uint32_t value = word();
  if (value > 1) {
    stop(Reason::unknown_arm);
  }
  return value == 1;
}

void Cursor::status() {
  if (seen_word().value_or(0) >= kLeastNoStatus) {
    stop(Reason::unknown_arm);
  }
}

void Cursor::skip(uint64_t count, Meaning meaning) {
  pass(count, meaning);
}

void Cursor::numbers(uint64_t count, Meaning meaning) {
  pass(count, meaning);
}

void Cursor::pass(uint64_t count, Meaning meaning) {
  if (stopped()) {
    return;
  }
  if (walk_.offset + count > limit_) [[unlikely]] {
    meet_limit(count, meaning);
    if (stopped()) {
      return;
    }
  }
  if (stream_.marks != nullptr) [[unlikely]] {
    stream_.marks->mark(walk_.offset, count, meaning);
  }
  walk_.offset += count;
}

void Cursor::find_limit() {
  const bool more = !stream_.apart && chunks_left();
  limit_ = more ? std::min(stream_.chunks[next_chunk_].at, stream_.length) : stream_.length;
}

void Cursor::meet_limit(uint64_t count, Meaning meaning) {
  if (!stream_.apart && chunks_left()) {
    meet_chunk(count, meaning);
  }
  if (walk_.offset > stream_.length || count > stream_.length - walk_.offset) {
    stop(Reason::past_end);
  }
}

// RFC 8166 §3.4.5: a Read chunk is in the place of one item, padded or not.
void Cursor::meet_chunk(uint64_t count, Meaning meaning) {
  const PlacedChunk& chunk = stream_.chunks[next_chunk_];
  const bool one_item =
      meaning == Meaning::item && chunk.at == walk_.offset && padded(chunk.length) == padded(count);
  if (!one_item && !walk_.derailment) {
    const uint32_t operations = walk_.opcode != 0 ? walk_.operation + 1 : 0;
    walk_.derailment =
        Derailment{chunk.at, operations, walk_.wanted.size(), walk_.most_listed, walk_.back_channel};
  }
  while (chunks_left() && stream_.chunks[next_chunk_].at < walk_.offset + count) {
    ++next_chunk_;
  }
  find_limit();
}

// Without the chunks in their places: the next one may be this item's if it is where the item is, or as long.
bool Cursor::taken_out(uint32_t count) {
  if (!stream_.apart || !chunks_left()) {
    return false;
  }
  const PlacedChunk& chunk = stream_.chunks[next_chunk_];
  if (chunk.at != walk_.offset + taken_out_ && padded(chunk.length) != padded(count)) {
    return false;
  }
  taken_out_ += padded(chunk.length);
  ++next_chunk_;
  return true;
}

void Cursor::skip_pad(uint64_t count) {
  const Stream::Pad& pad = stream_.pad;
  if (stopped() || pad.align < 2 || count == 0 || count < pad.least) {
    return;
  }
  const uint64_t at = walk_.offset;
  const uint64_t length = (pad.align - (pad.front + at) % pad.align) % pad.align;
  pass(length, Meaning::pad);
  if (length != 0 && !stopped()) {
    walk_.pads.add() = Range{static_cast<uint32_t>(at), static_cast<uint32_t>(length)};
  }
}

void Cursor::opaque(Meaning meaning) {
  const uint32_t count = word();
  skip_pad(count);
  pass(count, meaning);
  pass(padded(count) - count, Meaning::pad);
}

void Cursor::item(ItemKind kind) {
  const uint32_t count = word();
  if (stopped()) {
    return;
  }
  Item& item = walk_.items.add();
  item = {kind, walk_.operation, walk_.offset, count, Placed::in_stream, 0, false};
  if (pairing_ != nullptr) {
    pairing_->place(item);
  }
  if (taken_out(count)) {
    return;
  }
  if (item.placed != Placed::in_chunk) {
    skip_pad(count);
    item.position = walk_.offset;
    pass(count, Meaning::item);
    pass(padded(count) - count, Meaning::pad);
  } else if (item.pad_inline) {
    pass(padded(count) - count, Meaning::pad);
  }
}

void Cursor::want(ItemKind kind, uint32_t most) {
  if (!stopped()) {
    walk_.wanted.push_back({kind, walk_.operation, most});
  }
}

void Cursor::want_listed(uint32_t most) {
  walk_.most_listed += stopped() ? 0 : most;
}

void Cursor::back_channel(const BackChannel& sizes) {
  if (!stopped()) {
    walk_.back_channel = sizes;
  }
}

std::optional<uint32_t> Cursor::seen_word() {
  const uint64_t at = walk_.offset;
  pass(4, Meaning::number);
  const Bytes run = stopped() ? Bytes() : bytes_.run(at, 4);
  return run.size() == 4 ? std::optional(wire::big_endian<uint32_t>(run.data())) : std::nullopt;
}

SessionStep& Cursor::step() {
  const size_t known = walk_.sessions.size();
  if (known == 0 || walk_.sessions[known - 1].operation != walk_.operation) {
    walk_.sessions.push_back({walk_.operation, walk_.opcode, {}, {}});
  }
  return walk_.sessions[walk_.sessions.size() - 1];
}

void Cursor::session() {
  const uint64_t at = walk_.offset;
  pass(session_id_length, Meaning::fixed);
  if (!stopped()) {
    const Bytes run = bytes_.run(at, session_id_length);
    step().session = run.size() == session_id_length ? std::optional(base::digest(run)) : std::nullopt;
  }
}

void Cursor::said_of_session() {
  const std::optional<uint32_t> said = seen_word();
  if (!stopped()) {
    step().said = said;
  }
}

void Cursor::session_destroyed() {
  if (seen_word() == 0u && !stopped()) {
    step();
  }
}

void Cursor::enter(uint32_t operation, uint32_t opcode, std::string_view name) {
  if (!stopped()) {
    walk_.operation = operation;
    walk_.opcode = opcode;
    walk_.name = name;
    if (stream_.marks != nullptr) [[unlikely]] {
      stream_.marks->enter(operation);
    }
  }
}

void Cursor::end() {
  if (stopped() || walk_.offset == stream_.length) {
    return;
  }
  walk_.left = stream_.length - walk_.offset;
  bool zero = true;
  uint64_t at = walk_.offset;
  for (Bytes run; at != stream_.length; at += run.size()) {
    run = bytes_.run(at, stream_.length - at);
    if (run.empty()) {
      break;
    }
    zero &= std::all_of(run.begin(), run.end(), [](uint8_t byte) { return byte == 0; });
  }
  if (at == stream_.length) {
    walk_.left_zero = zero;
  }
  stop(Reason::trailing);
}

}  // namespace steertag::nfs
