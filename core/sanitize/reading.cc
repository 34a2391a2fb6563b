#include "sanitize/reading.h"

#include <algorithm>

#include "nfs/cursor.h"
#include "nfs/padded.h"
#include "nfs/status.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using nfs::Meaning;

namespace {

// Bytes of the count in front of what RPCSEC_GSS has wrapped (RFC 2203 §5.3.2).
constexpr uint32_t kCount = 4;

nfs::StatusPlace place_in_results(const flow::Exchange& x) {
  return x.procedure ? nfs::status_place(x.procedure->program, x.procedure->version, x.procedure->procedure)
                     : nfs::StatusPlace::none;
}

nfs::StatusPlace place_of_status(const flow::Exchange& x) {
  return x.answer && x.answer->succeeded() ? place_in_results(x) : nfs::StatusPlace::none;
}

// A chunk whose content is an RPC message, and not the data that one is about.
bool is_message(const flow::SegmentFlow& segment) {
  return segment.kind == flow::ChunkKind::reply || (flow::for_reading(segment.kind) && segment.position == 0);
}

// Whether a chunk of that kind has a Position that is no multiple of four (RFC 8166 §3.4.5). Its bytes, of a
// file, would complete words of the message.
bool splits_words(const flow::Exchange& x, flow::ChunkKind kind) {
  return std::any_of(x.segments.begin(), x.segments.end(), [kind](const flow::SegmentFlow& segment) {
    return segment.kind == kind && segment.position % kWord != 0;
  });
}

bool refuted(nfs::Reason reason) {
  switch (reason) {
    case nfs::Reason::past_end:
    case nfs::Reason::trailing:
    case nfs::Reason::other_operation:
    case nfs::Reason::unknown_arm:
    case nfs::Reason::unknown_operation:
    case nfs::Reason::derailed:
      return true;
    default:
      return false;
  }
}

// The walk came upon what cannot be, or a Read chunk has misled it, and it ended well by accident.
bool refuted(const nfs::Walk& walk) {
  return walk.derailment || refuted(walk.reason);
}

// What a walk over the inline bytes alone finds to be structure stays where these are in the whole message.
class InlineReading final : public nfs::Marks {
 public:
  void rewind(uint64_t /*offset*/) override { words_.clear(); }
  void mark(uint64_t offset, uint64_t /*length*/, Meaning meaning) override {
    if (meaning == Meaning::structure) {
      words_.push_back(offset);
    }
  }
  // The word that the walk stopped at is none.
  void drop_last() {
    if (!words_.empty()) {
      words_.pop_back();
    }
  }
  // Those that are less than `bound`: of larger ones nobody knows what they are.
  void keep_in(Disguise& disguise, std::span<const base::Stretch> stretches, Bytes inlined,
               uint32_t bound) const {
    uint64_t begin = 0;  // of the stretch, in the message
    for (const base::Stretch& stretch : stretches) {
      const bool apart = stretch.data.data() != inlined.data();
      const uint64_t end = apart ? 0 : stretch.at + stretch.length;
      auto word = std::lower_bound(words_.begin(), words_.end(),
                                   stretch.at - std::min<uint64_t>(stretch.at, kWord - 1));
      for (; word != words_.end() && *word < end; ++word) {
        const Bytes run = slice(inlined, *word, kWord);
        if (run.size() < kWord || wire::big_endian<uint32_t>(run.data()) >= bound) {
          continue;
        }
        const uint64_t from = std::max(*word, stretch.at), to = std::min(*word + kWord, end);
        disguise.keep(begin + (from - stretch.at), to - from);
      }
      begin += stretch.length;
    }
  }

 private:
  std::vector<uint64_t> words_;  // offsets of words, ascending
};

}  // namespace

bool begins_with_status(const flow::Exchange& x) {
  return place_of_status(x) == nfs::StatusPlace::first;
}

bool shows_status(const flow::Message& message) {
  if (message.direction != flow::Direction::reply || message.rpc == nullptr || !message.rpc->succeeded()) {
    return false;
  }
  const flow::Exchange* open = message.standing->open;
  return open != nullptr && place_in_results(*open) == nfs::StatusPlace::first;
}

void Reading::clear() {
  call_.clear();
  wrapped_ = other_program_ = false;
  integrity_.reset();
}

std::optional<size_t> Reading::carrier(const base::Stretch& stretch) const {
  const auto found = carriers_.find(stretch.data.data());
  return found == carriers_.end() ? std::nullopt : std::optional(found->second);
}

// Of the message that is laid out.
Disguise Reading::disguise_of(const flow::Exchange& x) {
  carriers_.clear();
  for (size_t i = 0; i < x.segments.size(); ++i) {
    if (const Bytes data = x.segments[i].data(); !data.empty()) {
      carriers_.emplace(data.data(), i);
    }
  }
  Disguise disguise(key_, stretches());
  for (size_t i = 0; i < stretches().size(); ++i) {
    const std::optional<size_t> segment = carrier(stretches()[i]);
    if (segment && !is_message(x.segments[*segment])) {
      disguise.carries_data(i);
    }
  }
  return disguise;
}

// Of the message that is laid out, whose header the disguise has then, and hears of the rest.
nfs::Stream Reading::begin_walk(uint32_t xid, Disguise& disguise) const {
  nfs::Stream stream(stretches(), layout_.length());
  stream.behind = base::Behind::read;
  stream.chunks = layout_.chunks();
  disguise.take_header(stream, xid);
  stream.marks = &disguise;
  return stream;
}

std::optional<Disguise> Reading::call(const flow::Exchange& x, const Front& front) {
  if (front.hidden || splits_words(x, flow::ChunkKind::read) ||
      !flow::lay_out_call(x, layout_)) {  // then only what is inline is read
    layout_.clear();
    layout_.append({x.call_inline, nullptr, x.call_inline_length, 0});
  }
  if (stretches().empty()) {
    return std::nullopt;
  }
  Disguise disguise = disguise_of(x);
  const nfs::Stream stream = begin_walk(x.xid, disguise);
  const uint64_t begin = disguise.done();
  if (front.padding) {
    nfs::walk_padded_call(stream, *front.padding, front.header_length, call_);
  } else {
    nfs::walk_call(stream, call_);
  }
  wrapped_ = call_.header_known && rpcrdma::wrapped(call_.rpc.credential);
  wrapped_ ? read_wrapped_call(disguise, stream) : leave_other_program(disguise, begin);
  if (call_.derailment && !call_.complete() && !other_program_) {
    disguise.rewind(call_.derailment->at);
  }
  if (refuted(call_) || call_.reason == nfs::Reason::ambiguous) {
    disguise.doubt(call_);
  }
  disguise.finish();
  if (!wrapped_ && nfs::is_compound(call_.rpc) && call_.derailment && !call_.operations_walked()) {
    read_reduced_call(x, disguise);
  }
  return disguise;
}

// Of its arguments, which begin there, what was read as those of a callback is something else.
void Reading::leave_other_program(Disguise& disguise, uint64_t begin) {
  other_program_ = call_.reason == nfs::Reason::unknown_program && refuted(call_.no_callback);
  if (other_program_) {
    disguise.rewind(begin);
  }
}

bool Reading::numbered(const nfs::Stream& stream, uint64_t count) const {
  nfs::Stream silent = stream;
  silent.marks = nullptr;
  nfs::Walk scratch;
  nfs::Cursor at(silent, count + kCount, scratch);
  const uint32_t number = at.word();
  return !at.stopped() && number == integrity_;
}

void Reading::read_wrapped_call(Disguise& disguise, const nfs::Stream& stream) {
  disguise.mark(call_.offset, kCount, Meaning::structure);
  if (nfs::open_to_read(call_.rpc)) {
    integrity_ = rpcrdma::gss_credential(call_.rpc.credential)->seq;
  }
  if (!numbered(stream, call_.offset)) {
    return;
  }
  if (auto inside = nfs::inside_integrity(stream, call_.offset)) {
    disguise.mark(call_.offset, inside->header_length - call_.offset, Meaning::structure);
    header_ = call_.rpc;
    header_.credential.flavor = rpcrdma::Flavor::none;
    inside->header = &header_;
    nfs::walk_call(*inside, call_);
    leave_other_program(disguise, inside->header_length);
  }
}

// A chunk in the midst of something derails the walk; without it the COMPOUND may be whole.
void Reading::read_reduced_call(const flow::Exchange& x, Disguise& disguise) {
  InlineReading inlined;
  nfs::Stream stream(x.call_inline, nullptr, x.call_inline_length);
  stream.marks = &inlined;
  stream.chunks = layout_.chunks();  // its items are in these
  stream.apart = true;
  nfs::walk_call(stream, reduced_);
  uint32_t bound = kLeastHuge;
  if (refuted(reduced_)) {
    inlined.drop_last();
    bound = kLeastCount;
  }
  inlined.keep_in(disguise, stretches(), x.call_inline, bound);
}

std::optional<Disguise> Reading::reply(const flow::Exchange& x, const Front& front) {
  if (front.hidden || splits_words(x, flow::ChunkKind::result) || !flow::lay_out_reply(x, layout_) ||
      stretches().empty()) {
    return std::nullopt;
  }
  Disguise disguise = disguise_of(x);
  const nfs::Stream stream = begin_walk(x.xid, disguise);
  if (wrapped_) {
    read_wrapped_reply(x, front, disguise, stream);
  } else if (other_program_) {
    reply_.clear();
  } else if (front.padding) {
    nfs::walk_padded_reply(stream, *front.padding, front.header_length, call_, front.returned, reply_);
  } else {
    nfs::walk_reply(stream, call_, front.returned, reply_);
  }
  if (reply_.derailment && !reply_.complete()) {
    disguise.rewind(reply_.derailment->at);
  }
  if (reply_.reason == nfs::Reason::call_unknown || reply_.reason == nfs::Reason::unknown_program) {
    keep_status(x, disguise, stream);
  }
  if (refuted(reply_)) {
    disguise.doubt(reply_);
  }
  // Where an item and what follows it are is not known.
  if (reply_.reason == nfs::Reason::ambiguous && !reply_.items.empty()) {
    disguise.rewind(reply_.items[0].position);
  }
  disguise.finish();
  return disguise;
}

void Reading::read_wrapped_reply(const flow::Exchange& x, const Front& front, Disguise& disguise,
                                 const nfs::Stream& stream) {
  reply_.clear();
  if (!nfs::read_header(stream, header_, reply_) || !header_.succeeded()) {
    return;
  }
  const uint64_t begin = reply_.offset;
  disguise.mark(begin, kCount, Meaning::structure);
  if (!numbered(stream, begin)) {
    return;
  }
  if (auto inside = nfs::inside_integrity(stream, begin)) {
    disguise.mark(begin, inside->header_length - begin, Meaning::structure);
    inside->header = &header_;
    if (!other_program_) {
      nfs::walk_reply(*inside, call_, front.returned, reply_);
    }
  } else if (begins_with_status(x)) {
    // The length, which is wrong, and the sequence number come before it.
    disguise.mark(begin + kCount, kCount, Meaning::structure);
    disguise.keep_status(begin + 2 * kCount);
  }
}

// How MOUNT and NLM answered, and NFS where the Call's credential was cut, is read without a walk.
void Reading::keep_status(const flow::Exchange& x, Disguise& disguise, const nfs::Stream& stream) {
  const nfs::StatusPlace place = place_of_status(x);
  if (place == nfs::StatusPlace::none) {
    return;
  }
  const uint64_t begin = reply_.offset;
  reply_.Walk::clear();
  nfs::Cursor at(stream, begin, reply_);
  if (place == nfs::StatusPlace::after_cookie) {
    at.opaque();
  }
  if (!at.stopped()) {
    disguise.keep_status(reply_.offset);
  }
}

}  // namespace steertag::sanitize
