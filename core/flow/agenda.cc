#include "flow/agenda.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace steertag::flow {

Agenda::Client::~Client() {
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->place != SIZE_MAX) {
      remove(*entry);
    }
  }
}

void Agenda::add(Client& client, uint32_t file, int64_t due_ns) {
  Clock& clock = current_ != nullptr && file_ == file ? *current_ : clocks_[file];
  const auto found = std::find_if(client.entries_.begin(), client.entries_.end(),
                                  [&](const auto& entry) { return entry->clock == &clock; });
  Entry& entry = found != client.entries_.end()
                     ? **found
                     : *client.entries_.emplace_back(std::make_unique<Entry>(Entry{&clock, &client}));
  if (entry.place == SIZE_MAX) {
    entry.since = now_.frame;
    entry.due_ns = due_ns;
    push(entry);
  } else if (due_ns < entry.due_ns) {
    entry.due_ns = due_ns;
    rise(entry);
  }
}

void Agenda::flush(Clock& clock, int64_t now_ns) {
  due_.clear();
  while (!clock.heap.empty() && clock.heap[0]->due_ns <= now_ns) {
    due_.push_back(clock.heap[0]);
    remove(*clock.heap[0]);
  }
  std::sort(due_.begin(), due_.end(), [](const Entry* x, const Entry* y) {
    return std::pair(x->since, x->client->order()) < std::pair(y->since, y->client->order());
  });
  for (Entry* entry : due_) {
    now_.turn(Moment::Phase::agenda, entry->since, entry->client->order());
    entry->client->flush(now_ns);
    entry->due_ns = entry->client->due();
    if (entry->due_ns != INT64_MAX) {
      push(*entry);
    }
  }
}

void Agenda::push(Entry& entry) {
  entry.clock->heap.push_back(&entry);
  entry.place = entry.clock->heap.size() - 1;
  rise(entry);
}

void Agenda::remove(Entry& entry) {
  std::vector<Entry*>& heap = entry.clock->heap;
  STEERTAG_CHECK(entry.place < heap.size() && heap[entry.place] == &entry);
  Entry& last = *heap.back();
  const size_t place = entry.place;
  heap.pop_back();
  entry.place = SIZE_MAX;
  if (&last != &entry) {
    put(last, place);
    rise(last);
    sink(last);
  }
}

void Agenda::put(Entry& entry, size_t place) {
  entry.clock->heap[place] = &entry;
  entry.place = place;
}

void Agenda::rise(Entry& entry) {
  const std::vector<Entry*>& heap = entry.clock->heap;
  while (entry.place != 0) {
    Entry& above = *heap[(entry.place - 1) / 2];
    if (above.due_ns <= entry.due_ns) {
      return;
    }
    const size_t place = above.place;
    put(above, entry.place);
    put(entry, place);
  }
}

void Agenda::sink(Entry& entry) {
  const std::vector<Entry*>& heap = entry.clock->heap;
  for (;;) {
    const size_t left = entry.place * 2 + 1;
    if (left >= heap.size()) {
      return;
    }
    const bool right = left + 1 < heap.size() && heap[left + 1]->due_ns < heap[left]->due_ns;
    Entry& below = *heap[left + (right ? 1 : 0)];
    if (below.due_ns >= entry.due_ns) {
      return;
    }
    const size_t place = below.place;
    put(below, entry.place);
    put(entry, place);
  }
}

}  // namespace steertag::flow
