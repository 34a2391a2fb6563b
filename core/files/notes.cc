#include "files/notes.h"

#include <algorithm>

#include "base/stretch.h"
#include "nfs/listed_handles.h"

namespace steertag::files {

using nfs::Meaning;

namespace {

// The bytes from `at` on, up to `length` of them; fewer where not all were captured.
void take(base::StretchReader& from, uint64_t at, uint64_t length, std::string& into) {
  into.clear();
  const uint64_t end = at + length;
  for (Bytes run; at != end && !(run = from.run(at, end - at)).empty(); at += run.size()) {
    into.append(run.begin(), run.end());
  }
}

}  // namespace

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
  note.listed.clear();
  note.value = meaning == Meaning::item ? length : 0;
}

void Notes::read(const nfs::Stream& stream) {
  base::StretchReader reader(stream.stretches(), stream.behind);
  for (Note& note : notes_) {
    if (note.captured || note.length > kMostText) {
      continue;
    }
    take(reader, note.at, note.length, note.text);
    note.captured = note.text.size() == note.length;
    if (note.meaning == Meaning::offset || note.meaning == Meaning::count) {
      note.value = 0;
      for (const char byte : note.text) {
        note.value = note.value << 8 | static_cast<uint8_t>(byte);
      }
    }
  }
}

void Notes::read_listed(const nfs::Stream& stream) {
  read(stream);
  nfs::ListedHandles handles(stream);
  base::StretchReader reader(stream.stretches(), stream.behind);
  for (Note& note : notes_) {
    if (note.meaning != Meaning::name) {
      continue;
    }
    const auto place = handles.find(note.at + nfs::padded(note.length));
    if (place && place->length <= kMostText) {
      take(reader, place->at, place->length, note.listed);
    }
    if (place && note.listed.size() != place->length) {
      note.listed.clear();
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
