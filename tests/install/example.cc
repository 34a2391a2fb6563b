// Prints what each RPC of a capture cost: its latency, and what RDMA moved for it.
#include <pcap/pcap.h>
#include <steertag/analyzer.h>

#include <cstdio>
#include <variant>

struct Printer final : steertag::Observer {
  void on(const steertag::Event& event) override {
    if (const auto* done = std::get_if<steertag::ExchangeDone>(&event)) {
      const steertag::flow::Exchange& rpc = done->exchange;
      uint64_t moved = 0;
      for (const steertag::flow::SegmentFlow& segment : rpc.segments) {
        moved += segment.moved().total();
      }
      std::printf("xid 0x%08x  %8.0f us  %8llu bytes by RDMA\n", rpc.xid, latency_us(rpc).value_or(0),
                  static_cast<unsigned long long>(moved));
    }
  }
};

int main(int argc, char** argv) {
  char why[PCAP_ERRBUF_SIZE] = "usage: example CAPTURE";
  pcap_t* capture =
      argc == 2 ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, why) : nullptr;
  if (!capture) {
    std::fprintf(stderr, "%s\n", why);
    return 2;
  }
  Printer printer;
  steertag::Analyzer analyzer(printer);
  pcap_pkthdr* header;
  const u_char* bytes;
  for (uint64_t number = 1; pcap_next_ex(capture, &header, &bytes) == 1; ++number) {
    steertag::Frame frame;
    frame.at.number = number;
    frame.at.time_ns = header->ts.tv_sec * 1'000'000'000LL + header->ts.tv_usec;
    frame.link_type = static_cast<uint32_t>(pcap_datalink(capture));
    frame.bytes = {bytes, header->caplen};
    frame.original_length = header->len;
    analyzer.feed(frame);
  }
  analyzer.finish();
  pcap_close(capture);
}
