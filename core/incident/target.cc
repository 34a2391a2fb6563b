#include "incident/target.h"

#include "base/digest.h"

namespace steertag::incident {
namespace {

uint64_t digest_of(const std::string& text) {
  const uint64_t digest =
      base::digest(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));  // NOLINT
  return digest == 0 ? 1 : digest;
}

}  // namespace

Target TargetReader::read(const flow::Exchange& exchange) {
  notes_.clear();
  call_.clear();
  if (exchange.call_padding || !flow::lay_out_call(exchange, layout_)) {
    return {};
  }
  nfs::Stream stream(layout_.stretches(), layout_.length());
  stream.behind = base::Behind::read;
  stream.chunks = layout_.chunks();
  stream.marks = &notes_;
  nfs::walk_call(stream, call_);
  if (!call_.complete()) {
    return {};
  }
  notes_.read(stream);
  Target target;
  text_.clear();
  for (const files::Note& note : notes_.all()) {
    const bool handle = note.meaning == nfs::Meaning::handle;
    if (!handle && note.meaning != nfs::Meaning::name) {
      continue;
    }
    if (!note.captured) {
      return {};
    }
    if (handle) {
      target.handle = digest_of(note.text);
    }
    text_ += std::to_string(note.operation) + (handle ? "h" : "n") + std::to_string(note.text.size()) + ":";
    text_ += note.text;
  }
  target.request = text_.empty() ? 0 : digest_of(text_);
  return target;
}

}  // namespace steertag::incident
