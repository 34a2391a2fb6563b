#include "sanitize/disguise.h"

#include <algorithm>

#include "nfs/call.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using nfs::Meaning;

Disguise::Disguise(const Key& key, std::span<const base::Stretch> stretches, uint64_t length) : key_(key) {
  original_.resize(std::min(length, kMost));
  uint64_t begin = 0;
  for (const base::Stretch& stretch : stretches) {
    base::each_captured(stretch, [&](uint64_t offset, Bytes run) {
      const uint64_t at = begin + offset;
      if (at < original_.size()) {
        const Bytes fits = slice(run, 0, original_.size() - at);
        std::copy(fits.begin(), fits.end(), original_.begin() + static_cast<ptrdiff_t>(at));
      }
    });
    begin += stretch.length;
  }
  image_.resize(original_.size());
}

void Disguise::keep(uint64_t offset, uint64_t length) {
  const Bytes from = slice(original_, offset, length);
  std::copy(from.begin(), from.end(), image_.begin() + static_cast<ptrdiff_t>(offset));
}

void Disguise::hide(uint64_t offset, uint64_t length) {
  if (const Bytes from = slice(original_, offset, length); !from.empty()) {
    disguise(key_, from, std::span(image_).subspan(offset, from.size()));
  }
}

void Disguise::take_header(const nfs::Stream& stream) {
  rpcrdma::RpcHeader header;
  nfs::Walk walk;
  nfs::read_header(stream, header, walk);
  done_ = std::min<uint64_t>(walk.offset, original_.size());
  keep(0, done_);
  hide_auth(header.credential);
  hide_auth(header.verifier);
}

// RFC 5531 §8.2: the flavor and the count of bytes are structure. Of the first a credential, as of the second a
// verifier, may be of any flavor.
void Disguise::hide_auth(const rpcrdma::Auth& auth) {
  constexpr uint32_t kFront = 8;
  if (auth.at.length < kFront) {
    return;
  }
  const uint64_t offset = auth.at.offset + kFront;
  const uint64_t length = auth.at.length - kFront;
  if (auth.flavor == rpcrdma::Flavor::gss) {
    return hide_gss(offset, auth.body);
  }
  if (auth.flavor != rpcrdma::Flavor::sys || !hide_sys(offset, auth.body)) {
    hide(offset, length);
  }
}

// AUTH_SYS (RFC 5531 appendix A): stamp, machine name, user, group, groups; each by itself, and the two counts
// stay. False where it is not that.
bool Disguise::hide_sys(uint64_t offset, Bytes body) {
  constexpr uint64_t kWord = 4;
  const auto word = [&](uint64_t at) {
    return at + kWord <= body.size() ? wire::big_endian<uint32_t>(body.data() + at) : UINT32_MAX;
  };
  const uint64_t name = word(kWord), ids = 2 * kWord + (name + 3) / 4 * 4, count = ids + 2 * kWord;
  const uint64_t groups = word(count);
  if (count + kWord + groups * kWord != body.size()) {
    return false;
  }
  hide(offset, kWord);
  hide(offset + 2 * kWord, name);
  hide(offset + 2 * kWord + name, ids - 2 * kWord - name);
  hide(offset + ids, kWord);
  hide(offset + ids + kWord, kWord);
  for (uint64_t i = 0; i < groups; ++i) {
    hide(offset + count + kWord + i * kWord, kWord);
  }
  return true;
}

// A credential of RPCSEC_GSS says what it is for, and in which order; its handle, and a verifier's checksum, are
// the client's.
void Disguise::hide_gss(uint64_t offset, Bytes body) {
  rpcrdma::GssCredential credential;
  constexpr uint64_t kFront = 20;  // bytes in front of the handle, its count among them
  const bool readable = !wire::read(body, credential) && credential.version == 1;
  const uint64_t front = readable ? kFront : 0;
  hide(offset + front, body.size() - front);
}

void Disguise::rewind(uint64_t offset) {
  done_ = std::min<uint64_t>(offset, original_.size());
  std::fill(image_.begin() + static_cast<ptrdiff_t>(done_), image_.end(), uint8_t{0});
}

void Disguise::mark(uint64_t offset, uint64_t length, Meaning meaning) {
  if (offset >= original_.size()) {
    return;
  }
  done_ = std::min<uint64_t>(offset + length, original_.size());
  meaning == Meaning::structure ? keep(offset, length) : hide(offset, length);
}

void Disguise::finish(Meaning rest) {
  mark(done_, original_.size() - done_, rest);
}

}  // namespace steertag::sanitize
