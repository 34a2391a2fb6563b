// Texts that people and other runs hand to the command: lines of a share (--shard), names of
// procedures and rules, shares. What a share wrote and is read again is written the same.
// Layout of the input: 1 byte which, then the text.
#include <string>
#include <string_view>

#include "host/nearest.h"
#include "host/shard.h"
#include "input.h"
#include "json_check.h"
#include "report/select.h"
#include "report/share.h"
#include "rules/catalog.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

void check_piece(std::string_view line) {
  report::Piece piece, again;
  std::string text, text_again;
  if (!report::read_piece(line, piece, text)) {
    return;
  }
  report::Buffer out;
  report::put_piece(out, piece);
  const std::string_view written = report::view(out);
  require(report::read_piece(written.substr(0, written.size() - 1), again, text_again),
          "what put_piece() writes can be read");
  require(again.at == piece.at && again.number == piece.number && text_again == text,
          "read(put(piece)) is the piece");
}

void check_totals(std::string_view line) {
  report::ShareTotals totals;
  if (report::read_totals(line, totals)) {
    report::Buffer out, twice;
    report::put_totals(out, totals);
    report::ShareTotals again;
    const std::string_view written = report::view(out);
    require(report::read_totals(written.substr(0, written.size() - 1), again),
            "what put_totals() writes can be read");
    report::put_totals(twice, again);
    require(written == report::view(twice), "put(read(totals)) is the totals");
  }
}

}  // namespace

void run_words(Bytes bytes) {
  Input input(bytes);
  const uint32_t which = input.one_of(4);
  const Bytes rest = input.rest();
  const std::string text(rest.begin(), rest.end());
  switch (which) {
    case 0:
      return check_piece(text);
    case 1:
      return check_totals(text);
    case 2: {
      report::ShareName name;
      report::read_share_stream(text, "0.1.0", name);
      const auto shard = host::Shard::read(text);
      require(!shard || (shard->place >= 1 && shard->place <= shard->of),
              "a share is one of those there are");
      return;
    }
    default:
      report::can_be_procedure(text);
      rules::known(text);
      host::did_you_mean(text.substr(0, 64), report::procedure_names());
  }
}

}  // namespace steertag::fuzz
