// Slots and Traffic that are used again: what of them is charged, and freed.
#include "rpc/slots.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;

TEST_CASE("a slot that is not in use is charged for what it keeps, until the pool shrinks") {
  base::Budget budget;
  SlotPool pool(budget);
  Slot* slot = pool.take();
  for (int i = 0; i < 1000; ++i) {
    slot->exchange.segments.add();
  }
  slot->exchange.call_inline.resize(64 << 10);
  pool.recharge(*slot);
  const size_t used = budget.held();
  CHECK(used > sizeof(Slot) + 1000 * sizeof(SegmentFlow) + (64 << 10));
  pool.give_back(slot);
  CHECK(budget.held() != 0);
  CHECK(budget.held() < used / 8);
  pool.shrink();
  CHECK(budget.held() == 0);
}

TEST_CASE("a slot that is taken again is as new, and its memory is there") {
  base::Budget budget;
  SlotPool pool(budget);
  Slot* slot = pool.take();
  slot->replied = true;
  slot->due_ns = 5;
  slot->exchange.xid = 7;
  slot->exchange.segments.add();
  pool.recharge(*slot);
  pool.give_back(slot);
  Slot* again = pool.take();
  CHECK(again == slot);
  CHECK_FALSE(again->replied);
  CHECK(again->due_ns == 0);
  CHECK(again->exchange.xid == 0);
  CHECK(again->exchange.segments.empty());
  CHECK(again->advertisement.exchange == &again->exchange);
  pool.give_back(again);
}

TEST_CASE("no more slots are kept than the bound says") {
  base::Budget budget;
  SlotPool pool(budget);
  std::vector<Slot*> taken;
  for (size_t i = 0; i < 2 * SlotPool::kMaxSpare; ++i) {
    taken.push_back(pool.take());
    pool.recharge(*taken.back());
  }
  const size_t all = budget.held();
  for (Slot* slot : taken) {
    pool.give_back(slot);
  }
  CHECK(budget.held() <= all / 2);
  pool.shrink();
  CHECK(budget.held() == 0);
}

TEST_CASE("slots leave a list from wherever they stand, the oldest first") {
  Slot a, b, c;
  SlotList list;
  list.add(a);
  list.add(b);
  list.add(c);
  list.remove(b);
  CHECK(list.size() == 2);
  CHECK(list.oldest() == &a);
  CHECK(a.links.newer == &c);
  list.remove(a);
  CHECK(list.oldest() == &c);
  list.add(a);
  CHECK(c.links.newer == &a);
  list.remove(c);
  list.remove(a);
  CHECK(list.empty());
  CHECK(list.oldest() == nullptr);
}

TEST_CASE("traffic that nobody refers to is charged for what it keeps, and no more than the bound says") {
  base::Budget budget;
  TrafficPool pool(budget);
  std::vector<TrafficRef> some;
  const size_t count = TrafficPool::kMaxSpareBytes / (64 << 10) * 4;
  for (size_t i = 0; i < count; ++i) {
    Traffic with;
    with.data.resize(i % 2 == 0 ? 1 << 20 : 64 << 10);  // much is not kept
    some.push_back(pool.make(std::move(with)));
  }
  CHECK(budget.held() > count / 2 << 20);
  some.clear();
  CHECK(budget.held() > TrafficPool::kMaxSpareBytes * 9 / 10);
  CHECK(budget.held() <= TrafficPool::kMaxSpareBytes);
  pool.shrink();
  CHECK(budget.held() == 0);
}
