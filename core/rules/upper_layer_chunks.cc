// What chunks carry, by the walks of upper_layer.cc and the bindings of RFC 8267.

#include <absl/container/inlined_vector.h>
#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "nfs/cursor.h"
#include "rpcrdma/programs.h"
#include "rules/upper_layer.h"

namespace steertag::rules {

bool crosswise(const nfs::ReplyWalk& walk, std::span<const uint64_t> returned) {
  absl::InlinedVector<uint64_t, 8> counts, lengths;
  for (const nfs::Item& item : walk.items) {
    if (item.placed == nfs::Placed::in_chunk) {
      counts.push_back(item.count);
      lengths.push_back(returned[item.chunk]);
    }
  }
  if (counts.size() < 2 || counts == lengths) {
    return false;
  }
  std::sort(counts.begin(), counts.end());
  std::sort(lengths.begin(), lengths.end());
  return counts == lengths;
}

std::optional<size_t> UpperLayer::short_write_chunk() {
  const auto& advertised = exchange_->call_message.header.chunks.writes;
  const nfs::CallWalk* walk = advertised.empty() ? nullptr : call();
  for (size_t i = 0; walk != nullptr && i < std::min(advertised.size(), walk->wanted.size()); ++i) {
    const uint32_t most = walk->wanted[i].most;
    // An empty chunk says that the result is to come inline (RFC 8267 §6.4.1).
    if (advertised[i].length() != 0 && most != nfs::Wanted::kUnbounded && advertised[i].length() < most) {
      return i;
    }
  }
  return std::nullopt;
}

uint64_t UpperLayer::reply_length() const {
  const flow::KeptMessage& reply_message = exchange_->reply_message;
  return reply_message.header.is_nomsg() ? reply_message.header.chunks.reply_length()
                                         : exchange_->reply_inline_length;
}

std::optional<size_t> UpperLayer::first_used() {
  const auto chunks = returned();
  const auto used = std::find_if(chunks.begin(), chunks.end(), [](uint64_t bytes) { return bytes != 0; });
  return used != chunks.end() ? std::optional(static_cast<size_t>(used - chunks.begin())) : std::nullopt;
}

Misfit UpperLayer::misfit() {
  using Kind = Misfit::Kind;
  const nfs::ReplyWalk* walk = results() == nfs::Eligible::some ? reply() : nullptr;
  const bool read =
      !exchange_->reply_message.header.chunks.reads.empty();  // RFC 5666 §3.5: a part is elsewhere
  const bool padded = exchange_->reply_message.header.padding.has_value();  // has readings of its own
  if (walk == nullptr || walk->complete() || !walk->contradicted || read || padded) {
    return {};
  }
  // A Long Message of the wrong length is that in the first place.
  const bool ends = walk->reason == nfs::Reason::past_end || walk->reason == nfs::Reason::trailing;
  if (exchange_->reply_message.header.is_nomsg() && ends) {
    return {};
  }
  const std::optional<size_t> used = first_used();
  if (!used) {
    const nfs::Item& last = walk->items.back();  // the one that the walk ended in, where it ended in any
    const bool runs_off = last.position + nfs::padded(last.count) > reply_length();
    const rpcrdma::ChunkLists& advertised = exchange_->call_message.header.chunks;
    const size_t place = walk->items.size() - 1;
    const bool room = place < advertised.writes.size() && advertised.writes[place].length() >= last.count;
    const bool beside = walk->reason == nfs::Reason::past_end && runs_off && room;
    return {beside ? Kind::beside : Kind::rest, place, place, last};
  }
  // By its place (RFC 8267 §6.4.1), or one behind it that took the chunk of an empty one (RFC 8166 §4.3.2.2).
  size_t result = *used;
  while (result < walk->items.size() && walk->items[result].count == 0) {
    ++result;
  }
  if (result >= walk->items.size()) {
    return {.kind = Kind::rest};
  }
  const nfs::Item& item = walk->items[result];
  const uint64_t bytes = returned()[*used];
  const bool as_well = item.position + nfs::padded(item.count) <= reply_length();
  const Kind kind = bytes != item.count && bytes != nfs::padded(item.count) ? Kind::length
                    : as_well                                               ? Kind::beside
                                                                            : Kind::rest;
  return {kind, *used, result, item};
}

namespace {

void collect(const rpcrdma::ChunkLists& from, base::List<ReadChunk>& chunks) {
  chunks.clear();
  for (const rpcrdma::ReadSegment& segment : from.reads) {
    const uint32_t length = segment.target.length;
    if (segment.position != 0 && length != 0) {
      chunks.push_back({segment.position, length, length, segment.at, ReadChunk::Carries::unknown, 0});
    }
  }
  std::sort(chunks.begin(), chunks.end(), [](const ReadChunk& x, const ReadChunk& y) {
    return std::tie(x.position, x.at.offset) < std::tie(y.position, y.at.offset);
  });
  // Segments at one Position are one chunk.
  ReadChunk* joined = chunks.begin();
  for (const ReadChunk& next : chunks) {
    if (&next == chunks.begin()) {
      continue;
    }
    if (next.position == joined->position) {
      joined->length += next.length;
      joined->last = next.last;
    } else {
      *++joined = next;
    }
  }
  while (!chunks.empty() && &chunks.back() != joined) {
    chunks.drop_last();
  }
}

// What stands in front of a chunk shows whether an item begins at its Position.
// Behind the first chunk that is not what it should be, nothing is known.
void match(const nfs::Walk& walk, base::List<ReadChunk>& chunks) {
  for (ReadChunk& chunk : chunks) {
    bool passed = walk.offset >= chunk.position || walk.operations_walked();
    for (const nfs::Item& item : walk.items) {
      if (item.position == chunk.position) {
        chunk.carries = ReadChunk::Carries::item;
        chunk.count = item.count;
      }
      passed |= item.position < chunk.position && chunk.position - item.position < nfs::padded(item.count);
    }
    if (chunk.carries == ReadChunk::Carries::unknown && passed && chunk.position % 4 == 0) {
      chunk.carries = ReadChunk::Carries::no_item;
    }
    if (chunk.carries != ReadChunk::Carries::item || nfs::padded(chunk.length) != nfs::padded(chunk.count)) {
      return;
    }
  }
}

}  // namespace

const base::List<ReadChunk>& UpperLayer::read_chunks() {
  if (!chunks_known_) {
    chunks_known_ = true;
    collect(exchange_->call_message.header.chunks, chunks_);
    if (const nfs::CallWalk* walk = chunks_.empty() ? nullptr : call()) {
      match(*walk, chunks_);
    }
  }
  return chunks_;
}

const base::List<ReadChunk>& UpperLayer::result_chunks() {
  if (!result_chunks_known_) {
    result_chunks_known_ = true;
    collect(exchange_->reply_message.header.chunks, result_chunks_);
    if (const nfs::ReplyWalk* walk = result_chunks_.empty() ? nullptr : reply()) {
      match(*walk, result_chunks_);
    }
  }
  return result_chunks_;
}

const std::optional<nfs::Binding>& UpperLayer::binding() {
  if (!binding_known_) {
    binding_known_ = true;
    binding_ = find_binding();
  }
  return binding_;
}

std::optional<nfs::Binding> UpperLayer::find_binding() {
  const rpcrdma::RpcHeader* call = header();
  if (call == nullptr) {
    return std::nullopt;
  }
  if (nfs::hidden(*call)) {
    // The tokens of a context that is made or ended are no data items (RFC 8166 §8.2.2).
    const auto gss = rpcrdma::gss_credential(call->credential);
    const bool control = gss && gss->proc != rpcrdma::GssProc::data;
    return control ? std::optional<nfs::Binding>({nfs::Eligible::none, nfs::Eligible::none}) : std::nullopt;
  }
  return nfs::binding(call->program, call->version, call->procedure);
}

nfs::Eligible UpperLayer::arguments() {
  const std::optional<nfs::Binding>& known = binding();
  if (!known || known->arguments != nfs::Eligible::by_operation) {
    return known ? known->arguments : nfs::Eligible::unknown;
  }
  if (const nfs::CallWalk* walk = call(); walk != nullptr) {
    if (!walk->items.empty()) {
      return nfs::Eligible::some;
    }
    if (walk->operations_walked()) {
      return nfs::Eligible::none;
    }
  }
  // A chunk in the middle of something derails the walk. Where the inline bytes
  // alone are a whole COMPOUND, nothing was taken out of it.
  const nfs::CallWalk* reduced = walk_reduced();
  return !reduced->items.empty() ? nfs::Eligible::some
         : reduced->complete()   ? nfs::Eligible::none
                                 : nfs::Eligible::unknown;
}

nfs::Eligible UpperLayer::results() {
  const std::optional<nfs::Binding>& known = binding();
  if (!known || known->results != nfs::Eligible::by_operation) {
    return known ? known->results : nfs::Eligible::unknown;
  }
  const nfs::CallWalk* walk = call();
  if (walk == nullptr) {
    return nfs::Eligible::unknown;
  }
  return walk->compound.reads != 0   ? nfs::Eligible::some
         : walk->operations_walked() ? nfs::Eligible::none
                                     : nfs::Eligible::unknown;
}

std::string UpperLayer::name() {
  const rpcrdma::RpcHeader* call = header();
  if (call == nullptr) {
    return {};
  }
  if (nfs::hidden(*call)) {
    return "RPCSEC_GSS context establishment";
  }
  std::string name = rpcrdma::name(call->program, call->version, call->procedure);
  if (nfs::is_compound(*call)) {
    const nfs::CallWalk* walk = this->call();
    if (walk == nullptr || (!walk->operations_walked() && walk_reduced()->complete())) {
      walk = walk_reduced();
    }
    std::string_view before = " of ";
    for (const uint32_t opcode : walk->compound.operations) {
      const std::string_view operation = nfs::operation_name(opcode, walk->compound.callback);
      if (operation.empty()) {
        break;  // unknown, or what a chunk in the wrong place left
      }
      name += fmt::format("{}{}", before, operation);
      before = ", ";
    }
  }
  return name;
}

}  // namespace steertag::rules
