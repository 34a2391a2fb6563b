#include "sanitize/disguise.h"

#include <algorithm>

#include "nfs/call.h"
#include "nfs/cursor.h"
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

void Disguise::each_run(uint64_t offset, uint64_t length, const auto& what, Into into) {
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

void Disguise::hide(uint64_t offset, uint64_t length, Into into, const Key& key) {
  field_.clear();
  const auto gather = [&](size_t at, size_t count) {
    const Bytes run = slice(original_, at, count);
    field_.insert(field_.end(), run.begin(), run.end());
  };
  each_run(offset, length, gather, into);
  std::vector<uint8_t> hidden(field_.size());
  disguise(key, field_, hidden);
  auto next = hidden.begin();
  const auto scatter = [&](size_t at, size_t count) {
    std::copy_n(next, count, image_.begin() + static_cast<ptrdiff_t>(at));
    next += static_cast<ptrdiff_t>(count);
  };
  each_run(offset, length, scatter, into);
}

void Disguise::clear(uint64_t offset, uint64_t length) {
  each_run(offset, length, [&](size_t at, size_t count) {
    std::fill_n(image_.begin() + static_cast<ptrdiff_t>(at), count, uint8_t{0});
  });
}

bool Disguise::at_hand(uint64_t offset, uint64_t length) {
  bool whole = true;
  for (uint64_t at = 0; at < length; at += kWord) {
    size_t longest = 0;
    each_run(offset + at, kWord, [&](size_t /*at*/, size_t count) { longest = std::max(longest, count); });
    whole &= longest == kWord;
  }
  return whole;
}

std::optional<uint32_t> Disguise::word_at(uint64_t offset) {
  uint32_t value = 0;
  size_t found = 0;
  each_run(offset, kWord, [&](size_t at, size_t count) {
    for (size_t i = 0; i < count; ++i, ++found) {
      value = value << 8 | original_[at + i];
    }
  });
  return found == kWord ? std::optional(value) : std::nullopt;
}

// A word that lies in two parts of the message is hidden: it may be made of the ends of two others.
void Disguise::keep_below(uint32_t bound, uint64_t offset) {
  const bool below = at_hand(offset, kWord) && word_at(offset).value_or(UINT32_MAX) < bound;
  below ? keep(offset, kWord) : hide(offset, kWord);
}

void Disguise::hide_unless_zero(uint64_t offset, uint64_t length, Into into) {
  bool zero = true;
  each_run(
      offset, length,
      [&](size_t at, size_t count) {
        const Bytes run = slice(original_, at, count);
        zero &= std::all_of(run.begin(), run.end(), [](uint8_t byte) { return byte == 0; });
      },
      into);
  if (!zero) {
    hide(offset, length, into);
  }
}

void Disguise::take_header(const nfs::Stream& stream, uint32_t xid) {
  read_header(stream, xid);
  for (Part& part : parts_) {
    if (part.data) {  // at a Position where no argument can be
      std::fill_n(image_.begin() + static_cast<ptrdiff_t>(part.at), part.written, uint8_t{0});
      part.written = 0;
    }
  }
}

void Disguise::read_header(const nfs::Stream& stream, uint32_t xid) {
  rpcrdma::RpcHeader header;
  nfs::Walk walk;
  const bool whole = nfs::read_header(stream, header, walk);
  done_ = std::min(walk.offset, length_);
  keep(0, done_);
  doubted_ = !whole && walk.reason == nfs::Reason::past_end;
  const bool kind_known = done_ >= rpcrdma::rpc_through_status;
  if (!kind_known ||
      (header.call() ? header.rpcvers != rpcrdma::rpc_version : text(header.reply_stat).empty())) {
    return hide_what_is_no_header(header.xid == xid);
  }
  if (header.xid != xid) {
    keep_below(kLeastStrange, 0);  // it may be no XID at all
  }
  hide_auth(header.credential, true);
  hide_auth(header.verifier, false);
  // Version and procedure are small in every program; what follows the verifier says how it ended.
  constexpr uint32_t kVersion = 16, kTransient = 0x40000000;
  const uint32_t behind =
      std::max({rpcrdma::rpc_through_status, header.credential.at.end(), header.verifier.at.end()});
  for (uint64_t at = rpcrdma::rpc_through_status; at + kWord <= done_; at += kWord) {
    if (at >= behind || (header.call() && at >= kVersion && at < rpcrdma::rpc_through_procedure)) {
      keep_below(kLeastStrange, at);
    } else if (header.call() && at < kVersion && header.program >> 16 != kTransient >> 16) {
      keep_below(kLeastHuge, at);
    }
  }
}

// Of what neither a Call nor a Reply begins with, words that may be of another version of RPC. The last one
// may be the front of a credential.
void Disguise::hide_what_is_no_header(bool right_xid) {
  constexpr uint64_t kProgram = 12;
  for (uint64_t at = 0; at < done_; at += kWord) {
    if (at != 0 || !right_xid) {
      keep_below(at == kProgram ? kLeastHuge : kLeastStrange, at);
    }
  }
}

void Disguise::keep_status(uint64_t offset) {
  if (offset < length_) {
    done_ = std::min(offset + kWord, length_);
    keep_below(nfs::Cursor::kLeastNoStatus, offset);
  }
}

// RFC 5531 §8.2: the flavor and the count of bytes are structure. What is inside is read of a credential
// alone: a verifier is a checksum, whatever it begins with.
void Disguise::hide_auth(const rpcrdma::Auth& auth, bool credential) {
  constexpr uint32_t kFront = 8;
  if (auth.at.length != 0) {
    keep_below(kLeastStrange, auth.at.offset);
  }
  if (auth.at.length > kWord && word_at(auth.at.offset + kWord) != auth.body.size()) {
    keep_below(kLeastStrange, auth.at.offset + kWord);  // a count of bytes that are not there
  }
  if (auth.at.length < kFront) {
    return;
  }
  const uint64_t offset = auth.at.offset + kFront;
  const uint64_t length = auth.at.length - kFront;
  if (auth.flavor == rpcrdma::Flavor::gss) {
    credential ? hide_gss(offset, auth.body) : hide(offset, auth.body.size());
    return clear(offset + auth.body.size(), length - auth.body.size());  // its pad
  }
  if (!credential || auth.flavor != rpcrdma::Flavor::sys || !hide_sys(offset, auth.body)) {
    hide(offset, length);
  }
}

// AUTH_SYS (RFC 5531 appendix A): stamp, machine name, user, group, groups; each by itself, and the two
// counts stay. False where it is not that. Many clients stamp with 0, the number of root: a stamp has a key
// of its own, or it would show who is root.
bool Disguise::hide_sys(uint64_t offset, Bytes body) {
  const auto word = [&](uint64_t at) {
    return at + kWord <= body.size() ? wire::big_endian<uint32_t>(body.data() + at) : UINT32_MAX;
  };
  const uint64_t name = word(kWord), ids = 2 * kWord + (name + 3) / 4 * 4, count = ids + 2 * kWord;
  const uint64_t groups = word(count);
  if (count + kWord + groups * kWord != body.size()) {
    return false;
  }
  hide(offset, kWord, Into::all, key_.derive('T'));
  hide(offset + 2 * kWord, name);
  clear(offset + 2 * kWord + name, ids - 2 * kWord - name);
  hide(offset + ids, kWord);
  hide(offset + ids + kWord, kWord);
  for (uint64_t i = 0; i < groups; ++i) {
    hide(offset + count + kWord + i * kWord, kWord);
  }
  return true;
}

// A credential of RPCSEC_GSS says what it is for, and in which order; its handle is the client's.
void Disguise::hide_gss(uint64_t offset, Bytes body) {
  rpcrdma::GssCredential credential;
  constexpr uint64_t kFront = 20;  // bytes in front of the handle, its count among them
  const bool readable = !wire::read(body, credential) && credential.version == 1 &&
                        static_cast<uint32_t>(credential.proc) < kLeastStrange &&
                        static_cast<uint32_t>(credential.service) < kLeastStrange;
  const uint64_t front = readable ? kFront : 0;
  hide(offset + front, body.size() - front);
}

void Disguise::rewind(uint64_t offset) {
  done_ = std::min(offset, length_);
  for (Part& part : parts_) {
    const uint64_t kept = offset - std::min(offset, part.begin);
    if (kept < part.written) {
      const auto begin = image_.begin() + static_cast<ptrdiff_t>(part.at);
      std::fill(begin + static_cast<ptrdiff_t>(kept), begin + static_cast<ptrdiff_t>(part.written),
                uint8_t{0});
      part.written = kept;
    }
  }
  while (!numbers_.empty() && numbers_.back().offset >= offset) {
    numbers_.pop_back();
  }
  while (!words_.empty() && words_.back() >= offset) {
    words_.pop_back();
  }
}

// A number that is too large for a size or a flag, or in eight bytes for a place in a file, is none, but for
// the one that says "all of it". One that was not captured whole may be as large. A field of other lengths
// is a row of words.
bool Disguise::hide_huge(uint64_t offset, uint64_t length) {
  bool any = false;
  const uint64_t size = length == 2 * kWord ? length : kWord;
  for (uint64_t at = offset; at + size <= offset + length; at += size) {
    const std::optional<uint32_t> first = word_at(at), last = word_at(at + size - kWord);
    if (!first || !last || (*first >= kLeastHuge && (*first & *last) != UINT32_MAX)) {
      hide(at, size);
      any = true;
    }
  }
  return any;
}

// "." or "..": a directory itself, or the one above, wherever that is.
bool Disguise::of_dots(uint64_t offset, uint64_t length) {
  bool dots = length == 1 || length == 2;
  if (dots) {
    each_run(offset, length, [&](size_t at, size_t count) {
      const Bytes run = slice(original_, at, count);
      dots &= std::all_of(run.begin(), run.end(), [](uint8_t byte) { return byte == '.'; });
    });
  }
  return dots;
}

void Disguise::mark(uint64_t offset, uint64_t length, Meaning meaning) {
  if (offset >= length_) {
    return;
  }
  done_ = std::min(offset + length, length_);
  switch (meaning) {
    case Meaning::structure:
      words_.push_back(offset);
      return keep(offset, length);
    case Meaning::number:
    case Meaning::bits:
    case Meaning::offset:
    case Meaning::count:
      if (!at_hand(offset, length)) {
        return hide(offset, length);
      }
      numbers_.push_back({offset, length, meaning == Meaning::offset || meaning == Meaning::count});
      keep(offset, length);
      if (meaning != Meaning::bits) {
        hide_huge(offset, length);
      }
      return;
    case Meaning::pad:
      return clear(offset, length);
    case Meaning::item:
      return hide(offset, length, Into::messages);
    case Meaning::fixed:
    case Meaning::handle:
    case Meaning::opaque:
      return hide(offset, length);
    case Meaning::name:
      return of_dots(offset, length) ? keep(offset, length) : hide(offset, length);
  }
}

void Disguise::doubt(const nfs::Walk& walk) {
  doubted_ = true;
  for (const Number& number : numbers_) {
    clear(number.offset, number.length);
  }
  const auto most = static_cast<uint32_t>(std::clamp<uint64_t>(length_, kLeastCount, UINT32_MAX));
  const uint32_t bound = std::min(most, kLeastHuge);  // a count of more than there is was none
  bool led_on = true;                                 // nothing is certain behind what was none
  for (const uint64_t word : words_) {
    keep_below(led_on ? bound : 0, word);
    led_on &= word_at(word).value_or(0) < bound;
  }
  const bool at_word = !words_.empty() && words_.back() + kWord == walk.offset;
  if (at_word && walk.reason != nfs::Reason::past_end && walk.reason != nfs::Reason::trailing &&
      walk.reason != nfs::Reason::derailed) {
    keep_below(led_on ? kLeastStrange : 0, words_.back());
  }
}

// A walk that was not misled meets no word that large but one that says how much a Write chunk has. Where an
// offset or a count is none, the others are none either: a wrong procedure makes them of a name.
void Disguise::finish() {
  if (!doubted_) {
    for (const uint64_t word : words_) {
      keep_below(kLeastHuge, word);
    }
    const auto in_file = [](const Number& number) { return number.in_file; };
    if (std::any_of(numbers_.begin(), numbers_.end(), [&](const Number& number) {
          return in_file(number) && hide_huge(number.offset, number.length);
        })) {
      for (const Number& number : numbers_) {
        in_file(number) ? hide(number.offset, number.length) : void();
      }
    }
  }
  hide_unless_zero(done_, length_ - done_, Into::messages);
  done_ = length_;
}

}  // namespace steertag::sanitize
