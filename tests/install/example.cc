// Prints what each RPC of a capture cost: its latency, and what RDMA moved for it.
#include <pcap/pcap.h>
#include <steertag/steertag.h>

#include <cstdio>
#include <vector>

uint64_t moved(const std::vector<steertag::RpcFlow>& segments) {
  uint64_t sum = 0;
  for (const steertag::RpcFlow& segment : segments) {
    sum += segment.moved;
  }
  return sum;
}

void print(const std::vector<steertag::Rpc>& rpcs) {
  for (const steertag::Rpc& rpc : rpcs) {
    uint64_t bytes = moved(rpc.reads) + moved(rpc.reply_chunk);
    for (const auto& chunk : rpc.writes) {
      bytes += moved(chunk);
    }
    std::printf("xid 0x%08x  %-12s %8.0f us  %8llu bytes by RDMA\n", rpc.xid, rpc.op.c_str(),
                rpc.latency_us.value_or(0), static_cast<unsigned long long>(bytes));
  }
}

int main(int argc, char** argv) {
  char why[PCAP_ERRBUF_SIZE] = "usage: example CAPTURE";
  pcap_t* capture =
      argc == 2 ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, why) : nullptr;
  if (!capture) {
    std::fprintf(stderr, "%s\n", why);
    return 2;
  }
  steertag::Analysis analysis({}, {.findings = false});
  pcap_pkthdr* header;
  const u_char* bytes;
  while (pcap_next_ex(capture, &header, &bytes) == 1) {
    analysis.feed({.time_ns = header->ts.tv_sec * 1'000'000'000LL + header->ts.tv_usec,
                   .link_type = static_cast<uint32_t>(pcap_datalink(capture)),
                   .bytes = {bytes, header->caplen},
                   .original_length = header->len});
    print(analysis.take().rpcs);
  }
  analysis.finish();
  print(analysis.take().rpcs);
  pcap_close(capture);
}
