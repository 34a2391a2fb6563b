// Items: entries of a protocol tree that are in no byte of the frame, marked as
// generated. They are placed at the start of `tvb` and have no length.
// May leave by longjmp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include "report/names.h"

namespace steertag::plugin {

// Marks an item as one that no byte of the frame stands for.
inline proto_item* generated(proto_item* item) {
  proto_item_set_generated(item);
  return item;
}

inline void add_uint(proto_tree* tree, tvbuff_t* tvb, int field, uint32_t value) {
  generated(proto_tree_add_uint(tree, field, tvb, 0, 0, value));
}

inline proto_item* add_string(proto_tree* tree, tvbuff_t* tvb, int field, const char* value) {
  return generated(proto_tree_add_string(tree, field, tvb, 0, 0, value));
}

// None for frame 0.
inline void add_link(proto_tree* tree, tvbuff_t* tvb, int field, uint32_t frame) {
  if (frame != 0) {
    add_uint(tree, tvb, field, frame);
  }
}

// A time as Wireshark has it.
inline nstime_t nstime_of(int64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<int>(ns % 1'000'000'000)};
}

inline proto_item* add_time(proto_tree* tree, tvbuff_t* tvb, int field, int64_t ns) {
  const nstime_t time = nstime_of(ns);
  return generated(proto_tree_add_time(tree, field, tvb, 0, 0, &time));
}

const char* word(auto... value) {
  return report::name(value...).data();
}

}  // namespace steertag::plugin
