// Overrides by field name: a structure's own layout says where a field is
// in bytes that were already written, so any field of any header can be given
// any value, and no format is spelled again for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/arguments.h"
#include "scenario/script.h"
#include "wire/outline.h"

namespace steertag::scenario {

// Sets the field that `nodes` (an outline of the bytes from `base` on) calls
// `patch.name`. A list or a counted array means its first word, which is
// its discriminator or its count. False where there is no such field.
bool set_field(const std::vector<wire::Node>& nodes, const FieldPatch& patch, size_t base,
               std::vector<uint8_t>& bytes);

// "rdma_xid rdma_vers ...": the names that could have been used.
std::string field_names(const std::vector<wire::Node>& nodes);

// Overwrites bytes; says so where they lie outside.
void set_octets(const OctetsPatch& patch, size_t base, std::vector<uint8_t>& bytes, Problem& problem);

// Applies all of it to a Send that begins with its transport header.
void operate(const Surgery& surgery, std::vector<uint8_t>& send, Problem& problem);

}  // namespace steertag::scenario
