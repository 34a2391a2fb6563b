// Chunk lists that are not well-formed XDR: discriminators that are no bool,
// lists that go on behind the end of the Send.

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// Where reading of the chunk lists stopped.
struct ListStop {
  enum class In : uint8_t { reads, writes, reply } in = In::reads;
  uint32_t element = 0;        // index of the element that could not be read
  uint32_t at = 0;             // where its content begins, or its discriminator would be
  bool discriminator = false;  // not even that was there
};

uint32_t first_list(const rpcrdma::TransportHeader& h) {
  return h.version == 2 || h.is(rpcrdma::v1::Proc::msgp) ? 24 : 16;
}

// Elements that were read say where they stand; what was read of the one behind
// them are a discriminator, and for a Write chunk its count.
ListStop locate_stop(const flow::Message& message) {
  const rpcrdma::ChunkLists& lists = message.header->chunks;
  const uint32_t stop = message.decoded.stop->offset;
  const auto present = [&](uint32_t at) {
    const Bytes word = slice(message.bytes, at, 4);
    return word.size() == 4 && wire::big_endian<uint32_t>(word.data()) != 0;
  };
  uint32_t next = first_list(*message.header);
  const auto in_list = [&](ListStop::In in, const auto& list) -> std::optional<ListStop> {
    const auto elements = static_cast<uint32_t>(list.size());
    next = list.empty() ? next : list.back().at.end();
    if (stop <= next || present(next)) {
      return stop <= next ? ListStop{in, elements, next, true} : ListStop{in, elements, next + 4, false};
    }
    next += 4;
    return std::nullopt;
  };
  if (const auto reads = in_list(ListStop::In::reads, lists.reads)) {
    return *reads;
  }
  if (const auto writes = in_list(ListStop::In::writes, lists.writes)) {
    return *writes;
  }
  return stop <= next ? ListStop{ListStop::In::reply, 0, next, true}
                      : ListStop{ListStop::In::reply, 0, next + 4, false};
}

Outcome check_odd_discriminator(const flow::Message& message, Report& report) {
  if (const auto& odd = message.decoded.odd_discriminator) {
    report("Discriminator {:#010x} in {}; it must be 0 or 1", odd->value, odd->field).in({odd->offset, 4});
    return Outcome::done;
  }
  return header_cut(message) ? Outcome::undecided : Outcome::done;
}

// The lists of a message that is long enough to have some. Behind a
// discriminator that is not one, it is unknown what was meant.
bool lists_expected(const flow::Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  return message.length >= first_list(h) + 12 && !message.decoded.odd_discriminator;
}

Outcome check_read_list_runs_off(const flow::Message& message, Report& report) {
  const auto& stop = message.decoded.stop;
  if (!lists_expected(message)) {
    return Outcome::not_applicable;
  }
  if (!stop) {
    return Outcome::done;
  }
  if (stop->offset < first_list(*message.header)) {
    return Outcome::undecided;
  }
  const ListStop where = locate_stop(message);
  if (where.in != ListStop::In::reads) {
    return Outcome::done;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  const uint32_t left = message.length - std::min(message.length, where.at);
  if (where.discriminator) {
    report("Send ends after Read segment {}, without the zero word that ends the Read list", where.element)
        .in({where.at, left});
  } else {
    report("Read segment {} takes 20 bytes, but {} are left in the Send", where.element + 1, left)
        .in({where.at, left});
  }
  return Outcome::done;
}

Outcome check_write_list_runs_off(const flow::Message& message, Report& report) {
  const auto& stop = message.decoded.stop;
  if (!lists_expected(message)) {
    return Outcome::not_applicable;
  }
  if (!stop) {
    return Outcome::done;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  const ListStop where = locate_stop(message);
  if (where.in == ListStop::In::reads) {
    return Outcome::not_applicable;
  }
  const bool reply = where.in == ListStop::In::reply;
  const uint32_t left = message.length - std::min(message.length, where.at);
  const Range rest{where.at, left};
  if (where.discriminator) {
    report("Send ends before the word that says whether {}",
           reply ? "there is a Reply chunk" : "the Write list continues")
        .in(rest);
    return Outcome::done;
  }
  const std::string chunk = reply ? "Reply chunk" : fmt::format("Write chunk {}", where.element + 1);
  const Bytes count = slice(message.bytes, where.at, 4);
  if (count.size() < 4) {
    report("{} has no segment count: the Send ends before it", chunk).in(rest);
    return Outcome::done;
  }
  const auto segments = wire::big_endian<uint32_t>(count.data());
  report("{} claims {} of 16 bytes, but {} bytes are left in the Send", chunk,
         base::counted(segments, "segment"), left - 4)
      .in(rest);
  return Outcome::done;
}

}  // namespace

constinit const Rule odd_discriminator = {
    .id = "HDR-03",
    .name = "odd-list-discriminator",
    .source = {"RFC 8166", "4.3"},
    .about = kinds::rpcs,
    .message = check_odd_discriminator,
    .plain_message = plain::kept,
};

constinit const Rule read_list_runs_off = {
    .id = "HDR-04",
    .name = "read-list-runs-off",
    .source = {"RFC 8166", "4.3.1"},
    .also = "version-two-02",
    .about = kinds::rpcs,
    .message = check_read_list_runs_off,
    .plain_message = plain::kept,
};

constinit const Rule write_list_runs_off = {
    .id = "HDR-05",
    .name = "write-list-runs-off",
    .source = {"RFC 8166", "4.3.2"},
    .also = "version-two-02",
    .about = kinds::rpcs,
    .message = check_write_list_runs_off,
    .plain_message = plain::kept,
};

}  // namespace steertag::rules
