#include "report/share.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"
#include "report/json_writer.h"
#include "report/record/json_teller.h"
#include "report/record/stream.h"

namespace steertag::report {
namespace {

// LineCursor: reads a JSON line that JsonWriter has written, from left to right, member by
// member in the order in which they were written. Once something else is found nothing more
// is, and ok() says so. For share.cc alone.
class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : rest_(line) {}

  bool ok() const { return ok_; }
  bool at(std::string_view text) const { return ok_ && rest_.starts_with(text); }
  void skip(std::string_view text) {
    ok_ = at(text);
    rest_.remove_prefix(ok_ ? text.size() : 0);
  }
  uint64_t number() {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    ok_ = ok_ && error == std::errc();
    rest_.remove_prefix(ok_ ? static_cast<size_t>(end - rest_.data()) : 0);
    return ok_ ? value : 0;
  }
  uint64_t member(std::string_view key) {
    skip_key(key);
    return number();
  }
  // [1,2,3]
  std::vector<uint64_t> list(std::string_view key) {
    std::vector<uint64_t> values;
    skip_key(key);
    skip("[");
    while (ok_ && !at("]")) {
      if (!values.empty()) {
        skip(",");
      }
      values.push_back(number());
    }
    skip("]");
    return values;
  }
  // As it stands between quotes.
  std::string text(std::string_view key) {
    skip_key(key);
    skip("\"");
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') {
      end += rest_[end] == '\\' ? 2 : 1;
    }
    ok_ = ok_ && end < rest_.size();
    std::string found(rest_.substr(0, ok_ ? end : 0));
    rest_.remove_prefix(ok_ ? end + 1 : 0);
    return found;
  }
  // What needs no escapes: words of ours.
  std::string words(std::string_view key) {
    std::string found = text(key);
    ok_ = ok_ &&
          std::all_of(found.begin(), found.end(), [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
    return found;
  }

 private:
  void skip_key(std::string_view key) {
    if (at(",")) {
      skip(",");
    }
    skip("\"");
    skip(key);
    skip("\":");
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

using track::ConnectionNumber;

namespace {

constexpr std::string_view kEnd = "}\n";  // of a record
constexpr std::string_view kShare = ",\"share\":[";
constexpr std::string_view kPolicies = ",\"configured_by\":[";
constexpr std::string_view kPromise = R"({"type":"promise",)";
constexpr std::string_view kTotals = R"({"type":"share",)";

// What is counted in all frames, for where there is no RPC-over-RDMA.
std::vector<uint64_t> of_frames(const Counters& c) {
  return {c.link.other,      c.link.malformed,  c.link.cut,   c.others.tcp,  c.others.nfs_tcp,
          c.others.nfs_port, c.others.nvme_tcp, c.others.smb, c.others.roce, c.others.roce_port};
}
bool set_of_frames(Counters& c, const std::vector<uint64_t>& from) {
  if (from.size() != of_frames(c).size()) {
    return false;
  }
  c.link.other = from[0];
  c.link.malformed = from[1];
  c.link.cut = from[2];
  c.others = {from[3], from[4], static_cast<uint16_t>(from[5]), from[6],
              from[7], from[8], static_cast<uint16_t>(from[9])};
  return true;
}

constexpr size_t kTallyNumbers = 3 + rules::kLacks;

void put_moment(Buffer& out, const Moment& at, std::span<const size_t> places) {
  print(out, "{}{},{},{},{}", kShare, at.frame, static_cast<unsigned>(at.phase), at.since, at.order);
  for (const size_t place : places) {
    print(out, ",{}", place);
  }
  put(out, "]}\n");
}

// "configured_by", if it is there.
void skip_policies(LineCursor& cursor) {
  if (!cursor.at(kPolicies)) {
    return;
  }
  cursor.skip(kPolicies);
  do {
    cursor.skip("{");
    cursor.text("file");
    cursor.words("kind");
    cursor.words("sha256");
    cursor.skip("}");
    if (!cursor.at(",")) {
      break;
    }
    cursor.skip(",");
  } while (cursor.ok());
  cursor.skip("]");
}

}  // namespace

void put_share_stream(Buffer& out, std::string_view version, const ShareName& name,
                      std::span<const PolicyFile> policies) {
  JsonWriter json(out);
  json.object();
  json.text("type", record::Stream::kType);
  const Files none;
  record::JsonTeller to(json, none);
  tell(to, record::Stream{version, policies});
  json.list("share");
  json.number(name.place);
  json.number(name.of);
  json.text(name.run);
  json.end_list();
  json.end_object();
  json.end_line();
}

bool read_share_stream(std::string_view line, std::string_view version, ShareName& name) {
  LineCursor cursor(line);
  cursor.skip(R"({"type":"stream","format":1,"tool":"steertag","version":")");
  cursor.skip(version);
  cursor.skip("\"");
  skip_policies(cursor);
  cursor.skip(kShare);
  name.place = cursor.number();
  cursor.skip(",");
  name.of = cursor.number();
  name.run = line;
  const size_t run = name.run.find(",\"", name.run.find(kShare) + kShare.size());
  name.run.erase(0, run == std::string::npos ? name.run.size() : run);
  name.head = line.substr(0, line.find(kShare));
  return cursor.ok() && name.place >= 1 && name.place <= name.of && base::printable(name.head) == name.head;
}

void put_piece(Buffer& out, const Piece& piece) {
  const size_t start = out.size();
  std::vector<size_t> places;
  if (piece.kind == Piece::Kind::promise) {
    record::print(out, record::Promise{static_cast<uint64_t>(piece.promise), piece.number, piece.order});
    out.resize(out.size() - kEnd.size());
    return put_moment(out, piece.at, places);
  }
  std::string_view text = piece.text.substr(0, piece.text.size() - kEnd.size());
  for (size_t mark = text.find(ConnectionNumber::kMark); mark != std::string_view::npos;
       mark = text.find(ConnectionNumber::kMark)) {
    put(out, text.substr(0, mark));
    places.push_back(out.size() - start);
    print(out, "{}", uint32_t{ConnectionNumber::from_mark(text.substr(mark))});
    text.remove_prefix(mark + ConnectionNumber::kMarkLength);
  }
  put(out, text);
  put_moment(out, piece.at, places);
}

bool read_piece(std::string_view line, Piece& piece, std::string& text) {
  const size_t end = line.rfind(kShare);
  if (end == std::string_view::npos) {
    return false;
  }
  LineCursor cursor(line.substr(end));
  const std::vector<uint64_t> share = cursor.list("share");
  cursor.skip("}");
  if (!cursor.ok() || share.size() < 4 || share[1] > static_cast<uint64_t>(Moment::Phase::over)) {
    return false;
  }
  piece = {};
  piece.at = {share[0], static_cast<Moment::Phase>(share[1]), share[2], share[3]};
  if (line.starts_with(kPromise)) {
    LineCursor promise(line.substr(kPromise.size()));
    piece.kind = Piece::Kind::promise;
    const uint64_t what = promise.member("what"), number = promise.member("conn");
    piece.order = promise.member("order");
    piece.promise = static_cast<flow::Promise>(what);
    piece.number = static_cast<uint32_t>(number);
    return promise.ok() && what <= 2 && number >= 1 && number < ConnectionNumber::kMost;
  }
  text.clear();
  size_t copied = 0;
  // No record has characters that nobody sees. The mark, which whoever fills in the numbers would take for
  // one, is one of them.
  const bool plain = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c < 0x7F; });
  if (!line.starts_with("{") || (!plain && base::printable(line) != line)) {
    return false;
  }
  for (const uint64_t place : std::span(share).subspan(4)) {
    if (place < copied || place >= end) {
      return false;
    }
    text += line.substr(copied, place - copied);
    const std::string_view rest = line.substr(place, end - place);
    const uint64_t provisional = LineCursor(rest).number();
    const std::string digits = std::to_string(provisional);
    if (provisional == 0 || provisional >= ConnectionNumber::kMost || !rest.starts_with(digits)) {
      return false;
    }
    text += fmt::format("{}", ConnectionNumber::provisional(static_cast<uint32_t>(provisional)));
    copied = place + digits.size();
  }
  text += line.substr(copied, end - copied);
  text += "}\n";
  piece.text = text;
  return true;
}

void put_totals(Buffer& out, const ShareTotals& totals) {
  const Counters& c = totals.counters;
  const std::vector<uint64_t> counted = {totals.files,
                                         c.frames,
                                         c.messages,
                                         c.exchanges,
                                         c.connections,
                                         c.lost,
                                         c.dropped,
                                         c.given_up,
                                         totals.findings.error,
                                         totals.findings.warning,
                                         totals.findings.note,
                                         totals.status,
                                         totals.damaged,
                                         totals.rules,
                                         totals.show_tallies};
  std::vector<uint64_t> tallies;
  for (const rules::Tally& tally : totals.tallies) {
    tallies.insert(tallies.end(), {tally.kept, tally.broken, tally.undecided});
    tallies.insert(tallies.end(), tally.lacks.begin(), tally.lacks.end());
  }
  record::print(
      out, record::Share{counted, of_frames(c), tallies, totals.seen.numbers(), totals.required, totals.cut});
}

bool read_totals(std::string_view line, ShareTotals& totals) {
  LineCursor cursor(line);
  cursor.skip(kTotals);
  const std::vector<uint64_t> counted = cursor.list("counted"), frames = cursor.list("of_frames"),
                              tallies = cursor.list("tallies"), seen = cursor.list("seen");
  totals.required = cursor.words("required");
  totals.cut = cursor.words("cut");
  cursor.skip("}");
  if (!cursor.ok() || counted.size() != 15 || tallies.size() % kTallyNumbers != 0 ||
      !set_of_frames(totals.counters, frames)) {
    return false;
  }
  Counters& c = totals.counters;
  uint64_t* const numbers[] = {&totals.files,
                               &c.frames,
                               &c.messages,
                               &c.exchanges,
                               &c.connections,
                               &c.lost,
                               &c.dropped,
                               &c.given_up,
                               &totals.findings.error,
                               &totals.findings.warning,
                               &totals.findings.note,
                               &totals.status};
  for (size_t i = 0; i < std::size(numbers); ++i) {
    *numbers[i] = counted[i];
  }
  totals.damaged = counted[12] != 0;
  totals.rules = counted[13] != 0;
  totals.show_tallies = counted[14] != 0;
  totals.tallies.resize(tallies.size() / kTallyNumbers);
  for (size_t i = 0; i < tallies.size(); i += kTallyNumbers) {
    rules::Tally& tally = totals.tallies[i / kTallyNumbers];
    tally.kept = tallies[i];
    tally.broken = tallies[i + 1];
    tally.undecided = tallies[i + 2];
    std::copy_n(tallies.begin() + static_cast<ptrdiff_t>(i) + 3, rules::kLacks, tally.lacks.begin());
  }
  return totals.seen.add(seen);
}

}  // namespace steertag::report
