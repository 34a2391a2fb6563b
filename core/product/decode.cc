#include "product/decode.h"

#include <algorithm>

#include "report/json.h"

namespace steertag::product {

bool DecodeOptions::wants(const flow::Message& message) const {
  const auto among = [&](const Stamp& at) {
    return std::find(frames.begin(), frames.end(), at.number) != frames.end();
  };
  return filter.wants_connection(message.connection->number) && filter.wants_xid(message.header->xid) &&
         (frames.empty() || among(message.at) ||
          std::any_of(message.frames.begin(), message.frames.end(), among));
}

void DecodeProduct::begin() {
  context_.style.verbose = options_.verbose;
  if (!context_.settings.jsonl()) {
    report::text_files(context_.out(), context_.style);
  }
}

void DecodeProduct::finish(const Ended&) {
  check(options_.filter);
}

void DecodeProduct::named(const track::Connection& connection) {
  if (options_.filter.wants_connection(connection.number)) {
    announce(connection);
    heading_ = false;  // again, below that
  }
}

void DecodeProduct::message(const flow::Message& message) {
  if (!options_.wants(message)) {
    return;
  }
  if (context_.settings.jsonl()) {
    report::json_message(context_.out(), message, context_.style.files);
  } else {
    if (!heading_) {
      report::text_message_heading(context_.out(), context_.style);
      context_.records.heading_done();
      heading_ = true;
    }
    report::text_message(context_.out(), message, context_.style);
  }
  context_.records.record_done();
}

}  // namespace steertag::product
