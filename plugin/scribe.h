// Scribe: writes what the engine reports into the Notebook. Its only state is which
// frame is being fed, so that it can see whether the bytes of a message are that
// frame's (then their place is noted) or were reassembled from several (then they
// are copied).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "event.h"
#include "loss_scribe.h"
#include "notebook.h"

namespace steertag::plugin {

class Scribe {
 public:
  explicit Scribe(Notebook& book) : book_(book) {}

  void begin(uint32_t frame, Bytes bytes) {
    frame_ = frame;
    bytes_ = bytes;
  }
  void on(const Event& event);
  void on_finding(const rules::Finding& finding);

 private:
  void note(const track::Connection& connection);
  void note(const flow::Message& message);
  void note(const PlacementSeen& placement);
  void note(const flow::Access& access);
  void note(const flow::Exchange& exchange);
  void note_times(const flow::Exchange& exchange);

  void note_bytes(const flow::Message& message, MessageNote& note);
  void note_standing(const flow::Message& message, MessageNote& note);
  void note_stream(const flow::Message& message, MessageNote& note);
  enum class More : uint8_t { none, perhaps };  // of what arrives for it
  void report_read(const flow::Exchange& exchange, flow::ChunkKind kind, More more);
  PlacementNote& placement(const flow::Exchange& exchange, const flow::SegmentFlow& segment, uint32_t frame);
  int64_t keep(Stream&& stream, const MessageNote& of);

  const ConnectionNote* connection(const track::Connection& connection);
  uint32_t place_of(uint32_t frame, uint32_t connection, uint32_t xid, rdma::Side from) const;
  MessageNote* find(uint32_t frame, uint32_t connection, uint32_t xid, rdma::Side from);

  Notebook& book_;
  LossScribe losses_{book_};
  uint32_t frame_ = 0;
  Bytes bytes_;
};

}  // namespace steertag::plugin
