#include "sanitize/disguise.h"

#include <algorithm>

#include "nfs/call.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using nfs::Meaning;

Disguise::Disguise(const Key& key, std::span<const base::Stretch> stretches) : key_(key) {
  for (const base::Stretch& stretch : stretches) {
    Part part{.begin = length_, .at = original_.size()};
    const Bytes held = slice(stretch.data, stretch.at, stretch.length);
    original_.resize(part.at + held.size());
    base::each_captured(stretch, [&](uint64_t offset, Bytes run) {
      std::copy(run.begin(), run.end(), original_.begin() + static_cast<ptrdiff_t>(part.at + offset));
    });
    part.length = held.size();
    parts_.push_back(part);
    length_ += stretch.length;
  }
  image_.resize(original_.size());
}

template <typename What>
void Disguise::each_run(uint64_t offset, uint64_t length, const What& what, Into into) {
  auto part = std::upper_bound(parts_.begin(), parts_.end(), offset,
                               [](uint64_t at, const Part& p) { return at < p.begin; });
  part -= part == parts_.begin() ? 0 : 1;
  for (; part != parts_.end() && part->begin < offset + length; ++part) {
    const uint64_t from = std::max(offset, part->begin);
    const uint64_t to = std::min(offset + length, part->begin + part->length);
    if (from < to && (into == Into::all || !part->data)) {
      what(part->at + (from - part->begin), to - from);
      part->written = std::max<size_t>(part->written, to - part->begin);
    }
  }
}

void Disguise::keep(uint64_t offset, uint64_t length) {
  each_run(offset, length, [&](size_t at, size_t count) {
    std::copy_n(original_.begin() + static_cast<ptrdiff_t>(at), count,
                image_.begin() + static_cast<ptrdiff_t>(at));
  });
}

void Disguise::hide(uint64_t offset, uint64_t length, Into into) {
  field_.clear();
  const auto gather = [&](size_t at, size_t count) {
    const Bytes run = slice(original_, at, count);
    field_.insert(field_.end(), run.begin(), run.end());
  };
  each_run(offset, length, gather, into);
  std::vector<uint8_t> hidden(field_.size());
  disguise(key_, field_, hidden);
  auto next = hidden.begin();
  const auto scatter = [&](size_t at, size_t count) {
    std::copy_n(next, count, image_.begin() + static_cast<ptrdiff_t>(at));
    next += static_cast<ptrdiff_t>(count);
  };
  each_run(offset, length, scatter, into);
}

void Disguise::take_header(const nfs::Stream& stream) {
  rpcrdma::RpcHeader header;
  nfs::Walk walk;
  nfs::read_header(stream, header, walk);
  done_ = std::min(walk.offset, length_);
  keep(0, done_);
  hide_auth(header.credential);
  hide_auth(header.verifier);
}

// RFC 5531 §8.2: the flavor and the count of bytes are structure. Of the first a credential, as of the second
// a verifier, may be of any flavor.
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

// AUTH_SYS (RFC 5531 appendix A): stamp, machine name, user, group, groups; each by itself, and the two
// counts stay. False where it is not that.
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

// A credential of RPCSEC_GSS says what it is for, and in which order; its handle, and a verifier's checksum,
// are the client's.
void Disguise::hide_gss(uint64_t offset, Bytes body) {
  rpcrdma::GssCredential credential;
  constexpr uint64_t kFront = 20;  // bytes in front of the handle, its count among them
  const bool readable = !wire::read(body, credential) && credential.version == 1;
  const uint64_t front = readable ? kFront : 0;
  hide(offset + front, body.size() - front);
}

void Disguise::rewind(uint64_t offset) {
  done_ = std::min(offset, length_);
}

void Disguise::mark(uint64_t offset, uint64_t length, Meaning meaning) {
  if (offset < length_) {
    done_ = std::min(offset + length, length_);
    meaning == Meaning::structure
        ? keep(offset, length)
        : hide(offset, length, meaning == Meaning::item ? Into::messages : Into::all);
  }
}

void Disguise::finish(Meaning rest) {
  rest == Meaning::structure ? keep(done_, length_ - done_) : hide(done_, length_ - done_, Into::messages);
  done_ = length_;
}

}  // namespace steertag::sanitize
