// Lines that are an RDMA Read, an RDMA Write, or an error report about one.
#include <fmt/core.h>

#include "scenario/parser.h"

namespace steertag::scenario {

OperationLine parse_operation(bool read, Arguments& arguments) {
  OperationLine line;
  line.read = read;
  line.immediate = arguments.flag("immediate");
  if (const Term* target = arguments.word()) {
    line.target = parse_target(target->name, arguments.problem());
    if (const Term* length = arguments.word()) {
      line.length = parse_u32(length->name, "a length in bytes", arguments.problem());
    }
  }
  if (const auto length = arguments.number("length")) {
    line.length = length;
  }
  line.skip = arguments.number("skip").value_or(0);
  line.handle = arguments.number("handle");
  line.offset = arguments.number("offset", UINT64_MAX);
  line.deliver = arguments.number("deliver");
  line.xid = arguments.number("xid");
  arguments.finish(
      "read and write take @CHUNK, @CHUNK.SEGMENT, a handle or HANDLE:LENGTH@OFFSET, then a length, "
      "and skip= handle= offset= deliver= xid= immediate");
  return line;
}

ComplaintLine parse_complaint_line(std::string_view verb, Arguments& arguments) {
  ComplaintLine line;
  if (verb == "terminate") {
    const auto number = [&](std::string_view name) {
      return static_cast<uint8_t>(arguments.number(name, 255).value_or(0));
    };
    line.terminate = ComplaintLine::Terminate{number("layer"), number("etype"), number("code")};
    line.complaint = line.terminate->layer == 1 && line.terminate->etype == 2 ? Complaint::invalid_request
                                                                              : Complaint::remote_access;
  } else if (const Term* word = arguments.word()) {
    const auto known = parse_complaint(word->name);
    if (!known) {
      arguments.problem().say(fmt::format("nak takes {}.", kComplaints));
    }
    line.complaint = known.value_or(Complaint::remote_access);
  }
  line.psn = arguments.number("psn");
  line.handle = arguments.number("handle");
  arguments.finish("nak takes the kind of error; terminate takes layer= etype= code=; both psn= handle=");
  return line;
}

}  // namespace steertag::scenario
