#include "rules/precedence.h"

#include <algorithm>

namespace steertag::rules {
namespace {

struct Pair {
  std::string_view cause, effect;  // an id, or a family
};

constexpr Pair pairs[] = {
    // A header that cannot be read says nothing of what it should contain.
    {"HDR", "PAY"},       {"HDR", "CHK"},       {"HDR", "DDP"},       {"DIR-02", "CHK-01"},
    {"DIR-02", "PAY-05"}, {"MEM-03", "MEM-05"}, {"MEM-04", "MEM-05"}, {"MEM-07", "MEM-06"},
    {"MEM-01", "MEM-08"}, {"MEM-02", "MEM-08"}, {"INV-11", "NET-03"}, {"INV-11", "NET-05"},
    {"INV-02", "INV-05"}, {"INV-03", "INV-05"}, {"INV-08", "INV-05"}, {"INL-02", "INL-01"},
    {"INL-04", "INL-01"}, {"XID-03", "ERR-01"}, {"ERR-05", "ERR-03"}, {"PRC-01", "PAY"},
    {"XID-01", "XID-02"}, {"VER-04", "VER-02"}, {"DIR-02", "PAY-04"}, {"VER-02", "VER-07"},
    {"ERR-02", "VER-07"},
};

bool means(std::string_view word, const Rule& rule) {
  return rule.id.substr(0, word.size()) == word;
}

}  // namespace

bool explains(const Rule& cause, const Rule& effect) {
  // In a version that does not exist nothing else can be judged.
  if (cause.id == "VER-01") {
    return effect.id != "VER-01" && effect.id != "VER-04";
  }
  return std::any_of(std::begin(pairs), std::end(pairs), [&](const Pair& pair) {
    return means(pair.cause, cause) && means(pair.effect, effect);
  });
}

}  // namespace steertag::rules
