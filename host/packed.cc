#include "host/packed.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "host/page.h"

namespace steertag::host {
namespace {

constexpr size_t kLine = 57'000;  // bytes of a line of base64; a multiple of 3

}  // namespace

void put_base64(std::string_view bytes, report::Buffer& out) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char* to = report::grow(out, (bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(bytes.size() - at, 3);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<uint8_t>(bytes[at + i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) {
      *to++ = i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
}

Packed::Packed() : stream_(std::make_unique<isal_zstream>()), level_(ISAL_DEF_LVL2_DEFAULT) {
  isal_deflate_init(stream_.get());
  stream_->gzip_flag = IGZIP_GZIP;
  stream_->level = 2;
  stream_->level_buf = level_.data();
  stream_->level_buf_size = static_cast<uint32_t>(level_.size());
}

Packed::~Packed() = default;

void Packed::add(std::string_view records, report::Buffer& out) {
  while (!records.empty()) {
    const std::string_view part = records.substr(0, 1 << 20);
    input_ = part;
    stream_->next_in = reinterpret_cast<uint8_t*>(input_.data());
    stream_->avail_in = static_cast<uint32_t>(input_.size());
    deflate(out, false);
    records.remove_prefix(part.size());
  }
}

void Packed::finish(report::Buffer& out) {
  stream_->avail_in = 0;
  stream_->end_of_stream = 1;
  deflate(out, true);
}

void Packed::deflate(report::Buffer& out, bool last) {
  std::array<uint8_t, 1 << 15> room;
  do {
    stream_->next_out = room.data();
    stream_->avail_out = static_cast<uint32_t>(room.size());
    isal_deflate(stream_.get());
    waiting_.append(reinterpret_cast<const char*>(room.data()), room.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
  size_t done = 0;
  for (; waiting_.size() - done >= kLine || (last && done < waiting_.size());
       done += std::min(kLine, waiting_.size() - done)) {
    put_base64(std::string_view(waiting_).substr(done, kLine), out);
    report::put(out, '\n');
  }
  waiting_.erase(0, done);
}

void PackedPage::begin(report::Buffer& out) {
  if (!packed_) {
    report::put(out, page_before_records());
    packed_.emplace();
  }
}

void PackedPage::add(std::string_view records, report::Buffer& out) {
  packed_->add(records, out);
}

void PackedPage::finish(report::Buffer& out) {
  if (--products_ == 0) {
    packed_->finish(out);
    report::put(out, page_behind_records());
  }
}

}  // namespace steertag::host
