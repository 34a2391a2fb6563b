#include "timing/subject_reader.h"

#include <algorithm>
#include <utility>

#include "nfs/cursor.h"
#include "nfs/padded.h"
#include "nfs/sequence_flags.h"
#include "nfs/status.h"
#include "rpcrdma/programs.h"

namespace steertag::timing {
namespace {

void name_number(std::string& into, std::string_view known, uint32_t number) {
  if (known.empty()) {
    into = std::to_string(number);
  } else {
    into.assign(known);
  }
}

bool reads_anything(const Exchange& exchange) {
  return std::any_of(exchange.segments.begin(), exchange.segments.end(),
                     [](const SegmentFlow& segment) { return segment.kind == ChunkKind::read; });
}

uint64_t returned_in_writes(const Exchange& exchange) {
  uint64_t bytes = 0, in_chunk = 0;
  uint32_t chunk = 0;
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::write) {
      if (segment.chunk != chunk) {
        bytes += nfs::padded(std::exchange(in_chunk, 0));
        chunk = segment.chunk;
      }
      in_chunk += segment.returned.value_or(0);
    }
  }
  return bytes + nfs::padded(in_chunk);
}

// Nothing of the Call is elsewhere, or was not captured.
bool whole_inline(const Exchange& exchange) {
  return !exchange.call_padding && !reads_anything(exchange) && exchange.call_inline_length != 0 &&
         exchange.call_inline.size() == exchange.call_inline_length;
}

// What is in front of a body with integrity: its length and the sequence number.
constexpr uint64_t kIntegrityFront = 8;

}  // namespace

SubjectReader::Body SubjectReader::body_of(const nfs::CallWalk& call) {
  if (!call.header_known) {
    return Body::unknown;
  }
  if (!nfs::hidden(call.rpc)) {
    return Body::plain;
  }
  return nfs::open_to_read(call.rpc) ? Body::integrity : Body::unknown;
}

void SubjectReader::read(const Exchange& exchange, Subject& into) {
  into.clear();
  body_ = Body::unknown;
  if (files_ != nullptr) {
    files_->clear();
  }
  if (exchange.call) {
    read_call(exchange, into);
  }
  if (exchange.reply && !exchange.error) {
    read_reply(exchange, into);
  }
  if (files_ != nullptr) {
    files_->conclude(exchange, call_, into);
  }
}

// Data that moved in a chunk is not kept to its end; operations follow it all the same.
nfs::Stream SubjectReader::laid_out_stream() const {
  nfs::Stream stream(layout_.stretches(), layout_.length());
  stream.behind = base::Behind::read;
  stream.chunks = layout_.chunks();
  return stream;
}

void SubjectReader::read_call(const Exchange& exchange, Subject& subject) {
  const bool laid_out = lay_out_call(exchange, layout_);
  if (laid_out && exchange.call_legible && layout_.length() != 0) {
    subject.arguments_length = layout_.length();
  }
  if (!exchange.procedure) {
    return;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  const bool compound = nfs::is_compound(program, version, procedure);
  if (!compound) {
    name_number(subject.op, rpcrdma::procedure_name(program, version, procedure), procedure);
  }
  call_.clear();
  if (!laid_out) {
    return;
  }
  nfs::Stream stream = with_header(laid_out_stream(), exchange.call_message);
  stream.marks = files_ != nullptr ? &files_->call_marks() : nullptr;
  if (compound) {
    read_operations(exchange, stream, subject);
  } else {
    call_.header_known = nfs::read_header(stream, call_.rpc, call_);
    body_ = body_of(call_);
    if (files_ != nullptr && body_ != Body::unknown && walk(exchange, stream) && body_ == Body::integrity) {
      walk_inside(stream);
    }
  }
  if (files_ != nullptr && call_.header_known) {
    files_->take_call(exchange, stream, call_);
  }
  const bool walked = compound ? body_ != Body::integrity : files_ != nullptr && body_ == Body::plain;
  if (walked && whole_inline(exchange)) {
    subject.call_walk = &call_;
  }
}

// False where what was padded cannot be told apart.
bool SubjectReader::walk(const Exchange& exchange, const nfs::Stream& stream) {
  if (!exchange.call_padding) {
    nfs::walk_call(stream, call_);
    return true;
  }
  if (!reads_anything(exchange) &&
      nfs::walk_padded_call(stream, *exchange.call_padding, exchange.call_header_length, call_)) {
    return true;
  }
  if (files_ != nullptr) {
    files_->clear();
  }
  return false;
}

void SubjectReader::read_operations(const Exchange& exchange, const nfs::Stream& stream, Subject& subject) {
  if (!walk(exchange, stream)) {
    return;
  }
  const bool others = call_.reason == nfs::Reason::unknown_program;  // not a callback, after all
  body_ = others ? Body::unknown : body_of(call_);
  if (body_ == Body::integrity) {
    walk_inside(stream);
  }
  const nfs::Compound& compound = call_.compound;
  const auto name = [&](std::string& into, uint32_t opcode) {
    name_number(into, nfs::operation_name(opcode, compound.callback), opcode);
  };
  if (const auto opcode = nfs::purpose(compound)) {
    // What is no operation is answered as this one, whatever its number (RFC 8881 §15.1.3.4).
    const std::string_view illegal = compound.callback ? "CB_ILLEGAL" : "ILLEGAL";
    const std::string_view known = nfs::operation_name(*opcode, compound.callback);
    subject.op.assign(known.empty() ? illegal : known);
  }
  const size_t named = std::min(compound.operations.size(), kMaxOperations);
  for (size_t i = 0; i < named; ++i) {
    name(subject.ops.add(), compound.operations[i]);
  }
  subject.ops_whole = compound.whole() && named == compound.operations.size();
}

void SubjectReader::walk_inside(const nfs::Stream& stream) {
  if (std::optional<nfs::Stream> inside = nfs::inside_integrity(stream, call_.offset)) {
    header_ = call_.rpc;
    header_.credential.flavor = rpcrdma::Flavor::none;
    inside->header = &header_;
    nfs::walk_call(*inside, call_);
  }
}

void SubjectReader::read_reply(const Exchange& exchange, Subject& subject) {
  if (!lay_out_reply(exchange, layout_)) {
    return;
  }
  if (exchange.reply_legible && layout_.length() != 0) {
    subject.results_length = layout_.length() + returned_in_writes(exchange);
  }
  if (exchange.procedure && exchange.answer && exchange.answer->succeeded() && body_ != Body::unknown) {
    read_status(exchange, subject);
    if (files_ != nullptr) {
      files_->read_reply(exchange, laid_out_stream(), call_, body_ == Body::integrity);
    }
  }
}

void SubjectReader::read_status(const Exchange& exchange, Subject& subject) {
  const auto& [program, version, procedure] = *exchange.procedure;
  const nfs::StatusPlace place = nfs::status_place(program, version, procedure);
  if (place == nfs::StatusPlace::none) {
    return;
  }
  const nfs::Stream stream = with_header(laid_out_stream(), exchange.reply_message);
  scratch_.clear();
  if (!nfs::read_header(stream, header_, scratch_) || header_.type != rpcrdma::MsgType::reply ||
      header_.xid != exchange.xid) {
    return;
  }
  nfs::Cursor at(stream, scratch_.offset + (body_ == Body::integrity ? kIntegrityFront : 0), scratch_);
  if (place == nfs::StatusPlace::after_cookie) {
    at.opaque();
  }
  const uint32_t status = at.word();
  if (at.stopped()) {
    return;
  }
  subject.nfs_status = status;
  if (status != 0) {
    name_number(subject.nfs_status_name, nfs::status_name(program, version, status), status);
  }
  if (!call_.compound.callback && nfs::is_compound(program, version, procedure)) {
    subject.sequence_flags = nfs::sequence_flags(at).value_or(0);
  }
}

}  // namespace steertag::timing
