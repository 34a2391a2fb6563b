#include "product/kept.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace steertag::product {
namespace {

class Inside {
 public:
  explicit Inside(Gate* gate) : gate_(gate) {
    if (gate_ != nullptr) {
      gate_->enter();
    }
  }
  ~Inside() {
    if (gate_ != nullptr) {
      gate_->leave();
    }
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Gate* gate_;
};

}  // namespace

Kept::Kept(const std::array<Limit, kOrders>& most, Gate* gate) : most_(most), gate_(gate) {
  for (const Limit& limit : most_) {
    most_held_.records += limit.records;
    most_held_.bytes += limit.bytes;
  }
  most_held_.records += most_held_.records / 4 + 1024;
  most_held_.bytes += most_held_.bytes / 4;
}

void Kept::add(Record&& record) {
  const Inside one_at_a_time(gate_);
  ++seen_;
  bytes_ += record.weight;
  records_.push_back(std::move(record));
  if (records_.size() >= most_held_.records || bytes_ >= most_held_.bytes) {
    trim();
  }
}

// Of each order the first, as far as they fit; what none of them keeps goes.
void Kept::trim() {
  std::vector<bool> kept(records_.size());
  std::vector<size_t> order;
  for (size_t by = 0; by < kOrders; ++by) {
    order.clear();
    for (size_t i = 0; i < records_.size(); ++i) {
      if (records_[i].ranks[by] != kNot) {
        order.push_back(i);
      }
    }
    std::sort(order.begin(), order.end(), [&](size_t x, size_t y) {
      const Record &a = records_[x], &b = records_[y];
      return std::tie(a.ranks[by], a.chance, a.at.file, a.at.number) <
             std::tie(b.ranks[by], b.chance, b.at.file, b.at.number);
    });
    size_t bytes = 0;
    for (size_t place = 0; place < std::min(order.size(), most_[by].records); ++place) {
      bytes += records_[order[place]].weight;
      if (bytes > most_[by].bytes) {
        break;
      }
      kept[order[place]] = true;
    }
  }
  size_t end = 0;
  bytes_ = 0;
  for (size_t i = 0; i < records_.size(); ++i) {
    if (kept[i]) {
      bytes_ += records_[i].weight;
      if (end != i) {
        records_[end] = std::move(records_[i]);
      }
      ++end;
    }
  }
  records_.resize(end);
}

void Kept::finish() {
  trim();
  std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
    return std::tie(a.at.time_ns, a.at.file, a.at.number, a.chance, a.text) <
           std::tie(b.at.time_ns, b.at.file, b.at.number, b.chance, b.text);
  });
}

uint64_t Kept::chance_of(const Stamp& at, uint32_t xid) {
  uint64_t value = at.number * 0x9e3779b97f4a7c15 + (uint64_t{at.file} << 32) + xid;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace steertag::product
