#include "scenario/arguments.h"

#include <fmt/core.h>

namespace steertag::scenario {

Arguments::Form Arguments::form_of(const Term& term) {
  return term.group ? Form::group : term.value ? Form::value : Form::word;
}

const Term* Arguments::take(std::string_view name, Form form) {
  for (size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (!used_[i] && (name.empty() || term.name == name) && form_of(term) == form) {
      used_[i] = true;
      return &term;
    }
  }
  return nullptr;
}

std::optional<std::string_view> Arguments::value(std::string_view name) {
  const Term* term = take(name, Form::value);
  return term ? term->value : std::nullopt;
}

std::optional<uint64_t> Arguments::number(std::string_view name, uint64_t max) {
  const auto text = value(name);
  if (!text) {
    return std::nullopt;
  }
  const auto number = parse_number(*text);
  if (!number || *number > max) {
    problem_.say(
        fmt::format("{}= takes a number of at most {}, decimal or 0x hex, not \"{}\".", name, max, *text));
    return std::nullopt;
  }
  return number;
}

std::optional<uint32_t> Arguments::number(std::string_view name) {
  const auto wide = number(name, UINT32_MAX);
  return wide ? std::optional(static_cast<uint32_t>(*wide)) : std::nullopt;
}

std::optional<std::vector<uint8_t>> Arguments::octets(std::string_view name) {
  const auto text = value(name);
  if (!text) {
    return std::nullopt;
  }
  auto octets = parse_octets(*text);
  if (!octets) {
    problem_.say(fmt::format("{}= takes an even number of hex digits, not \"{}\".", name, *text));
  }
  return octets;
}

void Arguments::finish(std::string_view expected) {
  for (size_t i = 0; i < terms_.size(); ++i) {
    if (!used_[i]) {
      const Term& term = terms_[i];
      problem_.say(fmt::format("\"{}{}\" is not understood here, or is given too often; {}.", term.name,
                               term.group   ? "(...)"
                               : term.value ? "="
                                            : "",
                               expected));
      return;
    }
  }
}

uint32_t parse_u32(std::string_view text, std::string_view what, Problem& problem) {
  const auto number = parse_number(text);
  if (!number || *number > UINT32_MAX) {
    problem.say(
        fmt::format("\"{}\" should be {}: a number of at most 32 bits, decimal or 0x hex.", text, what));
    return 0;
  }
  return static_cast<uint32_t>(*number);
}

// [HANDLE:]LENGTH[@OFFSET]
SegmentSpec parse_segment(std::string_view text, Problem& problem) {
  SegmentSpec segment;
  const std::string_view whole = text;
  if (const size_t at = text.find('@'); at != text.npos) {
    segment.offset = parse_number(text.substr(at + 1));
    if (!segment.offset) {
      problem.say(fmt::format(
          "\"{}\": '@' must be followed by the segment's offset, a number of at most 64 bits.", whole));
    }
    text = text.substr(0, at);
  }
  if (const size_t colon = text.find(':'); colon != text.npos) {
    segment.handle = parse_u32(text.substr(0, colon), "a handle", problem);
    text.remove_prefix(colon + 1);
  }
  if (text != "*") {
    segment.length = parse_u32(text, "a segment, [HANDLE:]LENGTH[@OFFSET]", problem);
  }
  return segment;
}

Target parse_target(std::string_view text, Problem& problem) {
  Target target;
  if (!text.starts_with('@')) {
    if (text.find(':') == text.npos && text.find('@') == text.npos) {
      target.memory.handle = parse_u32(text, "@CHUNK, @CHUNK.SEGMENT or a handle", problem);
    } else {
      target.memory = parse_segment(text, problem);
    }
    return target;
  }
  text.remove_prefix(1);
  if (const size_t dot = text.find('.'); dot != text.npos) {
    target.segment = parse_u32(text.substr(dot + 1), "a segment's number, from 1", problem);
    if (target.segment == 0) {
      problem.say("Segments of a chunk are counted from 1, as in @data.1.");
    }
    text = text.substr(0, dot);
  }
  if (text.empty()) {
    problem.say("'@' must be followed by a chunk's name, as in @data.");
  }
  target.chunk = text;
  return target;
}

FieldPatch parse_field(const Term& term, Problem& problem) {
  FieldPatch patch;
  std::string_view name = term.name;
  if (const size_t hash = name.find('#'); hash != name.npos) {
    patch.occurrence = parse_u32(name.substr(hash + 1), "which of the fields, from 1", problem);
    if (patch.occurrence == 0) {
      problem.say("Fields of one name are counted from 1, as in handle#1=5.");
    }
    name = name.substr(0, hash);
  }
  patch.name = name;
  const auto value = parse_number(term.value.value_or(""));
  if (!value) {
    problem.say(fmt::format("{}= takes a number, decimal or 0x hex, not \"{}\".", term.name,
                            term.value.value_or("")));
  }
  patch.value = value.value_or(0);
  return patch;
}

OctetsPatch parse_octets_patch(const Term& term, Problem& problem) {
  OctetsPatch patch;
  if (term.arguments.size() != 2) {
    problem.say("Write set(OFFSET HEX), for example set(16 00000002).");
    return patch;
  }
  patch.offset = parse_u32(term.arguments[0].name, "an offset in bytes", problem);
  const auto octets = parse_octets(term.arguments[1].name);
  if (!octets) {
    problem.say(fmt::format("\"{}\" should be an even number of hex digits.", term.arguments[1].name));
  }
  patch.octets = octets.value_or(std::vector<uint8_t>{});
  return patch;
}

}  // namespace steertag::scenario
