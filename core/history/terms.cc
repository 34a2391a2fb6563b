#include "history/terms.h"

#include <algorithm>

namespace steertag::history {

const Reported* Terms::find(xchar::Id id) const {
  const auto found =
      std::find_if(reported.begin(), reported.end(), [&](const Reported& t) { return t.which == id; });
  return found == reported.end() ? nullptr : &*found;
}

const Asked* Terms::find_asked(uint32_t xid) const {
  const auto found = std::find_if(asked.begin(), asked.end(), [&](const Asked& a) { return a.xid == xid; });
  return found == asked.end() ? nullptr : &*found;
}

const Rejected* Terms::find_rejected(xchar::Operation opttype) const {
  const auto found =
      std::find_if(rejected.begin(), rejected.end(), [&](const Rejected& r) { return r.opttype == opttype; });
  return found == rejected.end() ? nullptr : &*found;
}

const Stamp* Terms::first_of(xchar::Operation operation) const {
  const size_t place = static_cast<size_t>(operation) - 1;
  return place < first.size() && first[place] ? &*first[place] : nullptr;
}

bool Terms::uses_characteristics() const {
  return std::any_of(first.begin(), first.end(),
                     [](const std::optional<Stamp>& at) { return at.has_value(); });
}

bool Terms::uses(xchar::Id id) const {
  const auto wants = [&](const Asked& a) {
    return std::any_of(a.want.begin(), a.want.end(), [&](const Term& t) { return t.which == id; });
  };
  return find(id) != nullptr || std::any_of(asked.begin(), asked.end(), wants);
}

void Terms::settle(const Term& now) {
  const auto same = [&](const Pended& p) { return p.which == now.which && p.digest == now.digest; };
  auto found = std::find_if(owed.begin(), owed.end(), same);
  if (found == owed.end()) {
    found = std::find_if(owed.begin(), owed.end(), [&](const Pended& p) { return p.which == now.which; });
  }
  if (found != owed.end()) {
    owed.erase(found);
  }
  for (Pended& other : owed) {
    other.certain &= other.which != now.which;
  }
}

uint32_t Terms::relied_on(const Reported& value) const {
  const uint32_t number = value.number.value_or(0);
  return value.solicited || was_heard(value.at) ? number : std::max(number, value.earlier);
}

const Stamp* asked_for(const Terms& owner, const Terms& peer, xchar::Id id) {
  for (const Pended& pended : owner.owed) {
    if (pended.which == id) {
      return &pended.asked;
    }
  }
  for (const Asked& asked : peer.asked) {
    for (const Term& wanted : asked.want) {
      if (wanted.which == id) {
        return &asked.at;
      }
    }
  }
  return nullptr;
}

size_t Terms::bytes() const {
  size_t bytes = reported.capacity() * sizeof(Reported) + asked.capacity() * sizeof(Asked) +
                 conveyed.capacity() * sizeof(Conveyed) + owed.capacity() * sizeof(Pended) +
                 rejected.capacity() * sizeof(Rejected) + asides.capacity() * sizeof(Aside) +
                 early.capacity() * sizeof(uint32_t);
  for (const Conveyed& one : conveyed) {
    bytes += one.data.capacity();
  }
  for (const Reported& one : reported) {
    bytes += one.data.capacity();
  }
  for (const Asked& one : asked) {
    bytes += one.want.capacity() * sizeof(Term) + one.old.capacity() * sizeof(one.old[0]);
  }
  return bytes;
}

}  // namespace steertag::history
