// FoundFile: a file that nobody named on the command line, open for reading, and whether it may be believed:
// whether nobody but the effective user and root could have put there what it says. It and its folder belong
// to one of these, and neither group nor others may write to them. A folder that anybody may write to is not
// safe because it is sticky, as /tmp is: somebody else may have made the file. Of a link, what it leads to is
// judged, and the folder of each link on the way.
//
// The descriptors of the file and of its folder are judged, and the same descriptor is read: what happens to
// their names meanwhile does not matter.
#pragma once

#include <optional>
#include <string>

#include "descriptor.h"

namespace steertag::cli {

struct FoundFile {
  Descriptor file;    // negative where it could not be opened
  std::string path;   // without links
  std::string doubt;  // why it is not to be believed: "anybody may write to it"; empty: it may be
  int error = 0;      // errno: why it could not be opened, or looked at; 0: it is open
  bool regular = false;
};

// `path`: absolute. Nothing where there is no such file.
std::optional<FoundFile> look_at_found(const std::string& path);

}  // namespace steertag::cli
