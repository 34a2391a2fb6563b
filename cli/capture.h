// Capture: the frames of one capture file, in file order: classic pcap of
// either byte order and precision, or pcapng, compressed or not, from a file or
// from standard input. libpcap reads the format; time is in nanoseconds.
//
// A capture that is cut in the middle of a record, or damaged, ends there:
// next() returns false and end() tells.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <string>

#include "frame.h"
#include "stream.h"

namespace steertag::cli {

class Capture {
 public:
  // Reads the file's header. Throws Failure where this is no capture.
  // `index` becomes Stamp::file.
  Capture(std::string path, uint32_t index);

  // The next frame; its bytes are good until the next call.
  bool next(Frame& frame);

  enum class End : uint8_t {
    none,     // not yet, or where it should
    cut,      // in the middle of a record: what is there was read
    damaged,  // the rest makes no sense, or could not be read
  };
  End end() const { return end_; }
  const std::string& trouble() const { return trouble_; }  // one line, without the name of the file

  Stream& stream() { return *stream_; }

 private:
  void note_end(int status);

  struct Close {
    void operator()(pcap_t* pcap) const { pcap_close(pcap); }
  };
  std::string path_;
  uint32_t index_ = 0;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<pcap_t, Close> pcap_;  // goes before stream_, which it reads
  uint32_t link_type_ = 0;               // DLT_ value
  uint64_t frames_ = 0;
  End end_ = End::none;
  std::string trouble_;
};

}  // namespace steertag::cli
