// What stands out, as incidents: whatever it is and whoever asks, the heading looks where the kind's name
// does.
#include "incident/standouts.h"

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "report/incident.h"
#include "report/names.h"
#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::Standout;

TEST_CASE("no incident is called by the name of one side, and looks at another") {
  const base::Address client = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 2});
  const base::Address server = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 1});
  stats::Load load;
  load.number = 1;
  load.client.address = client;
  load.server.address = server;
  for (size_t kind = 0; kind < stats::standout_names.size(); ++kind) {
    for (const bool callback : {false, true}) {
      for (const bool alone : {false, true}) {
        stats::Topic topic;
        topic.server = callback ? client : server;  // who answers
        topic.callback = callback;
        topic.operation = {.program = 100003, .version = 4, .op = callback ? "CB_RECALL" : "OPEN"};
        stats::Remark remark;
        remark.kind = static_cast<Standout>(kind);
        remark.topic = &topic;
        // Not ready is somebody of a connection.
        remark.load = alone || remark.kind == Standout::not_ready ? &load : nullptr;
        const Incident incident = incident_of(remark, {&load});
        INFO(stats::standout_names[kind] << (callback ? ", callback" : "") << (alone ? ", alone" : ""));
        const std::optional<Where> named = where_by_name(incident.kind);
        if (named) {
          CHECK(incident.where == named);
          const std::string heading = report::heading(incident, report::TextStyle());
          CHECK(heading.find("slow " + std::string(report::name(*named))) == 0);
          CHECK(heading.find("look at the " + std::string(report::name(*named))) != std::string::npos);
        }
        if (named == Where::client || named == Where::server) {
          const bool answers = remark.kind == Standout::server || remark.kind == Standout::offset;
          CHECK(*named == (callback == answers ? Where::client : Where::server));
          CHECK((incident.by == (*named == Where::client ? client : server) ||
                 incident.by.kind == base::Address::Kind::none));
        }
      }
    }
  }
}

}  // namespace
}  // namespace steertag::incident
