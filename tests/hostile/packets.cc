#include "packets.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <span>

#include "judge.h"

namespace steertag::hostile {
namespace {

enum class Type : uint8_t { varint = 0, fixed64 = 1, text = 2, message };

struct Schema;
struct Field {
  uint64_t number;
  Type type;
  const Schema* inner = nullptr;
};
struct Schema {
  std::span<const Field> fields;
};

// By the numbers of Perfetto's schema, as tests/trace/perfetto.proto.
constexpr Field kClockFields[] = {{1, Type::varint}, {2, Type::varint}};
constexpr Schema kClock{kClockFields};
constexpr Field kSnapshotFields[] = {{1, Type::message, &kClock}, {2, Type::varint}};
constexpr Schema kSnapshot{kSnapshotFields};
constexpr Field kCounterFields[] = {{3, Type::varint}};
constexpr Schema kCounter{kCounterFields};
constexpr Field kTrackFields[] = {
    {1, Type::varint},  {2, Type::text},    {5, Type::varint}, {8, Type::message, &kCounter},
    {11, Type::varint}, {12, Type::varint}, {15, Type::varint}};
constexpr Schema kTrack{kTrackFields};
constexpr Field kAnnotationFields[] = {{3, Type::varint}, {6, Type::text}, {10, Type::text}};
constexpr Schema kAnnotation{kAnnotationFields};
constexpr Field kEventFields[] = {{4, Type::message, &kAnnotation},
                                  {9, Type::varint},
                                  {11, Type::varint},
                                  {22, Type::text},
                                  {23, Type::text},
                                  {30, Type::varint},
                                  {47, Type::fixed64},
                                  {48, Type::fixed64},
                                  {52, Type::varint}};
constexpr Schema kEvent{kEventFields};
constexpr Field kPacketFields[] = {
    {6, Type::message, &kSnapshot}, {8, Type::varint},  {10, Type::varint},
    {11, Type::message, &kEvent},   {58, Type::varint}, {60, Type::message, &kTrack}};
constexpr Schema kPacket{kPacketFields};
constexpr Field kTraceFields[] = {{1, Type::message, &kPacket}};
constexpr Schema kTrace{kTraceFields};

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  return std::nullopt;
}

const Field* find(const Schema& schema, uint64_t tag) {
  for (const Field& field : schema.fields) {
    const auto wire = static_cast<uint64_t>(field.type == Type::message ? Type::text : field.type);
    if (tag == (field.number << 3 | wire)) {
      return &field;
    }
  }
  return nullptr;
}

std::string judge_message(std::string_view bytes, const Schema& schema) {
  while (!bytes.empty()) {
    const std::optional<uint64_t> tag = take_varint(bytes);
    const Field* const field = tag ? find(schema, *tag) : nullptr;
    if (field == nullptr) {
      return fmt::format("a field of the trace has the tag {}", tag.value_or(0));
    }
    const std::optional<uint64_t> value = field->type == Type::fixed64 ? 8 : take_varint(bytes);
    const bool delimited = field->type != Type::varint;
    if (!value || (delimited && *value > bytes.size())) {
      return fmt::format("field {} of the trace is cut", field->number);
    }
    if (!delimited) {
      continue;
    }
    const std::string_view inside = bytes.substr(0, *value);
    bytes.remove_prefix(*value);
    const std::string wrong = field->type == Type::message ? judge_message(inside, *field->inner)
                              : field->type == Type::text  ? judge_text(inside)
                                                           : std::string();
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

}  // namespace

std::string judge_packets(std::string_view trace) {
  return judge_message(trace, kTrace);
}

}  // namespace steertag::hostile
