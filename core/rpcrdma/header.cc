#include "rpcrdma/header.h"

#include <type_traits>

#include "wire/writer.h"

namespace steertag::rpcrdma {
namespace {

template <typename Walker>
constexpr bool reading = std::remove_reference_t<Walker>::reading;

// --- the wire order of a whole header: one walk for Reader, Writer and Outline ---

// A field that the header keeps as a number, walked as the enum that it is in
// this version, so that an outline can name it.
template <typename Enum>
void enumerator(auto& w, const char* name, auto& raw) {
  auto value = static_cast<Enum>(raw);
  w(name, value);
  if constexpr (reading<decltype(w)>) {
    raw = static_cast<uint32_t>(value);
  }
}

// A part that the header has once the first `needed` bytes of it could be read.
template <typename Part>
void part(auto& w, auto& field, uint32_t needed, auto layout) {
  if constexpr (reading<decltype(w)>) {
    const uint32_t start = w.offset();
    Part value;
    layout(w, value);
    if (w.offset() >= start + needed) {
      field = value;
    }
  } else {
    layout(w, field ? *field : Part{});
  }
}

template <typename Part>
void part(auto& w, auto& field, uint32_t needed) {
  part<Part>(w, field, needed, [](auto& walker, auto&& value) { Part::layout(walker, value); });
}

// Of a version that is neither one nor two only ERR_VERS is known.
void error_of_any_version(auto& w, auto& field) {
  part<v1::Error>(w, field, 4, [](auto& walker, auto&& value) { v1::Error::every_version(walker, value); });
}

void chunk_prefix(auto& w, auto& h) {
  if constexpr (reading<decltype(w)>) {
    const uint32_t start = w.offset();
    v2::ChunkPrefix prefix;
    v2::ChunkPrefix::layout(w, prefix);
    if (w.offset() >= start + 4) {
      h.direction = prefix.direction;
    }
    if (w.offset() >= start + 8) {
      h.inv_handle = prefix.inv_handle;
    }
  } else {
    const v2::ChunkPrefix prefix{h.direction.value_or(MsgType::call), h.inv_handle.value_or(0)};
    v2::ChunkPrefix::layout(w, prefix);
  }
}

void optional_body(auto& w, auto& h) {
  if constexpr (reading<decltype(w)>) {
    const uint32_t start = w.offset();
    v2::Optional& body = h.optional.add();
    body.clear();
    v2::Optional::layout(w, body);
    body.at = Range{start, w.offset() - start};
    if (w.offset() >= start + 4) {
      h.direction = body.direction;
    }
    if (w.offset() < start + 8) {  // not even the opttype
      h.optional.drop_last();
    }
  } else {
    v2::Optional::layout(w, h.optional.empty() ? v2::Optional{} : h.optional[0]);
  }
}

void walk_v1(auto& w, auto& h) {
  enumerator<v1::Proc>(w, "rdma_proc", h.procedure);
  if (w.stopped()) {
    return;
  }
  switch (static_cast<v1::Proc>(h.procedure)) {
    case v1::Proc::msg:
    case v1::Proc::nomsg:
      return ChunkLists::layout(w, h.chunks);
    case v1::Proc::msgp:
      part<v1::Padding>(w, h.padding, 8);
      return ChunkLists::layout(w, h.chunks);
    case v1::Proc::done:
      return;
    case v1::Proc::error:
      return part<v1::Error>(w, h.error_v1, 4);
  }
}

void walk_v2(auto& w, auto& h) {
  enumerator<v2::Proc>(w, "rdma_proc", h.procedure);
  if (w.stopped()) {
    return;
  }
  switch (static_cast<v2::Proc>(h.procedure)) {
    case v2::Proc::msg:
    case v2::Proc::nomsg:
      chunk_prefix(w, h);
      return ChunkLists::layout(w, h.chunks);
    case v2::Proc::error:
      return part<v2::Error>(w, h.error_v2, 4);
    case v2::Proc::optional:
      return optional_body(w, h);
  }
}

void walk(auto& w, auto& h) {
  w.hex("rdma_xid", h.xid);
  w("rdma_vers", h.version);
  w("rdma_credit", h.credit);
  switch (h.version) {
    case 1:
      return walk_v1(w, h);
    case 2:
      return walk_v2(w, h);
    default:  // RFC 8166 §7: what every version keeps are these four words, and how ERR_VERS is said
      enumerator<ProcOfAnyVersion>(w, "rdma_proc", h.procedure);
      return h.is_error() ? error_of_any_version(w, h.error_v1) : void();
  }
}

Decoded read(auto& reader, TransportHeader& into) {
  into.clear();
  walk(reader, into);
  Decoded decoded{reader.offset(), reader.stop(), {}, reader.nonzero_pad()};
  if (const auto& odd = reader.odd_discriminator()) {
    decoded.odd_discriminator = wire::Reader::OddDiscriminator{odd->field, odd->offset, odd->value};
  }
  return decoded;
}

std::string or_number(std::string_view name, uint32_t number) {
  return name.empty() ? std::to_string(number) : std::string(name);
}

std::string_view known_procedure(uint32_t version, uint32_t procedure) {
  return version == 1   ? text(static_cast<v1::Proc>(procedure))
         : version == 2 ? text(static_cast<v2::Proc>(procedure))
                        : text(static_cast<ProcOfAnyVersion>(procedure));
}

std::string_view known_error(uint32_t version, uint32_t code) {
  if (version == 2) {
    return text(static_cast<v2::ErrorCode>(code));
  }
  const auto known = static_cast<v1::ErrorCode>(code);
  return version == 1 || known == v1::ErrorCode::vers ? text(known) : std::string_view();  // RFC 8166 §7
}

// The content of a known characteristic, said in words beside its bytes.
void explain_characteristics(std::vector<wire::Node>& nodes, size_t from) {
  for (size_t i = from + 1; i < nodes.size(); ++i) {
    const wire::Node& id = nodes[i - 1];
    wire::Node& data = nodes[i];
    if (std::string_view(id.name) == "xchv_which" && data.kind == wire::Node::Kind::opaque) {
      data.text = xchar::value_text(static_cast<xchar::Id>(id.value), data.bytes);
    }
  }
}

}  // namespace

Decoded decode(Bytes captured, uint32_t wire_length, TransportHeader& into) {
  wire::Reader reader(captured, wire_length);
  return read(reader, into);
}

void encode(const TransportHeader& header, std::vector<uint8_t>& out) {
  wire::Writer writer(out);
  walk(writer, header);
}

Decoded outline(Bytes captured, uint32_t wire_length, std::vector<wire::Node>& into) {
  const size_t from = into.size();
  wire::BasicReader<wire::OutlineTrace> reader(captured, wire_length, wire::Limit::message,
                                               wire::OutlineTrace(into));
  TransportHeader header;
  const Decoded decoded = read(reader, header);
  explain_characteristics(into, from);
  return decoded;
}

std::optional<uint32_t> TransportHeader::error_code() const {
  if (error_v1) {
    return static_cast<uint32_t>(error_v1->code);
  }
  if (error_v2) {
    return static_cast<uint32_t>(error_v2->code);
  }
  return std::nullopt;
}

void TransportHeader::clear() {
  xid = version = credit = procedure = 0;
  padding.reset();
  direction.reset();
  inv_handle.reset();
  chunks.clear();
  error_v1.reset();
  error_v2.reset();
  optional.clear();
}

bool procedure_exists(uint32_t version, uint32_t procedure) {
  return (version == 1 || version == 2) && !known_procedure(version, procedure).empty();
}

std::string procedure_name(uint32_t version, uint32_t procedure) {
  return or_number(known_procedure(version, procedure), procedure);
}

std::string error_name(uint32_t version, uint32_t code) {
  return or_number(known_error(version, code), code);
}

}  // namespace steertag::rpcrdma
