// steertag synth: writes the packets that a scenario describes, as a classic
// pcap with nanosecond times.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "commands.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/output.h"
#include "host/sandbox.h"
#include "host/stream.h"
#include "options.h"
#include "scenario/scenario.h"

namespace steertag::cli {
namespace {

struct SynthOptions {
  std::string scenario;  // path, "-" for standard input
  std::string output;
  std::string fabric;  // empty: as the scenario says
  bool ipv6 = false;
  bool sandbox = true;
};

constexpr size_t longest_scenario = 64 * 1024 * 1024;  // bytes

std::string whole_text(host::Stream& stream, const std::string& path) {
  std::string text;
  std::array<uint8_t, 65536> piece;
  for (;;) {
    const int64_t got = stream.read(piece.data(), piece.size());
    if (got < 0 || !stream.trouble().empty()) {
      throw host::Failure(host::shown(path) + ": " +
                          (got < 0 ? host::reason(stream.read_error()) : stream.trouble()));
    }
    if (got == 0) {
      if (text.find('\0') != std::string::npos) {
        throw host::Failure(host::shown(path) + ": is not text; expected a scenario");
      }
      return text;
    }
    text.append(reinterpret_cast<const char*>(piece.data()), static_cast<size_t>(got));
    if (text.size() > longest_scenario) {
      throw host::Failure(host::shown(path) + ": is too long for a scenario");
    }
  }
}

void put_u32(report::Buffer& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<char>(value >> shift & 0xFF));
  }
}

// Little-endian, nanoseconds: https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html
void put_file_header(report::Buffer& out, uint32_t link_type) {
  put_u32(out, 0xA1B23C4D);
  put_u32(out, 4U << 16 | 2);  // version 2.4
  put_u32(out, 0);
  put_u32(out, 0);
  put_u32(out, 262144);  // snaplen
  put_u32(out, link_type);
}

void put_frame(report::Buffer& out, const scenario::SynthFrame& frame) {
  put_u32(out, static_cast<uint32_t>(frame.time_ns / 1'000'000'000));
  put_u32(out, static_cast<uint32_t>(frame.time_ns % 1'000'000'000));
  put_u32(out, static_cast<uint32_t>(frame.bytes.size()));
  put_u32(out, std::max(frame.original_length, static_cast<uint32_t>(frame.bytes.size())));
  report::put(out, Bytes(frame.bytes));
}

int synth(const SynthOptions& options) {
  host::refuse_conflicts({options.scenario}, {options.output});
  host::Stream input(options.scenario);
  host::Output output;
  output.open(options.output);
  output.refuse_terminal();
  if (options.sandbox) {
    host::enter_sandbox({.read_again = {}, .folders = output.folders()});
  }
  const std::string text = whole_text(input, options.scenario);
  const std::map<std::string, scenario::Fabric, std::less<>> fabrics = {{"roce2", scenario::Fabric::roce2},
                                                                        {"roce1", scenario::Fabric::roce1},
                                                                        {"iwarp", scenario::Fabric::iwarp}};
  scenario::Choices choices;
  if (const auto fabric = fabrics.find(options.fabric); fabric != fabrics.end()) {
    choices.fabric = fabric->second;
  }
  if (options.ipv6) {
    choices.ipv6 = true;
  }
  const auto compiled = scenario::compile(text, choices);
  if (const auto* error = std::get_if<scenario::Error>(&compiled)) {
    const std::string line = error->line != 0 ? fmt::format(":{}", error->line) : "";
    throw host::Failure(host::shown(options.scenario) + line + ": " + error->message);
  }
  const auto& trace = std::get<scenario::Trace>(compiled);
  put_file_header(output.buffer(), trace.link_type);
  for (const scenario::SynthFrame& frame : trace.frames) {
    put_frame(output.buffer(), frame);
    output.record_done();
    output.check();
  }
  output.close();
  return 0;
}

}  // namespace

void add_synth(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<SynthOptions>();
  CLI::App* command = app.add_subcommand("synth", "write the packets that a scenario describes");
  command->add_option("SCENARIO", options->scenario, "the scenario's text; - is standard input")
      ->required()
      ->option_text(" ");
  command->add_option("-o,--output", options->output, "the capture to write; - is standard output")
      ->required()
      ->option_text("FILE");
  command->add_option("--fabric", options->fabric, "the transport to use, whatever the scenario says")
      ->check(one_of({"roce2", "roce1", "iwarp"}))
      ->type_name("roce2|roce1|iwarp");
  command->add_flag("--ipv6", options->ipv6, "use IPv6 addresses, whatever the scenario says");
  add_sandbox_option(*command, options->sandbox);
  command->callback([options, &chosen] { chosen = [options] { return synth(*options); }; });
}

}  // namespace steertag::cli
