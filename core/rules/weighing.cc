#include "rules/weighing.h"

#include <algorithm>

#include "rules/reading.h"

namespace steertag::rules {
namespace {

bool met_end(const flow::Exchange& exchange, int64_t settle_ns) {
  return exchange.reply || exchange.connection->ended ||
         (exchange.call && exchange.connection->until_ns() - exchange.call->time_ns >= settle_ns);
}

// What a message answers may be a copy: something was sent before the capture began that nobody knows.
bool call_may_be_a_copy(const flow::Message& message, int64_t settle_ns) {
  const track::Connection& connection = *message.connection;
  const flow::Exchange* open = message.standing->open;
  return open != nullptr && open->call && !connection.seen_from_start && !connection.begins_in_capture() &&
         open->call->time_ns - connection.first_frame.time_ns < settle_ns;
}

// Something is missing between a message and what it answers, which may have been sent again.
bool broken_since_call(const flow::Message& message) {
  const flow::Exchange* open = message.standing->open;
  const history::Aside* aside = message.standing->aside;
  return (open != nullptr && open->call && gap_since(*message.connection, *open->call)) ||
         (aside != nullptr && gap_since(*message.connection, aside->at));
}

// The needs that no fact of the connection meets.
unsigned unmet_by(const track::Connection& connection) {
  return (connection.setup_seen() ? needs_nothing : needs_setup) |
         (connection.one_direction() ? needs_both_ways : needs_nothing);
}

// As far as the connection alone shows.
Certainty most_of(const track::Connection& connection, uint8_t needs) {
  return (needs & prefers_setup) != 0 && !connection.seen_from_start ? Certainty::possible
                                                                     : Certainty::definite;
}

// What the transport shows is judged where it shows nothing missing; but of frames that the capture is known
// to have lost, it cannot always show that.
Certainty most_after_drops(const track::Connection& connection, Certainty most, bool lately) {
  return connection.last_drop_ns && lately ? std::min(most, Certainty::possible) : most;
}

}  // namespace

Knowledge Weighing::knowledge(const track::Connection& connection, int64_t now_ns) const {
  std::optional<int64_t> doubtful = connection.last_doubt_ns;
  if (!doubtful && !connection.seen_from_start) {
    if (connection.begins_in_capture()) {
      return Knowledge::settled;  // no more than its very first packets can be missing
    }
    doubtful = connection.first_frame.time_ns;
  }
  if (!doubtful) {
    return skewed.value_or(connection.several_taps) ? Knowledge::settled : Knowledge::whole;
  }
  return now_ns - *doubtful >= settle_ns ? Knowledge::settled : Knowledge::partial;
}

unsigned Weighing::unmet(const flow::Message& message) const {
  const bool partial =
      !message.standing->known || knowledge(*message.connection, message.at.time_ns) == Knowledge::partial;
  return unmet_by(*message.connection) | (partial ? needs_no_loss : needs_nothing);
}

unsigned Weighing::unmet(const flow::Exchange& exchange) const {
  return unmet_by(*exchange.connection) | (exchange.complete ? needs_nothing : needs_no_loss) |
         (met_end(exchange, settle_ns) ? needs_nothing : needs_end);
}

unsigned Weighing::unmet(const flow::Access& access) const {
  const bool partial = knowledge(*access.connection, access.op->frames.back().time_ns) == Knowledge::partial;
  return unmet_by(*access.connection) | (partial ? needs_no_loss : needs_nothing);
}

unsigned Weighing::unmet(const flow::Incident& incident) const {
  return unmet_by(*incident.connection);
}

unsigned Weighing::unmet(const Ending& ending) const {
  return unmet_by(*ending.connection);
}

Lack Weighing::lack_of(unsigned unmet) {
  return (unmet & needs_setup) != 0       ? Lack::setup
         : (unmet & needs_both_ways) != 0 ? Lack::direction
         : (unmet & needs_no_loss) != 0   ? Lack::loss
                                          : Lack::end;
}

Weighing::Weight Weighing::weigh(const flow::Message& message, uint8_t needs) const {
  const track::Connection& connection = *message.connection;
  const bool unsettled = knowledge(connection, message.at.time_ns) != Knowledge::whole;
  Certainty most = most_of(connection, needs);
  if ((needs & needs_unbroken) != 0 && broken_since_call(message)) {
    most = Certainty::possible;
  } else if ((needs & needs_unbroken) != 0 && call_may_be_a_copy(message, settle_ns)) {
    most = std::min(most, Certainty::likely);
  }
  return {most, unsettled ? Certainty::possible : most, true};
}

Weighing::Weight Weighing::weigh(const flow::Exchange& exchange, uint8_t needs) const {
  Certainty most = most_of(*exchange.connection, needs);
  // Judged by the Reply that did not come: one that is missing at the very end leaves no trace.
  if ((needs & needs_end) != 0 && !exchange.reply) {
    most = std::min(most, Certainty::likely);
  }
  return {most, most, false};
}

Weighing::Weight Weighing::weigh(const flow::Access& access, uint8_t needs) const {
  const track::Connection& connection = *access.connection;
  const Certainty most = most_of(connection, needs);
  const bool unsettled = knowledge(connection, access.op->frames.back().time_ns) != Knowledge::whole;
  return {most, unsettled ? Certainty::possible : most, true};
}

Weighing::Weight Weighing::weigh(const flow::Incident& incident, uint8_t needs) const {
  const track::Connection& connection = *incident.connection;
  const bool lately =
      connection.last_drop_ns && connection.last_frame.time_ns - *connection.last_drop_ns < settle_ns;
  const Certainty most = most_after_drops(connection, most_of(connection, needs), lately);
  return {most, most, false};
}

Weighing::Weight Weighing::weigh(const Ending& ending, uint8_t needs) const {
  const track::Connection& connection = *ending.connection;
  const Certainty most = most_after_drops(connection, most_of(connection, needs), true);
  return {most, most, false};
}

}  // namespace steertag::rules
