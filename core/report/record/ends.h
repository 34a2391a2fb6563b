// What the ends of a connection are called in records: client and server where their roles are known, a and
// b, in the order in which they were seen, where not. A record tells of all four names (member.h): two of
// them always stand for nobody.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "report/record/member.h"
#include "track/connection.h"

namespace steertag::report::record {

struct EndName {
  std::string_view name;
  std::optional<rdma::Side> side;  // unset: nobody is called so
};
using EndNames = std::array<EndName, 4>;

inline EndNames end_names(const track::Connection& connection) {
  using rdma::Side;
  if (!connection.client) {
    return {EndName{"client", {}}, {"server", {}}, {"a", Side::a}, {"b", Side::b}};
  }
  const Side client = *connection.client;
  return {EndName{"client", client}, {"server", rdma::other(client)}, {"a", {}}, {"b", {}}};
}

// An object with a member for each end that there is something to say of. `of`: what that is, of a Side, as
// std::optional; `tell`: its members, which are those of the definition `type`.
template <typename To, typename Of, typename Tell>
void tell_of_ends(To& to, const Member& m, std::string_view type, const EndNames& ends, const Of& of,
                  const Tell& tell) {
  using There = decltype(of(rdma::Side::a));
  const auto there = [&](const EndName& end) { return end.side ? of(*end.side) : There(); };
  const bool any =
      std::any_of(ends.begin(), ends.end(), [&](const EndName& end) { return there(end).has_value(); });
  to.object_if(m, any, [&] {
    to.rule(R"("minProperties": 1)");
    for (const EndName& end : ends) {
      const There said = there(end);
      to.object_if({end.name, type}, said.has_value(),
                   [&] { tell(said.value_or(typename There::value_type())); });
    }
  });
}

}  // namespace steertag::report::record
