#include "report/merger.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace steertag::report {

using track::ConnectionNumber;

void Merger::merge(std::span<Pieces* const> shares, Sink& sink) {
  struct Head {
    size_t share = 0;
    Piece piece;
  };
  std::vector<Head> heads;  // a heap, the earliest in front
  const auto later = [](const Head& x, const Head& y) {
    return std::pair(x.piece.at, x.share) > std::pair(y.piece.at, y.share);
  };
  for (size_t share = 0; share < shares.size(); ++share) {
    Head head{share, {}};
    if (shares[share]->next(head.piece)) {
      heads.push_back(head);
      std::push_heap(heads.begin(), heads.end(), later);
    }
  }
  while (!heads.empty()) {
    std::pop_heap(heads.begin(), heads.end(), later);
    Head& head = heads.back();
    const Moment limit = heads.size() > 1 ? heads.front().piece.at
                                          : Moment{.frame = Moment::kEnd,
                                                   .phase = Moment::Phase::over,
                                                   .since = UINT64_MAX,
                                                   .order = UINT64_MAX};
    bool more = true;
    do {  // most often the same share goes on
      take(head.share, head.piece, sink);
      [[maybe_unused]] const Moment before = head.piece.at;
      more = shares[head.share]->next(head.piece);
      STEERTAG_CHECK(!more || before <= head.piece.at);
    } while (more && head.piece.at < limit);
    if (more) {
      std::push_heap(heads.begin(), heads.end(), later);
    } else {
      heads.pop_back();
    }
  }
}

void Merger::merge(std::span<Pieces* const> shares, Buffer& out, const std::function<void()>& done) {
  struct One final : Sink {
    One(Buffer& into, const std::function<void()>& behind) : out(into), done(behind) {}
    Buffer& buffer(size_t) override { return out; }
    void record_done(size_t) override { done(); }
    Buffer& out;
    const std::function<void()>& done;
  } one(out, done);
  merge(shares, one);
}

void Merger::take(size_t share, const Piece& piece, Sink& sink) {
  if (piece.kind == Piece::Kind::promise) {
    std::deque<ConnectionNumber>& numbers = numbers_[share];
    if (piece.number > numbers.size() + 1) {
      return;  // they are given one after the other: this one never was
    }
    numbers.resize(std::max<size_t>(numbers.size(), piece.number));
    numbering_.note(piece.promise, numbers[piece.number - 1], piece.order);
    return;
  }
  headings_.resize(std::max(headings_.size(), piece.channel + 1));
  Heading& heading = headings_[piece.channel];
  if (piece.kind == Piece::Kind::heading) {
    heading.text = piece.text;  // all shares have the same
    return;
  }
  if (piece.kind == Piece::Kind::aside) {
    heading.stands = false;
  } else if (!heading.text.empty() && !std::exchange(heading.stands, true)) {
    put(sink.buffer(piece.channel), heading.text);
  }
  fill_in(share, piece.text, sink.buffer(piece.channel));
  sink.record_done(piece.channel);
}

ConnectionNumber Merger::number(size_t share, ConnectionNumber number) const {
  if (!number.provisional()) {
    return number;
  }
  const std::deque<ConnectionNumber>& numbers = numbers_[share];
  return number <= numbers.size() ? numbers[number - 1] : ConnectionNumber();
}

void Merger::fill_in(size_t share, std::string_view text, Buffer& out) const {
  for (size_t mark = text.find(ConnectionNumber::kMark); mark != std::string_view::npos;
       mark = text.find(ConnectionNumber::kMark)) {
    put(out, text.substr(0, mark));
    const ConnectionNumber provisional = ConnectionNumber::from_mark(text.substr(mark));
    print(out, "{:<{}}", uint32_t{number(share, provisional)}, text[mark + 1] - 'a');
    text.remove_prefix(mark + ConnectionNumber::kMarkLength);
  }
  put(out, text);
}

}  // namespace steertag::report
