// Every transport header of every capture at hand, read and written again: the
// bytes must be the same. Captures are those of captures/, and those of the
// shared folder where it is there.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "rpcrdma/header.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::support;

namespace {

class RoundTrip final : public Observer {
 public:
  size_t headers = 0, stopped = 0;

  void on(const Event& event) override {
    const auto* seen = std::get_if<MessageSeen>(&event);
    if (seen == nullptr) {
      return;
    }
    const flow::Message& message = seen->message;
    if (message.decoded.stop || message.decoded.odd_discriminator) {
      ++stopped;
      return;
    }
    ++headers;
    written_.clear();
    rpcrdma::encode(*message.header, written_);
    const Bytes original = slice(message.bytes, 0, message.decoded.header_length);
    INFO("frame " << message.at.number);
    REQUIRE(written_ == std::vector<uint8_t>(original.begin(), original.end()));
  }

 private:
  std::vector<uint8_t> written_;
};

}  // namespace

TEST_CASE("every transport header of the captures is written as it was read") {
  RoundTrip observer;
  size_t captures = 0;
  for (const char* folder : support::kCaptureFolders) {
    const std::string root = std::string(STEERTAG_ROOT) + folder;
    if (!std::filesystem::exists(root)) {
      WARN(root + " is not there");
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".pcap") {
        INFO(entry.path());
        feed_all(observer, load(entry.path()));
        ++captures;
      }
    }
  }
  CHECK(captures >= 15);
  CHECK(observer.headers > 1000);
  // Headers that cannot be read to their end are those of cut frames and of the
  // hand-made client, few in number.
  CHECK(observer.stopped * 10 < observer.headers);
}
