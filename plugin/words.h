// Words: the engine's words for its enums (report/names.h), as the functions of
// Wireshark and of printf take them: with a zero at the end. All of those words
// are literals, and have one.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/names.h"

namespace steertag::plugin {

template <typename Enum>
const char* word(Enum value) {
  return report::name(value).data();
}

}  // namespace steertag::plugin
