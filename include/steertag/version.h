// Which version of Steertag this is. MAJOR.MINOR.PATCH counts as semantic versioning has it; README.md beside
// these headers says what is promised.
//
// What they declare is in the namespace v0, which is in the names that a linker sees, so that programs do not
// link with a library of another generation. You write steertag::Rpc.
#pragma once

#include <string_view>

namespace steertag::v0 {

std::string_view version();  // "0.1.0"

}  // namespace steertag::v0

#ifndef STEERTAG_ENGINE  // the library itself has other names in namespace steertag
namespace steertag {
using namespace v0;
}
#endif
