// A configuration or a baseline, its text as it is: refused in one line that names the file, or read; what is
// read and written down is read as the same.
// Layout of the input: 1 byte whether reasons may be missing, then the text.
#include "host/config.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "host/failure.h"
#include "host/toml.h"
#include "input.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

constexpr const char* kName = "steertag.toml";

}  // namespace

void run_config(Bytes bytes) {
  Input input(bytes);
  const host::Reasons reasons = input.one_of(2) == 0 ? host::Reasons::required : host::Reasons::optional;
  const Bytes rest = input.rest();
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  std::string written;
  try {
    written = host::toml(host::read_config(text, kName, reasons));
  } catch (const host::Failure& failure) {
    const std::string_view why(failure.what());
    require(why.starts_with(kName) && why.find('\n') == std::string_view::npos,
            "a refusal is a line that begins with the file's name");
    return;
  }
  try {
    require(host::toml(host::read_config(written, kName, reasons)) == written,
            "read(written(config)) is the config");
  } catch (const host::Failure&) {
    require(false, "what is written can be read");
  }
}

}  // namespace steertag::fuzz
