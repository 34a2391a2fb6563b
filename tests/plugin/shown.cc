#include "shown.h"

#include <cstdint>
#include <sstream>

#include "session.h"

namespace steertag::plugin {
namespace {

std::string connection_text(const ConnectionNote* connection) {
  return connection == nullptr ? "?" : std::to_string(connection->number);
}

std::string stream_text(const Stream& stream) {
  std::vector<uint8_t> bytes(stream.bytes.size());
  stream.bytes.copy(bytes.data());
  uint64_t sum = 0;
  for (const uint8_t byte : bytes) {
    sum = sum * 31 + byte;
  }
  return std::to_string(bytes.size()) + "/" + std::to_string(stream.missing) + "/" + std::to_string(sum);
}

std::string times_text(const Notebook& book, int64_t index) {
  if (index < 0) {
    return "";
  }
  const RpcTimes& times = book.times.at(static_cast<size_t>(index));
  std::ostringstream out;
  out << times.frame << ' ' << times.known_from << ' ' << connection_text(times.connection) << ' '
      << times.xid << ' ' << times.name << ' ' << times.operation << ' ' << times.operations
      << times.nfs_status << ' ' << times.timing.delivered_ns.value_or(-1) << ' '
      << times.timing.unanswered_ns.value_or(-1);
  return out.str();
}

Line message_line(const Notebook& book, const MessageNote& message) {
  std::ostringstream fixed;
  fixed << "message " << connection_text(message.connection) << ' ' << message.frame << ' '
        << message.known_from << ' ' << message.xid << ' ' << message.version << ' ' << message.procedure
        << ' ' << message.offset << ' ' << message.length << ' ' << message.header_length << ' '
        << std::string(message.copy.begin(), message.copy.end());
  for (const uint32_t frame : message.frames) {
    fixed << ' ' << frame;
  }
  return {fixed.str(),
          {std::to_string(message.call), std::to_string(message.reply),
           std::to_string(message.latency_ns.value_or(-1)), std::to_string(message.completed_in),
           message.stream < 0 ? "" : stream_text(book.rpcs.at(static_cast<size_t>(message.stream)).stream),
           times_text(book, message.times)}};
}

std::string loss_text(const flow::Loss& loss) {
  std::ostringstream out;
  out << loss.first << ' ' << number(loss.sent) << ' ' << number(loss.resent) << ' ' << number(loss.accepted);
  return out.str();
}

Line loss_line(const Notebook& book, const Note& note) {
  std::ostringstream out;
  if (note.kind == Note::Kind::ack) {
    const AckNote& ack = book.acks.at(note.index);
    return {"ack " + times_text(book, ack.times) + (ack.reply ? " Reply" : " Call"), {}};
  }
  if (note.kind == Note::Kind::loss) {
    const LossNote& lost = book.losses.at(note.index);
    return {"loss " + connection_text(lost.connection) + ' ' + loss_text(lost.loss), {}};
  }
  const RepeatNote& repeat = book.repeats.at(note.index);
  out << (note.kind == Note::Kind::repeat ? "repeat " : "copied ") << connection_text(repeat.connection)
      << ' ' << repeat.frame << ' ' << repeat.original;
  return {out.str(), {repeat.loss ? loss_text(*repeat.loss) : ""}};
}

Line line(const Notebook& book, const Note& note) {
  std::ostringstream out;
  switch (note.kind) {
    case Note::Kind::message:
      return message_line(book, book.messages.at(note.index));
    case Note::Kind::piece:
      return {"piece of " + std::to_string(book.messages.at(note.index).frame), {}};
    case Note::Kind::rpc:
      out << "rpc " << book.rpcs.at(note.index).frame;
      return {out.str(), {stream_text(book.rpcs.at(note.index).stream)}};
    case Note::Kind::times:
      return {"times " + times_text(book, note.index), {}};
    case Note::Kind::placement: {
      const PlacementNote& placement = book.placements.at(note.index);
      out << "placement " << connection_text(placement.connection) << ' ' << placement.frame << ' '
          << placement.xid << ' ' << placement.handle << ' ' << placement.offset << ' ' << placement.length;
      return {out.str(), {}};
    }
    case Note::Kind::finding: {
      const FindingNote& finding = book.findings.at(note.index);
      out << "finding " << uint32_t{finding.number} << ' ' << finding.frame << ' ' << finding.rule->id << ' '
          << finding.text << '|' << finding.accused << '|' << finding.clause;
      for (const Stamp& at : finding.related) {
        out << ' ' << at.number;
      }
      return {out.str(), {}};
    }
    default:
      return loss_line(book, note);
  }
}

}  // namespace

Shown show() {
  Shown shown;
  const Notebook* book = session::notebook();
  if (book == nullptr) {
    return shown;
  }
  size_t findings = 0;
  for (const bool late : {false, true}) {
    const FrameNotes& notes = late ? book->late : book->of_frame;
    for (uint32_t frame = 0; frame < notes.frames(); ++frame) {
      size_t place = 0;
      for (const Note& note : notes.of(frame)) {
        findings += !late && note.kind == Note::Kind::finding ? 1 : 0;
        shown[(late ? "late " : "of ") + std::to_string(frame) + " " + std::to_string(place++)] =
            line(*book, note);
      }
    }
  }
  require(findings == book->findings.size(), "a finding is listed that no frame has");
  return shown;
}

void compare(const Shown& got, const Shown& before, const Shown& after) {
  require(got.size() == before.size(), "other notes than before that frame");
  for (const auto& [place, line] : got) {
    const Line &was = before.at(place), &is = after.at(place);
    require(line.fixed == was.fixed && line.later.size() == was.later.size(), "a note is not what it was");
    for (size_t i = 0; i < line.later.size(); ++i) {
      require(line.later[i] == was.later[i] || line.later[i] == is.later[i], "a note is in pieces");
    }
  }
}

}  // namespace steertag::plugin
