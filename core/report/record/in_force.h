// The members of a connection that say what is in force on it: how long the Sends of each end may be, who
// takes Send With Invalidate, which transport characteristics hold, and what says so. Each is said once for
// all that print them or describe them (member.h).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "history/in_force.h"
#include "report/names.h"
#include "report/record/ends.h"
#include "report/record/member.h"
#include "report/record/negotiation.h"

namespace steertag::report::record {

template <typename To>
void tell_certain(To& to, bool certain) {
  to.boolean({"certain", R"("const": false)", "Something is missing that may have changed it since."},
             certain ? std::nullopt : std::optional(false));
}

// "inline_threshold"
template <typename To>
void tell_limit(To& to, const history::Limit& limit) {
  to.number({"bytes", "word", "By CONF_RDMA: of the RPC message in it."}, limit.bytes);
  to.text({"by", R"("enum": ["default", "private_data", "XCHAR_RBSIZ", "CONF_RDMA"])",
           "What sets it; default: the version of the protocol."},
          name(limit.by, rpcrdma::xchar::Id::rbsiz));
  to.frame({"frame", "file", "The frame of the message that has set it."}, limit.at);
  tell_certain(to, limit.certain);
}

// "remote_invalidation"
template <typename To>
void tell_permission(To& to, const history::InForce::Permission& permission) {
  to.boolean({"accepted", "",
              "By private data: only where both ends support it. By default, rdma_inv_handle of a Call may "
              "still name a handle."},
             permission.given);
  to.text({"by", R"("enum": ["default", "private_data", "XCHAR_REQREMINV"])",
           "What says so; default: the version of the protocol."},
          name(permission.by, rpcrdma::xchar::Id::reqreminv));
  to.frame({"frame", "file", "The frame of the message that says so."}, permission.at);
  tell_certain(to, permission.certain);
}

// An element of "characteristics_in_force"
template <typename To>
void tell_in_force(To& to, const history::InForce::Value& value) {
  const history::Conveyed& now = value.now;
  to.rule(R"("anyOf": [{"properties": {"frame": true}, "required": ["frame"]}, )"
          R"({"properties": {"default": true}, "required": ["default"]}])");
  tell_id(to, now.which);
  tell_term(to, now);
  to.truth({"default", "", "It was never conveyed."}, value.is_default);
  to.frame({"frame", "file", "The frame of the message that conveyed the value."},
           value.is_default ? std::nullopt : std::optional(now.at));
  to.text_if({"operation", "conveying"}, value.is_default ? std::string_view() : name(now.by));
  to.needs("operation", {"frame"});
  tell_certain(to, value.certain);
  to.list_if({"changes", R"("minItems": 2)",
              "All values that it had, in order, the one in force last; where there were several."},
             value.history.size() > 1, value.history, kEvery, [&](const history::Conveyed& one) {
               tell_term(to, one,
                         {.value = "As above, and so are the others.",
                          .text = "The name of the value.",
                          .data = "The first 64 bytes.",
                          .data_length = "Of the data."});
               to.frame({"frame", "file", "The frame of the message that conveyed it."}, one.at);
               to.text_if({"operation", "conveying"}, name(one.by));
             });
}

// `in_force`: null where it is not known.
template <typename To>
void tell_all_in_force(To& to, const EndNames& ends, const history::InForce* in_force) {
  const auto of = [in_force](auto history::InForce::End::*what) {
    return [in_force, what](rdma::Side side) {
      using What = std::remove_cvref_t<decltype(history::InForce::End().*what)>;
      return in_force == nullptr ? What() : in_force->of(side).*what;
    };
  };
  tell_of_ends(to,
               {"inline_thresholds", "",
                "How long the Sends of each end may be when the connection ends (connections, report), where "
                "that is known."},
               "inline_threshold", ends, of(&history::InForce::End::sends),
               [&](const history::Limit& limit) { tell_limit(to, limit); });
  tell_of_ends(to,
               {"remote_invalidation", "",
                "Whether each end, as a Requester, takes Send With Invalidate, where that is known."},
               "remote_invalidation", ends, of(&history::InForce::End::invalidation),
               [&](const history::InForce::Permission& permission) { tell_permission(to, permission); });
  using Values = std::span<const history::InForce::Value>;
  tell_of_ends(
      to,
      {"characteristics", "",
       "Version two: the transport characteristics of each end that are in force, by their numbers; also "
       "those that have their default, where nothing is missing that may have changed it."},
      ends,
      [&](rdma::Side side) {
        const Values values = in_force != nullptr ? Values(in_force->of(side).characteristics) : Values();
        return values.empty() ? std::nullopt : std::optional(values);
      },
      [&](std::string_view name, const std::optional<Values>& values) {
        to.list_if({name, "characteristics_in_force"}, values.has_value(), values.value_or(Values()), kEvery,
                   [&](const history::InForce::Value& value) { tell_in_force(to, value); });
      });
}

}  // namespace steertag::report::record
