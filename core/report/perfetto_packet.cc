#include "report/perfetto_packet.h"

#include "base/printable.h"

namespace steertag::report {
namespace {

// perfetto/trace/trace.proto, trace_packet.proto
constexpr uint32_t kTracePacket = 1;
constexpr uint32_t kClockSnapshot = 6, kTimestamp = 8, kTrustedPacketSequenceId = 10, kTrackEvent = 11,
                   kTimestampClockId = 58, kTrackDescriptor = 60;
// clock_snapshot.proto, common/builtin_clock.proto
constexpr uint32_t kClocks = 1, kPrimaryTraceClock = 2;
constexpr uint32_t kClockId = 1, kClockTimestamp = 2;
constexpr uint64_t kRealtime = 1, kBoottime = 6;
// track_event/track_descriptor.proto
constexpr uint32_t kUuid = 1, kTrackName = 2, kParentUuid = 5, kCounter = 8, kChildOrdering = 11,
                   kSiblingOrderRank = 12, kSiblingMergeBehavior = 15;
constexpr uint64_t kExplicit = 3, kNeverMerged = 2;
// track_event/counter_descriptor.proto
constexpr uint32_t kUnit = 3;
constexpr uint64_t kCount = 2;
// track_event/track_event.proto
constexpr uint32_t kDebugAnnotations = 4, kType = 9, kTrackUuid = 11, kCategories = 22, kName = 23,
                   kCounterValue = 30, kFlowIds = 47, kTerminatingFlowIds = 48, kCorrelationId = 52;
// track_event/debug_annotation.proto
constexpr uint32_t kUintValue = 3, kStringValue = 6, kAnnotationName = 10;

constexpr uint64_t kSequence = 1;  // all packets are of one writer

}  // namespace

void perfetto_clock(Buffer& out, int64_t time_ns) {
  ProtobufWriter writer(out);
  const size_t packet = writer.message(kTracePacket);
  const size_t snapshot = writer.message(kClockSnapshot);
  // Readers that know nothing of a primary clock take all times for those of BOOTTIME.
  for (const uint64_t clock : {kBoottime, kRealtime}) {
    const size_t reading = writer.message(kClocks);
    writer.number(kClockId, clock);
    writer.number(kClockTimestamp, static_cast<uint64_t>(time_ns));
    writer.end(reading);
  }
  writer.number(kPrimaryTraceClock, kRealtime);
  writer.end(snapshot);
  writer.number(kTrustedPacketSequenceId, kSequence);
  writer.end(packet);
}

void perfetto_track(Buffer& out, const PerfettoTrack& track) {
  ProtobufWriter writer(out);
  const size_t packet = writer.message(kTracePacket);
  writer.number(kTrustedPacketSequenceId, kSequence);
  const size_t descriptor = writer.message(kTrackDescriptor);
  writer.number(kUuid, track.id);
  if (track.parent != 0) {
    writer.number(kParentUuid, track.parent);
  }
  writer.text(kTrackName, base::printable(track.name));
  if (track.counter) {
    const size_t counter = writer.message(kCounter);
    writer.number(kUnit, kCount);
    writer.end(counter);
  } else {
    writer.number(kChildOrdering, kExplicit);
  }
  writer.number(kSiblingOrderRank, track.rank);
  writer.number(kSiblingMergeBehavior, kNeverMerged);
  writer.end(descriptor);
  writer.end(packet);
}

PerfettoEvent::PerfettoEvent(Buffer& out, PerfettoType type, uint64_t track, int64_t time_ns)
    : writer_(out), packet_(writer_.message(kTracePacket)) {
  writer_.number(kTimestamp, static_cast<uint64_t>(time_ns));
  writer_.number(kTimestampClockId, kRealtime);
  writer_.number(kTrustedPacketSequenceId, kSequence);
  event_ = writer_.message(kTrackEvent);
  writer_.number(kType, static_cast<uint64_t>(type));
  writer_.number(kTrackUuid, track);
}

PerfettoEvent::~PerfettoEvent() {
  writer_.end(event_);
  writer_.end(packet_);
}

void PerfettoEvent::category(std::string_view text) {
  writer_.text(kCategories, text);
}

void PerfettoEvent::name(std::string_view text) {
  writer_.text(kName, base::printable(text));
}

void PerfettoEvent::value(uint64_t value) {
  writer_.number(kCounterValue, value);
}

void PerfettoEvent::leads(uint64_t flow) {
  writer_.fixed64(kFlowIds, flow);
}

void PerfettoEvent::follows(uint64_t flow) {
  writer_.fixed64(kTerminatingFlowIds, flow);
}

void PerfettoEvent::belongs(uint64_t number) {
  writer_.number(kCorrelationId, number);
}

void PerfettoEvent::note(std::string_view key, uint64_t value) {
  const size_t annotation = writer_.message(kDebugAnnotations);
  writer_.text(kAnnotationName, key);
  writer_.number(kUintValue, value);
  writer_.end(annotation);
}

void PerfettoEvent::note(std::string_view key, std::string_view text) {
  const size_t annotation = writer_.message(kDebugAnnotations);
  writer_.text(kAnnotationName, key);
  writer_.text(kStringValue, base::printable(text));
  writer_.end(annotation);
}

}  // namespace steertag::report
