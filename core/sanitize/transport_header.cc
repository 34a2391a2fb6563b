#include "sanitize/transport_header.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include "rpcrdma/rpc.h"
#include "sanitize/disguise.h"
#include "wire/reader.h"

namespace steertag::sanitize {
namespace {

constexpr uint32_t kLeastExperimental = 0xFFFFFF00;  // of opttypes and characteristics

class Image {
 public:
  Image(const Key& key, Bytes header)
      : key_(key), before_(header), into_{.bytes = {header.begin(), header.end()}} {}

  void hide(uint32_t at, uint32_t length) {
    const Bytes field = slice(before_, at, length);
    disguise(key_, field, std::span(into_.bytes).subspan(std::min<size_t>(at, before_.size()), field.size()));
  }
  // From `doubtful` on none stays, nor in front of `lists` where something there is doubtful: as zeros none
  // speaks against a length, a Position or a place in memory. One in front of `lists` is no size of memory: a
  // huge one stays above all that may be there.
  void take_number(const wire::Node& field, uint32_t doubtful, uint32_t lists) {
    const size_t size = slice(before_, field.at.offset, field.at.length).size();
    const auto begin = into_.bytes.begin() + field.at.offset;
    const bool front = field.at.end() <= lists && doubtful < before_.size();
    if (field.at.end() > doubtful || front) {
      std::fill_n(begin, size, uint8_t{0});
    } else if (field.kind == wire::Node::Kind::number && field.at.end() <= lists &&
               field.value >= kLeastHuge && size == kWord) {
      *begin = 0;
      std::fill_n(begin + 1, kWord - 1, uint8_t{0xFF});
    }
  }
  // A word that is that large, or not all there.
  void hide_from(uint32_t least, uint32_t at) {
    const Bytes word = slice(before_, at, kWord);
    if (word.size() < kWord || wire::big_endian<uint32_t>(word.data()) >= least) {
      hide(at, kWord);
    }
  }
  void hide_behind(uint32_t kept, const wire::Node& opaque, Bytes message) {
    const Bytes rest = slice(opaque.bytes, kept);
    if (!rest.empty()) {
      hide(static_cast<uint32_t>(rest.data() - message.data()), static_cast<uint32_t>(rest.size()));
    }
    if (opaque.bytes.size() % kWord != 0) {
      const auto end = static_cast<uint32_t>(opaque.bytes.data() - message.data() + opaque.bytes.size());
      const Bytes pad = slice(message, end, kWord - opaque.bytes.size() % kWord);
      if (std::any_of(pad.begin(), pad.end(), [](uint8_t byte) { return byte != 0; })) {
        hide(end, static_cast<uint32_t>(pad.size()));
      }
    }
  }
  HeaderImage take() { return std::move(into_); }

 private:
  const Key& key_;
  Bytes before_;
  HeaderImage into_;
};

// Where the first chunk list begins; of others, what there is behind the words that each has.
uint32_t first_list(const rpcrdma::TransportHeader& header) {
  constexpr uint32_t kPrefix = 8;  // of MSGP and version two
  const bool prefix = header.version == 2 || header.is(rpcrdma::v1::Proc::msgp);
  return rpcrdma::fixed_header_length + (prefix ? kPrefix : 0);
}

// The word of a known characteristic: a size of buffers, or one of a few.
bool may_be_value(const rpcrdma::xchar::Characteristic& of, Bytes data) {
  constexpr uint32_t kLeast = 1 << 28;  // bytes of a buffer
  return data.size() >= kWord && wire::big_endian<uint32_t>(data.data()) <
                                     (of.type == rpcrdma::xchar::Type::number ? kLeast : kLeastStrange);
}

// A Call from its rpcvers on, whatever is in front of that: of a well-known program, with a small version,
// procedure and flavor.
bool looks_like_call(Bytes at) {
  constexpr size_t kWords = 5;
  if (at.size() < kWords * kWord) {
    return false;
  }
  const auto word = [&](size_t nth) { return wire::big_endian<uint32_t>(at.data() + nth * kWord); };
  constexpr uint32_t kFirst = 100000, kLast = 500000, kTransient = 0x40000000;
  const uint32_t program = word(1);
  return word(0) == rpcrdma::rpc_version &&
         ((program >= kFirst && program < kLast) || program == kTransient) && word(2) < 16 && word(3) < 128 &&
         word(4) < 8;
}

// Whether it stands where a word of an xcharsubset is, and names more elements than any list has. A single
// one may be counted from the wrong end.
bool of_no_subset(const wire::Node& field) {
  const std::string_view name = field.name;
  return field.value >= kLeastStrange && std::popcount(field.value) > 1 &&
         field.index != wire::Node::no_index &&
         (name == "optixch_nochg" || name == "optrespxch_done" || name == "optrespxch_rej" ||
          name == "optrespxch_pend");
}

// Whether an RPC header begins there, by the words behind its XID.
bool rpc_begins(Bytes at) {
  constexpr uint32_t kThroughProgram = 16, kLeastProgram = 100000;  // RFC 5531 §8.1: there are none below
  rpcrdma::RpcHeader rpc;
  const Bytes front = slice(at, 0, kThroughProgram);
  const uint32_t read = rpcrdma::decode(front, static_cast<uint32_t>(front.size()), rpc).header_length;
  if (read < rpcrdma::rpc_through_status) {
    return false;
  }
  return rpc.call()
             ? rpc.rpcvers == rpcrdma::rpc_version && (read < kThroughProgram || rpc.program >= kLeastProgram)
             : !text(rpc.type).empty() && !text(rpc.reply_stat).empty();
}

// A whole header in which every word has a value that it may have: so that many are no coincidence. Of one
// that is not captured to its end (`cut`), as many as there are.
bool whole_rpc_header(Bytes at, bool cut) {
  constexpr uint32_t kMostAuth = 8 + 400;  // bytes of a credential or a verifier, RFC 5531 §8.2
  rpcrdma::RpcHeader rpc;
  const Bytes most = slice(at, 0, rpcrdma::rpc_through_procedure + 2 * kMostAuth);
  if (!rpc_begins(at)) {
    return false;
  }
  if (rpcrdma::decode(most, static_cast<uint32_t>(most.size()), rpc).stop) {
    return cut && most.size() == at.size();
  }
  const auto known = [](const rpcrdma::Auth& auth) { return !text(auth.flavor).empty(); };
  if (rpc.call()) {
    return known(rpc.credential) && known(rpc.verifier);
  }
  return rpc.reply_stat == rpcrdma::ReplyStat::accepted
             ? known(rpc.verifier) && !text(rpc.accept_stat).empty()
             : !text(rpc.reject_stat).empty() && rpc.reject_stat == rpcrdma::RejectStat::rpc_mismatch;
}

// Where the RPC message begins that goes with this header, by its XID and the words behind that: bytes from
// the start of the Send. Unset: it was not captured, travels in chunks, or has another XID.
std::optional<uint32_t> begin_of_rpc(const flow::Message& message) {
  if (message.header->is_error()) {  // has no list that could run on
    return std::nullopt;
  }
  constexpr uint32_t kThroughType = 8;
  const uint32_t behind = message.decoded.header_length;
  const bool cut = message.bytes.size() < message.length;
  for (uint32_t at = rpcrdma::fixed_header_length; at + rpcrdma::rpc_through_status <= message.bytes.size();
       at += kWord) {
    const Bytes rest = message.bytes.subspan(at);
    if (wire::big_endian<uint32_t>(rest.data()) == message.header->xid &&
        (at == behind ? rpc_begins(rest) : whole_rpc_header(rest, cut))) {
      return at;
    }
    if (at >= rpcrdma::fixed_header_length + kThroughType && looks_like_call(rest)) {
      return at - kThroughType;
    }
  }
  return std::nullopt;
}

// Whether so many segments of a Write chunk fit into what the Send has behind their count.
bool count_fits(const flow::Message& message, const wire::Node& list) {
  constexpr uint32_t kSegment = 16;  // bytes, RFC 8166 §3.4.2
  const Bytes count = slice(message.bytes, list.at.offset, kWord);
  return count.size() == kWord &&
         wire::big_endian<uint32_t>(count.data()) <= (message.length - list.at.offset - kWord) / kSegment;
}

// Whether the fields of a header may be what they were read as, where no RPC header follows that says so.
bool plausible(const flow::Message& message, const std::vector<wire::Node>& fields) {
  bool of_read = false;  // the field before is the Position of a Read segment
  for (const wire::Node& field : fields) {
    const std::string_view name = field.name;
    if ((name == "position" && field.value % kWord != 0) || (name == "length" && field.value >= kLeastHuge)) {
      return false;
    }
    const bool list = name == "target" && field.index == wire::Node::no_index && !of_read;
    if (list && !count_fits(message, field)) {
      return false;
    }
    of_read = name == "position";
  }
  return !message.header->is(rpcrdma::v1::Proc::msgp);
}

// In front of the segment that this place is in, or this place: none is half of a segment.
uint32_t in_front_of_segment(const std::vector<wire::Node>& fields, uint32_t place) {
  constexpr uint32_t kRead = 20, kOther = 16;  // bytes of one, from its Position or handle on
  for (const wire::Node& field : fields) {
    const std::string_view name = field.name;
    const uint32_t size = name == "position" ? kRead : name == "handle" ? kOther : 0;
    if (field.at.offset < place && place < field.at.offset + size) {
      return field.at.offset;
    }
  }
  return place;
}

// From where on what was read as numbers may be something else: bytes from the start of the Send.
uint32_t first_doubtful(const flow::Message& message, const std::vector<wire::Node>& fields,
                        std::optional<uint32_t> rpc) {
  if (rpc) {
    return in_front_of_segment(fields, *rpc);
  }
  const Bytes rest = message.payload;
  const bool cut = flow::header_cut(message) ||
                   (rest.size() < rpcrdma::rpc_through_status && rest.size() < message.payload_length);
  const bool no_rpc = rest.empty() || !message.header->carries_payload();
  const bool likely = plausible(message, fields);
  const bool known =
      cut ? likely
          : flow::header_whole(message) &&
                (no_rpc ? likely : rpc_begins(rest) && (likely || whole_rpc_header(rest, false)));
  return known ? message.decoded.header_length : first_list(*message.header);
}

// Credits and procedure, where they are none.
void hide_strange_front(Image& image, const rpcrdma::TransportHeader& header) {
  constexpr uint32_t kCredit = 8, kProcedure = 12;
  if (header.procedure >= kLeastStrange) {
    image.hide(kProcedure, kWord);
  }
  if (header.procedure >= kLeastStrange || header.credit >= kLeastHuge) {
    image.hide(kCredit, kWord);
  }
}

}  // namespace

HeaderImage header_image(const Key& key, const flow::Message& message) {
  const Bytes header = slice(message.bytes, 0, message.decoded.header_length);
  Image image(key, header);
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.version >= kLeastHuge) {  // it is none
    image.hide(0, static_cast<uint32_t>(header.size()));
    HeaderImage none = image.take();
    none.hidden = true;
    return none;
  }
  hide_strange_front(image, h);
  std::vector<wire::Node> fields;
  rpcrdma::outline(message.bytes, message.length, fields);
  const auto length = static_cast<uint32_t>(header.size());
  const std::optional<uint32_t> rpc = begin_of_rpc(message);
  const std::optional<wire::Reader::OddDiscriminator>& odd = message.decoded.odd_discriminator;
  const uint32_t doubtful = std::min(first_doubtful(message, fields, rpc), odd ? odd->offset : length);
  const uint32_t lists = h.is_error() ? length : first_list(h);
  uint32_t next = rpcrdma::fixed_header_length;              // behind the latest field
  const rpcrdma::xchar::Characteristic* value_of = nullptr;  // what follows is that of a known one
  for (const wire::Node& field : fields) {
    if (field.kind == wire::Node::Kind::group || field.at.offset < rpcrdma::fixed_header_length) {
      continue;
    }
    for (; next + kWord <= field.at.offset; next += kWord) {
      image.hide_from(next >= doubtful ? kLeastStrange : kLeastHuge, next);
    }
    next = std::max(next, field.at.end());
    if (field.kind == wire::Node::Kind::opaque) {
      // Nothing is behind these headers: where there is, the words may have moved.
      const bool shown = value_of != nullptr && field.at.end() <= doubtful && message.payload_length == 0 &&
                         may_be_value(*value_of, field.bytes);
      image.hide_behind(shown ? kWord : 0, field, message.bytes);
    } else if (field.kind == wire::Node::Kind::enumerator) {
      if (field.at.end() > doubtful || field.value < kLeastExperimental) {
        image.hide_from(kLeastStrange, field.at.offset);
      }
    } else if (of_no_subset(field)) {
      image.hide(field.at.offset, kWord);
    } else {
      image.take_number(field, doubtful, lists);
    }
    const bool which = std::string_view(field.name) == "xchv_which";
    value_of = which ? rpcrdma::xchar::find(static_cast<rpcrdma::xchar::Id>(field.value)) : nullptr;
  }
  const uint32_t read = message.decoded.stop ? std::min(message.decoded.stop->offset, length) : length;
  for (; next < read; next += kWord) {
    image.hide_from(next >= doubtful ? kLeastStrange : kLeastHuge, next);
  }
  if (next < length) {  // the rest of rdma_optinfo
    image.hide(next, length - next);
  }
  HeaderImage made = image.take();
  made.hidden = doubtful < length;
  made.rpc_inside = rpc && *rpc != length;
  made.rpc_follows = !made.rpc_inside && (rpc || rpc_begins(message.payload));
  return made;
}

}  // namespace steertag::sanitize
