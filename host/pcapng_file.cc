#include "host/pcapng_file.h"

namespace steertag::host {

PcapngFile::PcapngFile(Output& output, std::string_view comment) : output_(output) {
  using capture::PcapngOption;
  const PcapngOption options[] = {{PcapngOption::kComment, comment},
                                  {PcapngOption::kApplication, "steertag " STEERTAG_VERSION}};
  writer_.put_section(comment.empty() ? std::span(options).subspan(1) : std::span(options));
  write();
}

uint32_t PcapngFile::interface(const Stamp& at, uint32_t link_type, uint32_t snaplen) {
  const auto [found, fresh] =
      interfaces_.try_emplace({at.tap, link_type, snaplen}, static_cast<uint32_t>(interfaces_.size()));
  if (fresh) {
    counts_.emplace_back();
    writer_.put_interface(link_type, snaplen, {});
    write();
  }
  return found->second;
}

void PcapngFile::put(const Packet& packet) {
  ++packets_;
  ++counts_[packet.interface].packets;
  counts_[packet.interface].dropped += packet.dropped;
  last_ = packet.interface;
  last_ns_ = packet.time_ns;
  writer_.put_packet({.interface = packet.interface,
                      .ticks = static_cast<uint64_t>(packet.time_ns),
                      .bytes = packet.bytes,
                      .original_length = packet.original_length,
                      .dropped = packet.dropped},
                     capture::comment_options(packet.comments));
  write();
}

void PcapngFile::finish(uint64_t dropped_behind) {
  if (dropped_behind != 0 && packets_ != 0) {
    const Count& count = counts_[last_];
    writer_.put_statistics(last_, static_cast<uint64_t>(last_ns_), count.packets,
                           count.dropped + dropped_behind);
    write();
  }
}

void PcapngFile::write() {
  report::put(output_.buffer(), Bytes(block_));
  block_.clear();
  output_.record_done();
  output_.check();
}

}  // namespace steertag::host
