#include "session.h"

#include <fmt/core.h>

namespace steertag::legal {

std::string Chunk::text(std::string_view kind) const {
  std::string words = name;
  for (const uint32_t length : lengths) {
    words += words.empty() ? "" : " ";
    words += handle != 0 ? fmt::format("{:#x}:{}", handle, length) : fmt::format("{}", length);
  }
  return fmt::format(" {}({})", kind, words);
}

std::string Rpc::call_text() const {
  std::string text = fmt::format("{}call xid={} v{} {}", requester(), xid, version, procedure);
  if (whole) {
    text += fmt::format(" read({} pos=0)", whole->name);
  }
  for (const Chunk& chunk : reads) {
    text += chunk.text("read");
  }
  for (const Chunk& chunk : writes) {
    text += chunk.text("write");
  }
  if (reply) {
    text += reply->text("reply");
  }
  return text + words + (inv.empty() ? "" : " inv=" + inv);
}

std::string Session::text() const {
  std::string all = settings;
  for (const Line& line : lines) {
    all += line.dropped ? "" : line.text + "\n";
  }
  return all;
}

}  // namespace steertag::legal
