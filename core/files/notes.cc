#include "files/notes.h"

#include <algorithm>

#include "base/stretch.h"

namespace steertag::files {

using nfs::Meaning;

void Notes::clear() {
  notes_.clear();
  entered_ = 0;
}

void Notes::rewind(uint64_t offset) {
  while (!notes_.empty() && notes_.back().at >= offset) {
    notes_.drop_last();
  }
  entered_ = notes_.empty() ? 0 : notes_.back().operation + 1;
}

void Notes::enter(uint32_t operation) {
  entered_ = operation + 1;
}

void Notes::mark(uint64_t offset, uint64_t length, Meaning meaning) {
  const bool ours = meaning == Meaning::handle || meaning == Meaning::name || meaning == Meaning::offset ||
                    meaning == Meaning::count || meaning == Meaning::item;
  if (!ours || notes_.size() == kMostNotes) {
    return;
  }
  Note& note = notes_.add();
  note.operation = entered_ == 0 ? 0 : entered_ - 1;
  note.meaning = meaning == Meaning::item ? Meaning::count : meaning;
  note.at = offset;
  note.length = length;
  note.captured = meaning == Meaning::item;
  note.text.clear();
  note.value = meaning == Meaning::item ? length : 0;
}

void Notes::read(const nfs::Stream& stream) {
  base::StretchReader reader(stream.stretches(), stream.behind);
  for (Note& note : notes_) {
    if (note.captured || note.length > kMostText) {
      continue;
    }
    note.text.clear();
    uint64_t at = note.at;
    const uint64_t end = note.at + note.length;
    for (Bytes run; at != end && !(run = reader.run(at, end - at)).empty(); at += run.size()) {
      note.text.append(run.begin(), run.end());
    }
    note.captured = at == end;
    if (note.meaning == Meaning::offset || note.meaning == Meaning::count) {
      note.value = 0;
      for (const char byte : note.text) {
        note.value = note.value << 8 | static_cast<uint8_t>(byte);
      }
    }
  }
}

std::span<const Note> Notes::of(uint32_t operation) const {
  const auto before = [](const Note& note, uint32_t one) { return note.operation < one; };
  const auto after = [](uint32_t one, const Note& note) { return one < note.operation; };
  return {std::lower_bound(notes_.begin(), notes_.end(), operation, before),
          std::upper_bound(notes_.begin(), notes_.end(), operation, after)};
}

const Note* first(std::span<const Note> notes, Meaning meaning) {
  const auto found =
      std::find_if(notes.begin(), notes.end(), [=](const Note& note) { return note.meaning == meaning; });
  return found != notes.end() && found->captured ? &*found : nullptr;
}

}  // namespace steertag::files
