// FoundFile: a file that nobody named on the command line, open for reading, and whether it may be believed:
// whether nobody but the effective user and root could have put there what it says. It and its folder belong
// to one of these, and neither group nor others may write to them. A folder that anybody may write to is not
// safe because it is sticky, as /tmp is: somebody else may have made the file. Of a link, what it leads to is
// judged, and the folder of each link on the way. What is not to be believed is neither followed nor opened:
// opening a device does something, and a link may lead to one.
//
// The folder is reached by its descriptor, step by step, and judged by that: what happens to names on the way
// meanwhile does not matter. Within it, nobody else can change what the name of the file leads to.
#pragma once

#include <optional>
#include <string>

#include "host/descriptor.h"

namespace steertag::host {

struct FoundFile {
  Descriptor file;       // negative where it is not open
  std::string path;      // without links; as far as they were followed
  std::string doubt;     // why it is not to be believed: "anybody may write to it"; empty: it may be
  int error = 0;         // errno: why it could not be opened, or looked at
  bool regular = false;  // then, with neither doubt nor error, it is open
};

// `path`: absolute. Nothing where there is no such file.
std::optional<FoundFile> look_at_found(const std::string& path);

}  // namespace steertag::host
