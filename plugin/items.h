// Items: entries of a protocol tree that are in no byte of the frame, marked as
// generated. They are placed at the start of `tvb` and have no length.
// May leave by longjmp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include "report/names.h"

namespace steertag::plugin {

inline void add_uint(proto_tree* tree, tvbuff_t* tvb, int field, uint32_t value) {
  proto_item_set_generated(proto_tree_add_uint(tree, field, tvb, 0, 0, value));
}

inline void add_string(proto_tree* tree, tvbuff_t* tvb, int field, const char* value) {
  proto_item_set_generated(proto_tree_add_string(tree, field, tvb, 0, 0, value));
}

// None for frame 0.
inline void add_link(proto_tree* tree, tvbuff_t* tvb, int field, uint32_t frame) {
  if (frame != 0) {
    add_uint(tree, tvb, field, frame);
  }
}

inline proto_item* add_time(proto_tree* tree, tvbuff_t* tvb, int field, int64_t ns) {
  nstime_t time;
  time.secs = ns / 1'000'000'000;
  time.nsecs = static_cast<int>(ns % 1'000'000'000);
  proto_item* item = proto_tree_add_time(tree, field, tvb, 0, 0, &time);
  proto_item_set_generated(item);
  return item;
}

template <typename... Enum>
const char* word(Enum... value) {
  return report::name(value...).data();
}

}  // namespace steertag::plugin
