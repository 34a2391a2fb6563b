#include "rpc/agenda.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fetch.h"

namespace steertag::rpc {
namespace {

bool later(const auto& x, const auto& y) {
  return x.due_ns > y.due_ns;
}

}  // namespace

Agenda::Client::~Client() {
  for (const Seat& seat : seats_) {
    Entry& entry = seat.clock->entries[seat.entry];
    seat.clock->waiting -= entry.due_ns != INT64_MAX ? 1 : 0;
    entry = {.changes = entry.changes + 1};
    seat.clock->free.push_back(seat.entry);
  }
}

void Agenda::Clock::set(uint32_t entry, int64_t due_ns) {
  Entry& changed = entries[entry];
  waiting += changed.due_ns == INT64_MAX ? 1 : 0;
  changed.due_ns = due_ns;
  heap.push_back({due_ns, entry, ++changed.changes});
  std::push_heap(heap.begin(), heap.end(), later<Due, Due>);
  trim();
}

void Agenda::Clock::pop() {
  std::pop_heap(heap.begin(), heap.end(), later<Due, Due>);
  heap.pop_back();
}

// What no longer holds is never much more than what does.
void Agenda::Clock::trim() {
  if (heap.size() < 2 * waiting + 64) [[likely]] {
    return;
  }
  std::erase_if(heap, [&](const Due& due) { return entries[due.entry].changes != due.changes; });
  std::make_heap(heap.begin(), heap.end(), later<Due, Due>);
}

void Agenda::add(Client& client, uint32_t clock, int64_t due_ns) {
  Clock& own = current_ != nullptr && number_ == clock ? *current_ : clocks_[clock];
  auto seat = std::find_if(client.seats_.begin(), client.seats_.end(),
                           [&](const Client::Seat& one) { return one.clock == &own; });
  if (seat == client.seats_.end()) {
    if (own.free.empty()) {
      own.free.push_back(static_cast<uint32_t>(own.entries.size()));
      own.entries.emplace_back();
    }
    client.seats_.push_back({&own, own.free.back()});
    own.free.pop_back();
    seat = std::prev(client.seats_.end());
    own.entries[seat->entry].client = &client;
  }
  Entry& entry = own.entries[seat->entry];
  if (entry.due_ns == INT64_MAX) {
    entry.since = now_.frame;
  }
  if (due_ns < entry.due_ns) {
    own.set(seat->entry, due_ns);
  }
}

void Agenda::flush(Clock& clock, int64_t now_ns) {
  due_.clear();
  while (!clock.heap.empty() && clock.heap[0].due_ns <= now_ns) {
    const Due due = clock.heap[0];
    clock.pop();
    Entry& entry = clock.entries[due.entry];
    if (entry.changes == due.changes) {
      entry.due_ns = INT64_MAX;
      ++entry.changes;
      --clock.waiting;
      due_.push_back(due.entry);
    }
  }
  std::sort(due_.begin(), due_.end(), [&](uint32_t x, uint32_t y) {
    const Entry& first = clock.entries[x];
    const Entry& second = clock.entries[y];
    return std::pair(first.since, first.client->order()) < std::pair(second.since, second.client->order());
  });
  for (const uint32_t place : due_) {
    Client& client = *clock.entries[place].client;
    now_.turn(Moment::Phase::agenda, clock.entries[place].since, client.order());
    client.flush(now_ns);
    const int64_t due_ns = client.due();
    if (due_ns != INT64_MAX) {
      clock.set(place, due_ns);
    }
  }
}

// The front of a heap holds those that are next, more or less.
void Agenda::expect(int64_t then_ns) const {
  if (current_ == nullptr || current_->heap.empty() || current_->heap[0].due_ns > then_ns) {
    return;
  }
  std::array<const Client*, 48> next{};
  size_t count = 0;
  const std::vector<Due>& heap = current_->heap;
  for (size_t i = 0; i < std::min(heap.size(), next.size()); ++i) {
    const Entry& entry = current_->entries[heap[i].entry];
    if (heap[i].due_ns <= then_ns && entry.changes == heap[i].changes) {
      base::fetch(entry.client, 1);
      next[count++] = entry.client;
    }
  }
  for (const Client::Nearing step : {Client::Nearing::itself, Client::Nearing::contents}) {
    for (size_t i = 0; i < count; ++i) {
      next[i]->expect_flush(step);
    }
  }
}

}  // namespace steertag::rpc
