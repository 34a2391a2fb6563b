#include "rpc_options.h"

#include <arpa/inet.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

#include "host/failure.h"
#include "host/nearest.h"
#include "report/select.h"

namespace steertag::cli {
namespace {

constexpr double kLongest = 9e9;  // seconds; see nanoseconds()

// A number that is not negative, and what stands behind it; unset where none stands in front.
std::optional<std::pair<double, std::string>> split_number(const std::string& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !(value >= 0 && value <= 1e18)) {
    return std::nullopt;
  }
  return std::pair(value, std::string(end, text.data() + text.size()));
}

// So many digits at the front, as a number, and takes them off; unset where they are not there.
std::optional<unsigned> take_digits(std::string_view& text, size_t count) {
  unsigned value = 0;
  const std::string_view digits = text.substr(0, count);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + count) {
    return std::nullopt;
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  const bool there = !text.empty() && any_of.find(text.front()) != std::string_view::npos;
  text.remove_prefix(there ? 1 : 0);
  return there;
}

// "2026-11-23T15:04:05.5", also with a blank for the T, without the time or its seconds, with a Z.
std::optional<int64_t> read_date(std::string_view text) {
  const auto year = take_digits(text, 4);
  const auto month = year && take(text, "-") ? take_digits(text, 2) : std::nullopt;
  const auto day = month && take(text, "-") ? take_digits(text, 2) : std::nullopt;
  if (!day) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  unsigned hour = 0, minute = 0;
  double seconds = 0;
  if (take(text, "T ")) {
    hour = take_digits(text, 2).value_or(99);
    minute = take(text, ":") ? take_digits(text, 2).value_or(99) : 99;
    if (take(text, ":")) {
      const auto number = split_number(std::string(text));
      seconds = number ? number->first : 99;
      text = text.substr(number ? text.size() - number->second.size() : 0);
    }
  }
  take(text, "Z");
  if (!date.ok() || hour > 23 || minute > 59 || seconds >= 61 || !text.empty()) {
    return std::nullopt;
  }
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t whole = (days * 24 + hour) * 3600 + int64_t{minute} * 60;
  return whole * 1'000'000'000 + std::llround(seconds * 1e9);
}

// As the connection's line has it.
std::string canonical(const std::string& option, const std::string& text) {
  std::array<uint8_t, 16> octets{};
  if (inet_pton(AF_INET, text.c_str(), octets.data()) == 1) {
    return base::Address::ipv4(Bytes(octets.data(), 4)).text();
  }
  if (inet_pton(AF_INET6, text.c_str(), octets.data()) == 1) {
    return base::Address::ipv6(Bytes(octets.data(), 16)).text();
  }
  if (text.starts_with("lid:") && text.size() > 4) {
    return text;
  }
  throw host::Failure(option + ": " + text + " is not an address; write it as steertag connections does");
}

}  // namespace

void check_names(const product::RpcChoice& choice) {
  for (const std::string& name : choice.procedures) {
    if (!report::can_be_procedure(name)) {
      throw host::Failure("--procedure: " + name + ": no such procedure" +
                          host::did_you_mean(name, report::procedure_names()));
    }
  }
  for (const std::string& name : choice.operations) {
    if (!report::can_be_operation(name)) {
      throw host::Failure("--op: " + name + ": no such operation" +
                          host::did_you_mean(name, report::operation_names()));
    }
  }
}

namespace {

void add_choice_options(CLI::App& command, product::RpcChoice& choice) {
  take_list(command.add_option("--op", choice.operations,
                               "only this operation, as the procedure column has it:\nREAD, \"NFSv4 READ\""),
            "OPERATION");
  take_list(
      command.add_option("--procedure", choice.procedures, "only this procedure: READ, \"NFSv4 COMPOUND\""),
      "PROCEDURE");
  command.add_flag("--failed", choice.failed,
                   "only RPCs that were answered with an error: of NFS, of\nRPC, or of the transport");
  command.add_flag("--incomplete", choice.incomplete,
                   "only RPCs without Call or Reply, answered by a\ntransport error, or incomplete");
}

}  // namespace

void add_filter_options(CLI::App& command, product::Filter& filter, XidTexts& xids) {
  take_list(command.add_option("--conn", filter.connections, "only connection N"), "N")
      ->check(whole("the number of a connection", 1, UINT32_MAX));
  take_list(command.add_option("--xid", xids, "only this XID, as in 0x1a2b3c4d"), "XID");
}

void prepare(product::Filter& filter, const XidTexts& xids) {
  for (const std::string& text : xids) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const char* first = text.data() + (hex ? 2 : 0);
    const char* last = text.data() + text.size();
    uint32_t xid = 0;
    const auto [end, error] = std::from_chars(first, last, xid, hex ? 16 : 10);
    if (error != std::errc() || end != last) {
      throw host::Failure("--xid: " + text +
                          " is not an XID; write 0x and up to eight hex digits, or a decimal number");
    }
    filter.xids.push_back(xid);
  }
}

void prepare(product::RpcSelection& selection, const XidTexts& xids) {
  prepare(selection.filter, xids);
  check_names(selection.choice);
  prepare(selection.bounds);
}

void add_selection_options(CLI::App& command, product::RpcSelection& selection, XidTexts& xids) {
  add_filter_options(command, selection.filter, xids);
  add_choice_options(command, selection.choice);
  add_bounds_options(command, selection.bounds);
}

std::optional<int64_t> read_duration(const std::string& text) {
  const auto parts = split_number(text);
  if (!parts) {
    return std::nullopt;
  }
  constexpr std::array<std::pair<std::string_view, double>, 7> kUnits = {
      {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}, {"min", 60e9}}};
  for (const auto& [unit, ns] : kUnits) {
    if (parts->second == unit && parts->first * ns <= kLongest * 1e9) {
      return std::llround(parts->first * ns);
    }
  }
  return std::nullopt;
}

std::optional<product::When> read_when(const std::string& text) {
  if (const std::optional<int64_t> date = read_date(text)) {
    return product::When{true, *date};
  }
  const std::optional<int64_t> since = read_duration(text);
  return since ? std::optional(product::When{false, *since}) : std::nullopt;
}

void prepare(product::RpcBounds& bounds) {
  for (std::string& client : bounds.clients) {
    client = canonical("--client", client);
  }
  for (std::string& server : bounds.servers) {
    server = canonical("--server", server);
  }
}

void add_bounds_options(CLI::App& command, product::RpcBounds& bounds) {
  const auto when = [&](const std::string& name, std::optional<product::When>& into,
                        const std::string& help) {
    command
        .add_option_function<std::string>(
            name, [&into, name](const std::string& text) { into = read_when(text); }, help)
        ->check([](const std::string& text) {
          return read_when(text) ? std::string()
                                 : "is not a time: 12.5 (seconds since the first frame), 80ms, or "
                                   "2026-11-23T15:04:05.5 (UTC)";
        })
        ->type_name("TIME");
  };
  when("--from", bounds.from,
       "only RPCs sent then or later: seconds since the first\nframe, or 2026-11-23T15:04:05.5 (UTC)");
  when("--to", bounds.to, "only RPCs sent before then");
  take_list(command.add_option("--client", bounds.clients, "only RPCs on connections of this client"),
            "ADDRESS");
  take_list(command.add_option("--server", bounds.servers, "only RPCs on connections to this server"),
            "ADDRESS");
  command
      .add_option_function<std::string>(
          "--min-latency", [&bounds](const std::string& text) { bounds.min_latency = read_duration(text); },
          "only RPCs that were waited for that long: 10ms, 1.5s")
      ->check([](const std::string& text) {
        return read_duration(text) ? std::string() : "is not a duration: 10ms, 1.5s, 200us";
      })
      ->type_name("TIME");
}

}  // namespace steertag::cli
