#include "rules/upper_layer.h"

#include <absl/container/inlined_vector.h>
#include <fmt/core.h>

#include <algorithm>

#include "nfs/cursor.h"
#include "rpcrdma/programs.h"
#include "rules/reading.h"

namespace steertag::rules {
namespace {

size_t count_results(const flow::Exchange& exchange) {
  return static_cast<size_t>(std::count_if(
      exchange.segments.begin(), exchange.segments.end(),
      [](const flow::SegmentFlow& segment) { return segment.kind == flow::ChunkKind::result; }));
}

// Every segment of the Call is followed by the Exchange; it follows so many and no more.
bool followed(const flow::Exchange& exchange) {
  return exchange.call_message.header.chunks.segments() == exchange.segments.size() - count_results(exchange);
}

// A payload conveyed twice leaves open what the message is; so do Read chunks of an RDMA_MSGP, of whose
// Positions nobody has said whether they count the pad.
bool one_payload(const flow::Exchange& exchange) {
  const rpcrdma::TransportHeader& header = exchange.call_message.header;
  return (!header.padding || header.chunks.reads.empty()) &&
         header.chunks.has_position_zero() == header.is_nomsg();
}

nfs::Stream laid_out(const flow::Layout& layout) {
  nfs::Stream stream(layout.stretches(), layout.length());
  stream.chunks = layout.chunks();
  return stream;
}

}  // namespace

Outcome legible(const flow::KeptMessage& leg) {
  return leg.kept ? whole(leg.decoded) : Outcome::not_applicable;
}

void UpperLayer::begin(const flow::Exchange& exchange) {
  exchange_ = &exchange;
  call_walked_ = call_known_ = reply_walked_ = reply_known_ = reduced_walked_ = false;
  call_padded_ = reply_padded_ = true;
  call_walk_ = &call_;
  binding_known_ = returned_known_ = call_chunks_.known = reply_chunks_.known = false;
}

const rpcrdma::RpcHeader* UpperLayer::header() {
  const flow::KeptMessage& call_message = exchange_->call_message;
  if (!exchange_->call || legible(call_message) != Outcome::done) {
    return nullptr;
  }
  if (call_message.has_rpc) {
    return !call_message.rpc_decoded.stop && call_message.rpc.call() && call_message.rpc.rpcvers == 2
               ? &call_message.rpc
               : nullptr;
  }
  const nfs::CallWalk* walk = call_message.header.is_nomsg() ? call() : nullptr;
  return walk != nullptr && walk->header_known ? &walk->rpc : nullptr;
}

const nfs::CallWalk* UpperLayer::call() {
  if (!call_walked_) {
    call_walked_ = true;
    const flow::Exchange& x = *exchange_;
    call_known_ = x.call && legible(x.call_message) == Outcome::done && followed(x) && one_payload(x);
    if (call_known_ && x.call_message.header.padding) {
      call_padded_ =
          nfs::walk_padded_call({x.call_inline, nullptr, x.call_inline_length},
                                *x.call_message.header.padding, x.call_message.decoded.header_length, call_);
    } else if (call_known_ && x.call_message.header.chunks.reads.empty()) {
      if (x.subject.call_walk != nullptr) {
        call_walk_ = x.subject.call_walk;
      } else {
        nfs::walk_call(flow::with_header({x.call_inline, nullptr, x.call_inline_length}, x.call_message),
                       call_);
      }
    } else if (call_known_) {
      call_known_ = flow::lay_out_call(x, layout_);
      nfs::walk_call(flow::with_header(laid_out(layout_), x.call_message), call_);
    }
  }
  return call_known_ ? call_walk_ : nullptr;
}

// The Call's inline bytes as if nothing were missing from them.
const nfs::CallWalk* UpperLayer::walk_reduced() {
  if (!reduced_walked_) {
    reduced_walked_ = true;
    nfs::walk_call({exchange_->call_inline, nullptr, exchange_->call_inline_length}, reduced_);
  }
  return &reduced_;
}

const nfs::ReplyWalk* UpperLayer::reply() {
  if (!reply_walked_) {
    reply_walked_ = true;
    const flow::Exchange& x = *exchange_;
    const rpcrdma::TransportHeader& header = x.reply_message.header;
    const bool known = x.reply && legible(x.reply_message) == Outcome::done &&
                       (header.carries_payload() || header.is_nomsg());
    if (known && header.padding) {
      reply_known_ = header.chunks.reads.empty() && call() != nullptr;
      if (reply_known_) {
        reply_padded_ =
            nfs::walk_padded_reply({x.reply_inline, nullptr, x.reply_inline_length}, *header.padding,
                                   x.reply_message.decoded.header_length, *call_walk_, returned(), reply_);
      }
    } else if (known && header.is_msg() && header.chunks.reads.empty() && call() != nullptr) {
      reply_known_ = true;
      nfs::walk_reply(flow::with_header({x.reply_inline, nullptr, x.reply_inline_length}, x.reply_message),
                      *call_walk_, returned(), reply_);
    } else if (known && walkable_reply() && call() != nullptr && flow::lay_out_reply(x, layout_)) {
      reply_known_ = !header.chunks.reads.empty() || header.chunks.reply_length() == layout_.length();
      nfs::walk_reply(laid_out(layout_), *call_walk_, returned(), reply_);
    }
  }
  return reply_known_ ? &reply_ : nullptr;
}

// Where what a Reply conveys in chunks of its own can be put together: a Position behind what a Write chunk
// has taken out may be counted with it or without.
bool UpperLayer::walkable_reply() const {
  const flow::Exchange& x = *exchange_;
  const rpcrdma::TransportHeader& header = x.reply_message.header;
  const rpcrdma::ChunkLists& chunks = header.chunks;
  if (chunks.reads.empty()) {
    return header.is_nomsg();
  }
  const bool inserted = std::any_of(chunks.reads.begin(), chunks.reads.end(),
                                    [](const rpcrdma::ReadSegment& read) { return read.position != 0; });
  const bool written = std::any_of(chunks.writes.begin(), chunks.writes.end(),
                                   [](const rpcrdma::WriteChunk& chunk) { return chunk.length() != 0; });
  return count_results(x) == chunks.reads.size() && chunks.has_position_zero() == header.is_nomsg() &&
         !(inserted && written);
}

std::span<const uint64_t> UpperLayer::returned() {
  if (!returned_known_) {
    returned_known_ = true;
    returned_.clear();
    for (const rpcrdma::WriteChunk& chunk : exchange_->reply_message.header.chunks.writes) {
      returned_.push_back(chunk.length());
    }
  }
  return returned_;
}

Outcome UpperLayer::comparable_writes() const {
  const flow::Exchange& x = *exchange_;
  if (!x.call || !x.reply || x.error || x.call_message.header.chunks.writes.empty()) {
    return Outcome::not_applicable;
  }
  const Outcome asked = legible(x.call_message), answered = legible(x.reply_message);
  if (asked != Outcome::done || answered != Outcome::done) {
    return asked != Outcome::done ? asked : answered;
  }
  const bool equal =
      x.call_message.header.chunks.writes.size() == x.reply_message.header.chunks.writes.size();
  return equal ? Outcome::done : Outcome::not_applicable;
}

// What chunks carry, by the walks of upper_layer.cc and the bindings of RFC 8267.

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

const base::List<ReadChunk>& UpperLayer::chunks_of(bool of_call) {
  Chunks& chunks = of_call ? call_chunks_ : reply_chunks_;
  if (!chunks.known) {
    chunks.known = true;
    collect((of_call ? exchange_->call_message : exchange_->reply_message).header.chunks, chunks.list);
    const nfs::Walk* walk = nullptr;
    if (!chunks.list.empty()) {
      walk = of_call ? static_cast<const nfs::Walk*>(call()) : reply();
    }
    if (walk != nullptr) {
      match(*walk, chunks.list);
    }
  }
  return chunks.list;
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
