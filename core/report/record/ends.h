// What the ends of a connection are called in records: client and server where their roles are known, a and
// b, in the order in which they were seen, where not. A record tells of all four names (member.h): two of
// them always stand for nobody.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

#include "rdma/op.h"
#include "report/record/member.h"

namespace steertag::report::record {

struct EndName {
  std::string_view name;
  std::optional<rdma::Side> side;  // unset: nobody is called so
};
using EndNames = std::array<EndName, 4>;

inline EndNames end_names(const std::optional<rdma::Side>& client) {
  using rdma::Side;
  if (!client) {
    return {EndName{"client", {}}, {"server", {}}, {"a", Side::a}, {"b", Side::b}};
  }
  return {EndName{"client", client}, {"server", rdma::other(*client)}, {"a", {}}, {"b", {}}};
}

// An object with a member for each end that there is something to say of. `of`: what that is, of a Side, as
// std::optional; `tell`: the member of that name.
void tell_of_ends(auto& to, const Member& m, const EndNames& ends, const auto& of, const auto& tell) {
  using There = decltype(of(rdma::Side::a));
  const auto there = [&](const EndName& end) { return end.side ? of(*end.side) : There(); };
  const bool any =
      std::any_of(ends.begin(), ends.end(), [&](const EndName& end) { return there(end).has_value(); });
  to.object_if(m, any, [&] {
    to.rule(R"("minProperties": 1)");
    for (const EndName& end : ends) {
      tell(end.name, there(end));
    }
  });
}

// The same of objects: `tell`: the members of one, which are those of the definition `type`.
void tell_of_ends(auto& to, const Member& m, std::string_view type, const EndNames& ends, const auto& of,
                  const auto& tell) {
  tell_of_ends(to, m, ends, of, [&](std::string_view name, const auto& said) {
    to.object_if({name, type}, said.has_value(),
                 [&] { tell(said.value_or(typename std::decay_t<decltype(said)>::value_type())); });
  });
}

}  // namespace steertag::report::record
