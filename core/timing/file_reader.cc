#include "timing/file_reader.h"

#include <algorithm>
#include <optional>
#include <span>

#include "files/tree.h"
#include "nfs/shape.h"
#include "rpcrdma/programs.h"

namespace steertag::timing {
namespace {

using nfs::Meaning;

// What it does to names; unset where it is of another program, or a COMPOUND. NFSACL makes none.
std::optional<files::Deed> deed_of(const rpcrdma::RpcHeader& call) {
  if (call.program == rpcrdma::program_nfsacl) {
    return files::Deed::other;
  }
  if (call.program != rpcrdma::program_nfs || call.version < 2 || call.version > 3) {
    return std::nullopt;
  }
  return call.version == 2 ? files::deed_of_nfs2(call.procedure) : files::deed_of_nfs3(call.procedure);
}

// MNT, which names a handle: of NFSv3 in version 3 (RFC 1813 §5.2.1), else of NFSv2 (RFC 1094 appendix A). No
// other procedure of that program is of interest, and rules ask for none: so it is read here, and not walked
// by nfs/.
bool of_mnt(const rpcrdma::RpcHeader& call) {
  constexpr uint32_t mnt = 1;
  return call.program == rpcrdma::program_mount && call.version >= 1 && call.version <= 3 &&
         call.procedure == mnt;
}

files::Scope scope_of(const Exchange& exchange) {
  const Side client = exchange.backward ? rdma::other(exchange.requester) : exchange.requester;
  return {.client = exchange.connection->end(client).address,
          .server = exchange.connection->end(rdma::other(client)).address};
}

void take_returned(const Exchange& exchange, std::vector<uint64_t>& into) {
  into.clear();
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::write) {
      into.resize(std::max<size_t>(into.size(), segment.chunk + size_t{1}));
      into[segment.chunk] += segment.returned.value_or(0);
    }
  }
}

}  // namespace

void FileReader::clear() {
  call_.clear();
  reply_.clear();
  call_taken_ = results_read_ = false;
}

void FileReader::take_call(const Exchange& exchange, const nfs::Stream& stream, const nfs::CallWalk& call) {
  if (of_mnt(call.rpc) && !nfs::hidden(call.rpc) && !exchange.call_padding) {
    walk_.clear();
    nfs::Cursor at(stream, call.offset, walk_);
    at.opaque(Meaning::name);
  }
  call_.read(stream);
  call_taken_ = true;
}

void FileReader::read_reply(const Exchange& exchange, nfs::Stream stream, const nfs::CallWalk& call,
                            bool integrity) {
  if (call_taken_ && of_mnt(call.rpc) && !nfs::hidden(call.rpc)) {
    return read_mounted(stream, call);
  }
  const bool teaches = nfs::is_compound(call.rpc)
                           ? files::teaches(call.compound)
                           : files::teaches(deed_of(call.rpc).value_or(files::Deed::other));
  if (!call_taken_ || !teaches) {
    return;
  }
  if (integrity) {
    walk_.clear();
    const bool read = nfs::read_header(stream, header_, walk_);
    std::optional<nfs::Stream> inside = read ? nfs::inside_integrity(stream, walk_.offset) : std::nullopt;
    if (!inside) {
      return;
    }
    stream = *inside;
    stream.header = &header_;
  }
  stream.marks = &reply_;
  take_returned(exchange, returned_);
  nfs::walk_reply(stream, call, returned_, walk_);
  results_read_ = walk_.complete();
  // What cannot be read well teaches nothing; what was captured in part teaches that part.
  if (results_read_ || walk_.reason == nfs::Reason::not_captured ||
      walk_.reason == nfs::Reason::unknown_operation) {
    if (nfs::is_compound(call.rpc)) {
      reply_.read_listed(stream);
    } else {
      reply_.read(stream);
    }
  } else {
    reply_.clear();
  }
}

void FileReader::read_mounted(nfs::Stream stream, const nfs::CallWalk& call) {
  stream.marks = &reply_;
  walk_.clear();
  if (!nfs::read_header(stream, header_, walk_)) {
    return;
  }
  nfs::Cursor at(stream, walk_.offset, walk_);
  if (at.word() == 0) {
    call.rpc.version == 3 ? nfs::Handle::walk(at) : nfs::FixedHandle::walk(at);
  }
  reply_.read(stream);
}

void FileReader::conclude(const Exchange& exchange, const nfs::CallWalk& call, Subject& subject) {
  if (!call_taken_) {
    return;
  }
  if (const auto credential = rpcrdma::sys_credential(call.rpc.credential)) {
    subject.user = credential->uid;
  }
  const files::Scope scope = scope_of(exchange);
  const files::Told told{.scope = scope,
                         .call = call_,
                         .reply = reply_,
                         .status = subject.nfs_status,
                         .arguments_read = call.operations_walked(),
                         .results_read = results_read_,
                         .whole = exchange.complete && exchange.reply.has_value()};
  std::span<const files::Note> notes = call_.all();
  if (nfs::is_compound(call.rpc)) {
    subject.file = files::apply_compound(told, call.compound, names_);
    const std::optional<uint32_t> purpose = files::purpose_of(call.compound);
    notes = purpose ? call_.of(*purpose) : std::span<const files::Note>();
  } else if (const std::optional<files::Deed> deed = deed_of(call.rpc)) {
    subject.file = files::apply_nfs(told, *deed, names_);
  } else if (of_mnt(call.rpc)) {
    subject.file = files::apply_mnt(told, names_);
  }
  const files::Note* offset = files::first(notes, Meaning::offset);
  const files::Note* count = files::first(notes, Meaning::count);
  if (offset != nullptr && count != nullptr) {
    subject.offset = offset->value;
    subject.count = count->value;
  }
}

}  // namespace steertag::timing
