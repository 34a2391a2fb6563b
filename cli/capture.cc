#include "capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/counted.h"
#include "failure.h"
#include "interrupt.h"

namespace steertag::cli {
namespace {

constexpr size_t buffer_size = 512 * 1024;  // of the FILE between Stream and libpcap, bytes

ssize_t read_cookie(void* cookie, char* out, size_t size) {
  return static_cast<ssize_t>(static_cast<Stream*>(cookie)->read(reinterpret_cast<uint8_t*>(out), size));
}

std::string why_not_a_capture(const Stream& stream, std::string_view error, bool nothing) {
  if (!stream.trouble().empty()) {
    return stream.trouble();
  }
  if (nothing) {
    return "is empty";
  }
  if (const std::string_view compression = stream.foreign_compression(); !compression.empty()) {
    return fmt::format("is compressed with {}; decompress it first, for example into standard input (-)",
                       compression);
  }
  if (error.find("unknown file format") != std::string_view::npos) {
    return "is neither a pcap nor a pcapng capture";
  }
  if (error.find("truncated") != std::string_view::npos) {
    return "ends inside the header of a capture, or is none";
  }
  return std::string(error);
}

}  // namespace

Capture::Capture(std::string path, uint32_t index)
    : path_(std::move(path)), index_(index), stream_(std::make_unique<Stream>(path_)) {
  FILE* file = fopencookie(stream_.get(), "r",
                           {.read = read_cookie, .write = nullptr, .seek = nullptr, .close = nullptr});
  if (file == nullptr) {
    throw Failure(shown(path_) + ": " + reason(errno));
  }
  setvbuf(file, nullptr, _IOFBF, buffer_size);
  const int first = getc(file);
  if (first != EOF) {
    ungetc(first, file);
  }
  char error[PCAP_ERRBUF_SIZE] = "";
  pcap_.reset(pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error));
  if (!pcap_) {
    const std::string why = stream_->read_error() != 0 ? reason(stream_->read_error())
                                                       : why_not_a_capture(*stream_, error, first == EOF);
    fclose(file);
    throw Failure(shown(path_) + ": " + why);
  }
  link_type_ = static_cast<uint32_t>(pcap_datalink(pcap_.get()));
}

bool Capture::next(Frame& frame) {
  pcap_pkthdr* header = nullptr;
  const uint8_t* bytes = nullptr;
  if (end_ != End::none) {
    return false;
  }
  const int status = pcap_next_ex(pcap_.get(), &header, &bytes);
  if (status != 1) [[unlikely]] {
    note_end(status);
    return false;
  }
  frame.at.number = ++frames_;
  frame.at.file = index_;
  frame.at.time_ns = nanoseconds(header->ts.tv_sec, header->ts.tv_usec);
  frame.link_type = link_type_;
  frame.bytes = Bytes(bytes, header->caplen);
  frame.original_length = std::max(header->len, header->caplen);
  return true;
}

void Capture::note_end(int status) {
  FILE* file = pcap_file(pcap_.get());
  const std::string_view error = status == PCAP_ERROR ? pcap_geterr(pcap_.get()) : "";
  const uint64_t frame = frames_ + 1;
  const auto set = [&](End end, std::string words) {
    end_ = end;
    trouble_ = std::move(words);
  };
  if (interrupted() || stream_->given_up()) {
    return;  // in the middle of a record, perhaps
  }
  if (!stream_->trouble().empty()) {
    set(stream_->cut() ? End::cut : End::damaged,
        fmt::format("{}; read up to there, {}", stream_->trouble(), base::counted(frames_, "frame")));
  } else if (stream_->read_error() != 0) {
    set(End::damaged,
        fmt::format("could not be read after frame {}: {}", frames_, reason(stream_->read_error())));
  } else if (status == PCAP_ERROR && feof(file) != 0) {
    set(End::cut,
        fmt::format("the capture ends in the middle of frame {}'s record; read up to there", frame));
  } else if (error.find("of the first interface") != std::string_view::npos) {
    // libpcap keeps to the link type and the snaplen of the first interface.
    set(End::damaged, fmt::format("frame {} follows an interface with another link type or snaplen, "
                                  "which cannot be read; read up to there",
                                  frame));
  } else if (status == PCAP_ERROR) {
    set(End::damaged, fmt::format("frame {}'s record is damaged ({}); read up to there", frame, error));
  }
}

}  // namespace steertag::cli
