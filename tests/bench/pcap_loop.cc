// The least that reading a capture can cost with libpcap: pcap_next_ex() until the end, and nothing else.
// What tests/bench/run divides by.
#include <pcap/pcap.h>

#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* file = argc == 2
                     ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, error)
                     : nullptr;
  if (file == nullptr) {
    std::fprintf(stderr, "usage: pcap_loop CAPTURE\n");
    return 2;
  }
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  uint64_t packets = 0;
  while (pcap_next_ex(file, &header, &data) == 1) {
    ++packets;
  }
  pcap_close(file);
  std::printf("%llu\n", static_cast<unsigned long long>(packets));
  return 0;
}
