// Packets and bytes per second of what `flows` and `audit` do, beside a bare loop
// over the same packets with libpcap's own reader in the same run: the ratio is
// what counts, for machines are noisy. Traffic: small I/O and bulk I/O, over RoCEv2 and iWARP, made
// by the scenario compiler and written to a temporary pcap.
#include <benchmark/benchmark.h>
#include <pcap/pcap.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "analyzer.h"
#include "rules/audit.h"
#include "scenario/scenario.h"

namespace {

using namespace steertag;

constexpr char kSmall[] = R"(
client> connect
repeat 3500
client> call nfs3 GETATTR
server> reply
client> call nfs3 READ write(@data 512)
server> write @data
server> reply
end
)";

constexpr char kBulk[] = R"(
client> connect
repeat 300
client> call nfs3 READ write(@data 32768)
server> write @data
server> reply
client> call nfs3 WRITE read(@source 32768)
server> read @source
server> reply
end
)";

void little(std::ofstream& out, uint32_t value) {
  for (int i = 0; i < 4; ++i) {
    out.put(static_cast<char>(value >> (8 * i)));
  }
}

// Compiles a scenario and writes it as pcap; the path, made once.
const std::string& capture(const char* text, scenario::Fabric fabric) {
  static std::map<std::pair<const char*, scenario::Fabric>, std::string> made;
  std::string& path = made[{text, fabric}];
  if (!path.empty()) {
    return path;
  }
  scenario::Choices choices;
  choices.fabric = fabric;
  const auto compiled = scenario::compile(text, choices);
  if (const auto* error = std::get_if<scenario::Error>(&compiled)) {
    std::fprintf(stderr, "line %u: %s\n", error->line, error->message.c_str());
    std::exit(1);
  }
  path = "/tmp/steertag_bench_" + std::to_string(made.size()) + ".pcap";
  std::ofstream out(path, std::ios::binary);
  for (const uint32_t word : {0xA1B23C4Du, 0x00040002u, 0u, 0u, 262144u, 1u}) {
    little(out, word);
  }
  for (const scenario::SynthFrame& frame : std::get<scenario::Trace>(compiled).frames) {
    little(out, static_cast<uint32_t>(frame.time_ns / 1'000'000'000));
    little(out, static_cast<uint32_t>(frame.time_ns % 1'000'000'000));
    little(out, static_cast<uint32_t>(frame.bytes.size()));
    little(out, frame.original_length);
    out.write(reinterpret_cast<const char*>(frame.bytes.data()),
              static_cast<std::streamsize>(frame.bytes.size()));
  }
  return path;
}

// Hears everything and keeps nothing.
class Ears final : public Observer, public rules::Listener {
 public:
  void on(const Event&) override {}
  void on_finding(const rules::Finding&) override {}
} ears;

// Reads the capture once; every packet goes to `take`.
template <typename Take>
void read(const std::string& path, uint64_t& packets, uint64_t& bytes, Take take) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (file == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    std::exit(1);
  }
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  while (pcap_next_ex(file, &header, &data) == 1) {
    ++packets;
    bytes += header->caplen;
    take(*header, data, packets);
  }
  pcap_close(file);
}

void report(benchmark::State& state, uint64_t packets, uint64_t bytes) {
  state.SetItemsProcessed(static_cast<int64_t>(packets));
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}

void libpcap_only(benchmark::State& state, const char* text, scenario::Fabric fabric) {
  const std::string& path = capture(text, fabric);
  uint64_t packets = 0;
  uint64_t bytes = 0;
  for (auto _ : state) {
    read(path, packets, bytes,
         [](const pcap_pkthdr&, const u_char* data, uint64_t) { benchmark::DoNotOptimize(data); });
  }
  report(state, packets, bytes);
}

// `make` makes what is fed, an Analyzer or an Audit.
template <typename Make>
void analyze(benchmark::State& state, const char* text, scenario::Fabric fabric, const Make& make) {
  const std::string& path = capture(text, fabric);
  uint64_t packets = 0;
  uint64_t bytes = 0;
  for (auto _ : state) {
    auto fed = make();
    read(path, packets, bytes, [&](const pcap_pkthdr& h, const u_char* data, uint64_t number) {
      const int64_t time = int64_t{h.ts.tv_sec} * 1'000'000'000 + h.ts.tv_usec;
      fed->feed({{.number = number, .time_ns = time}, 1, Bytes(data, h.caplen), h.len});
    });
    fed->finish();
    if (fed->counters().exchanges == 0) {
      state.SkipWithError("no exchange was found");
    }
  }
  report(state, packets, bytes);
}

void flows(benchmark::State& state, const char* text, scenario::Fabric fabric) {
  analyze(state, text, fabric, [] { return std::make_unique<Analyzer>(ears); });
}

void audit(benchmark::State& state, const char* text, scenario::Fabric fabric) {
  analyze(state, text, fabric, [] { return std::make_unique<rules::Audit>(ears); });
}

}  // namespace

BENCHMARK_CAPTURE(libpcap_only, small_roce, kSmall, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(flows, small_roce, kSmall, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(audit, small_roce, kSmall, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(libpcap_only, bulk_roce, kBulk, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(flows, bulk_roce, kBulk, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(audit, bulk_roce, kBulk, scenario::Fabric::roce2);
BENCHMARK_CAPTURE(libpcap_only, small_iwarp, kSmall, scenario::Fabric::iwarp);
BENCHMARK_CAPTURE(flows, small_iwarp, kSmall, scenario::Fabric::iwarp);
BENCHMARK_CAPTURE(audit, small_iwarp, kSmall, scenario::Fabric::iwarp);
BENCHMARK_CAPTURE(libpcap_only, bulk_iwarp, kBulk, scenario::Fabric::iwarp);
BENCHMARK_CAPTURE(flows, bulk_iwarp, kBulk, scenario::Fabric::iwarp);
BENCHMARK_CAPTURE(audit, bulk_iwarp, kBulk, scenario::Fabric::iwarp);
