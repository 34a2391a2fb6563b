// Words: the engine's words for its enums (report/names.h) as Wireshark's functions
// and printf take them: null-terminated. All of those words are literals, so they
// are.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/names.h"

namespace steertag::plugin {

template <typename... Enum>
const char* word(Enum... value) {
  return report::name(value...).data();
}

}  // namespace steertag::plugin
