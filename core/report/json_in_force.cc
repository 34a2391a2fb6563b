#include <algorithm>
#include <string_view>

#include "report/json_parts.h"
#include "report/names.h"

namespace steertag::report {
namespace {

using flow::InForce;
namespace xchar = rpcrdma::xchar;

// "by":"XCHAR_RBSIZ","frame":12. `id`: the characteristic that may have set it.
template <typename Fact>
void basis(JsonWriter& json, const Fact& fact, xchar::Id id, const Files& files) {
  json.text("by", name(fact.by, id));
  if (fact.at) {
    json_frame(json, "frame", "file", *fact.at, files);
  }
  if (!fact.certain) {
    json.boolean("certain", false);
  }
}

void conveyed(JsonWriter& json, const flow::Conveyed& value, const Files& files) {
  json_term(json, value);
  json_frame(json, "frame", "file", value.at, files);
  if (const std::string_view by = xchar::text(value.by); !by.empty()) {
    json.text("operation", by);
  }
}

void characteristic_in_force(JsonWriter& json, const InForce::Value& value, const Files& files) {
  json.object();
  json_id(json, value.now.which);
  if (value.is_default) {
    json_term(json, value.now);
    json.boolean("default", true);
  } else {
    conveyed(json, value.now, files);
  }
  if (!value.certain) {
    json.boolean("certain", false);
  }
  if (value.history.size() > 1) {
    json.list("changes");
    for (const flow::Conveyed& one : value.history) {
      json.object();
      conveyed(json, one, files);
      json.end_object();
    }
    json.end_list();
  }
  json.end_object();
}

}  // namespace

void json_id(JsonWriter& json, xchar::Id id) {
  json.number("id", static_cast<uint32_t>(id));
  if (const std::string_view known = xchar::text(id); !known.empty()) {
    json.text("name", known);
  }
}

void json_term(JsonWriter& json, const flow::Term& term) {
  if (!term.number) {
    json.hex("data", Bytes(term.data));
    if (term.length > term.data.size()) {
      json.number("data_length", term.length);
    }
    return;
  }
  json.number("value", *term.number);
  if (xchar::find(term.which)->type != xchar::Type::number) {
    json.text("text", xchar::value_text(term.which, *term.number));
  }
}

void json_in_force(JsonWriter& json, const InForce& in_force, const EndKeys& ends, const Files& files) {
  const auto each = [&](std::string_view key, auto&& there, auto&& print) {
    if (!std::any_of(ends.begin(), ends.end(),
                     [&](const EndKey& end) { return there(in_force.of(end.side)); })) {
      return;
    }
    json.object(key);
    for (const EndKey& end : ends) {
      if (there(in_force.of(end.side))) {
        print(end.key, in_force.of(end.side));
      }
    }
    json.end_object();
  };
  each(
      "inline_thresholds", [](const InForce::End& end) { return end.sends.has_value(); },
      [&](std::string_view key, const InForce::End& end) {
        json.object(key);
        json.number("bytes", end.sends->bytes);
        basis(json, *end.sends, xchar::Id::rbsiz, files);
        json.end_object();
      });
  each(
      "remote_invalidation", [](const InForce::End& end) { return end.invalidation.has_value(); },
      [&](std::string_view key, const InForce::End& end) {
        json.object(key);
        json.boolean("accepted", end.invalidation->given);
        basis(json, *end.invalidation, xchar::Id::reqreminv, files);
        json.end_object();
      });
  each(
      "characteristics", [](const InForce::End& end) { return !end.characteristics.empty(); },
      [&](std::string_view key, const InForce::End& end) {
        json.list(key);
        for (const InForce::Value& value : end.characteristics) {
          characteristic_in_force(json, value, files);
        }
        json.end_list();
      });
}

}  // namespace steertag::report
