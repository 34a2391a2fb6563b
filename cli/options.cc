#include "options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/fold_case.h"
#include "host/shard.h"

namespace steertag::cli {
namespace {

CLI::Validator is_shard() {
  return {[](std::string& text) {
            return host::Shard::read(text)
                       ? std::string()
                       : fmt::format("{} is not a share, as in 1/3: the first of three (at most {})", text,
                                     host::Shard::kMost);
          },
          ""};
}

}  // namespace

CLI::Validator whole(const std::string& what, uint64_t least, uint64_t most) {
  return {[=](std::string& text) {
            uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            return error == std::errc() && stop == end && value >= least && value <= most
                       ? std::string()
                       : fmt::format("{} is not {} ({} to {})", text, what, least, most);
          },
          ""};
}

// A number, not negative and not absurd: CLI::Range accepts "nan".
CLI::Validator non_negative() {
  return {[](std::string& text) {
            double value = -1;
            return CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1e9
                       ? std::string()
                       : text + " is not a number from 0 to 1000000000";
          },
          ""};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::IsMember(words).description("").name(CLI::detail::join(words, "|"));
}

CLI::Validator size_in_bytes(uint64_t least, uint64_t most) {
  return {[=](std::string& text) {
            uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            std::string unit(stop, end);
            std::transform(unit.begin(), unit.end(), unit.begin(), base::lower);
            for (const std::string_view tail : {"ib", "b"}) {
              if (unit.size() > 1 && unit.ends_with(tail)) {
                unit.erase(unit.size() - tail.size());
              }
            }
            const std::string_view units = "kmg";
            const size_t place = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
            const unsigned shift =
                place == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(place) + 1);
            const bool sound = error == std::errc() && (unit.empty() || shift != 0) && value <= most >> shift;
            if (!sound || value << shift < least) {
              return fmt::format("{} is not a size such as 64M or 2G ({}M to {}G)", text, least >> 20,
                                 most >> 30);
            }
            text = std::to_string(value << shift);
            return std::string();
          },
          ""};
}

std::string ReadingOptions::run() const {
  std::string words = command->get_name();
  for (const CLI::Option* option : command->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--shard" || name == "--threads" || name == "--output" ||
        name == "--quiet" || name == "--color" || name == "--no-pager" || name == "--no-sandbox") {
      continue;
    }
    words += ' ' + name;
    for (const std::string& value : option->results()) {
      words += ' ' + value;
    }
  }
  return configured.empty() ? words : words + '\n' + configured;
}

CLI::Option* take_list(CLI::Option* option, const std::string& value) {
  return option->delimiter(',')->allow_extra_args(false)->option_text(value)->transform(
      [](const std::string& text) { return CLI::detail::trim_copy(text); });
}

namespace {

void add_captures(CLI::App& command, ReadingOptions& options) {
  command
      .add_option("CAPTURE", options.captures,
                  "pcap or pcapng, plain, gzip or zstd; - is standard input.\n"
                  "Several that share connections are read as one trace")
      ->required()
      ->type_name("")
      ->option_text("...");
}

// How it is written.
void add_output(CLI::App& command, ReadingOptions& options, const std::vector<std::string>& formats) {
  command.add_option("--format", options.format, "text for people, jsonl (one object per line) for programs")
      ->check(one_of(formats))
      ->type_name(CLI::detail::join(formats, "|"));
  add_output_option(command, options.output);
  add_color_option(command, options.color);
}

// What packets are taken for.
void add_ports(CLI::App& command, ReadingOptions& options) {
  const auto add = [&](const char* name, auto& ports, const char* help) {
    take_list(command.add_option(name, ports, help), "PORT")->check(whole("a port", 0, UINT16_MAX));
  };
  add("--port", options.ports, "another port that NFS/RDMA is served on, besides 20049");
  add("--udp-port", options.udp_ports, "another UDP port that carries RoCEv2, besides 4791");
  add("--vxlan-port", options.vxlan_ports, "another UDP port of VXLAN, besides 4789: Linux once used 8472");
  add("--geneve-port", options.geneve_ports, "another UDP port of GENEVE, besides 6081");
}

// How much is looked at and for how long, and by how many.
void add_limits(CLI::App& command, ReadingOptions& options) {
  command.add_flag("--checksums", options.checksums, "verify ICRC and MPA CRC; reads every byte");
  command
      .add_option("--settle", options.settle,
                  "how long before the end of a capture a Call may\nstill lack its Reply (30)")
      ->check(non_negative())
      ->type_name("SECONDS");
  command
      .add_option(
          "--skew", options.skew_ms,
          "how far apart the clocks of captures that share a\nconnection may be (2; 0: one clock); a packet "
          "seen\ntwice within that time, unchanged, is a copy")
      ->check(non_negative())
      ->type_name("MS");
  command
      .add_option(
          "--memory", options.memory,
          "how much memory connections and RPCs may take (512M);\nbeyond that the least useful of them "
          "are dropped,\nwhich is reported")
      ->transform(size_in_bytes(1 << 20, uint64_t{1} << 40))
      ->default_str("")
      ->type_name("SIZE");
  command
      .add_option("--threads", options.threads,
                  "how many threads follow connections (as many as\nthere are cores), beside one that reads; "
                  "with 1, one\ndoes everything; the output is always the same")
      ->check(whole("a number of threads", 1, ReadingOptions::kMostThreads))
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--shard", [&options](const std::string& text) { options.shard = host::Shard::read(text); },
          "only the connections of one of N shares, as records for\nsteertag merge, with --format jsonl")
      ->check(is_shard())
      ->type_name("K/N");
}

}  // namespace

void add_output_option(CLI::App& command, std::string& output) {
  command
      .add_option(
          "-o,--output", output,
          "write to FILE instead of standard output; what it\nheld stays until all of the result is there")
      ->type_name("FILE");
}

void add_color_option(CLI::App& command, std::string& color) {
  command.add_option("--color", color, "auto: on a terminal, unless NO_COLOR is set")
      ->check(one_of({"auto", "always", "never"}))
      ->type_name("auto|always|never");
}

void add_pager_option(CLI::App& command, bool& pager) {
  pager = true;
  command.add_flag(
      "!--no-pager", pager,
      "no pager for what is longer than the screen, which\notherwise is $STEERTAG_PAGER, $PAGER or "
      "less -FRX");
}

void add_sandbox_option(CLI::App& command, bool& sandbox) {
  command.add_flag("!--no-sandbox", sandbox,
                   "keep all rights of this process while it reads: for\ndebuggers, and file systems that "
                   "cannot do without");
}

void add_reading_options(CLI::App& command, ReadingOptions& options, const std::vector<std::string>& formats,
                         Captures captures) {
  options.command = &command;
  if (captures == Captures::one_trace) {
    add_captures(command, options);
  }
  add_output(command, options, formats);
  add_ports(command, options);
  add_limits(command, options);
  command.add_flag("--allow-cut", options.allow_cut,
                   "do not exit with 2 because a capture is truncated\nor the run was interrupted, whose "
                   "result -o FILE\nthen gets, too");
  command.add_flag("-q,--quiet", options.quiet, "no progress bar, no closing summary");
  add_sandbox_option(command, options.sandbox);
}

void add_reading_options_of(CLI::App& command, ReadingOptions& options, const std::string& format) {
  options.format = format;
  add_reading_options(command, options, {format});
  for (const char* option : {"--format", "--shard", "--color"}) {
    command.remove_option(command.get_option(option));
  }
}

void say_written_whole(CLI::App& command) {
  command.get_option("--allow-cut")->description("do not exit with 2 because a capture is truncated");
}

}  // namespace steertag::cli
