// Faults: ways to break one rule in a session that keeps them all, each with the rule that must find it.
// Some change a message of the session; others are an RPC more, in a moment of rest.
#pragma once

#include <span>
#include <string_view>

#include "dice.h"
#include "session.h"

namespace steertag::legal {

// Under which profiles it is one, as bits.
enum Under : uint8_t { kDeployed = 1, kStrict = 2, kRfc5666 = 4, kEvery = 7, kToday = kDeployed | kStrict };

inline bool is_under(uint8_t where, rules::Profile profile) {
  return (where >> static_cast<int>(profile) & 1) != 0;
}

struct Fault {
  std::string_view name;
  std::string_view rule;
  uint8_t under = kEvery;
  // False where the session has no place for it. Else it is planted.
  bool (*plant)(Session& session, Dice& dice, const Fault& fault) = nullptr;
  // Of an RPC more:
  bool (*fits)(const Rest& rest, const Session& session) = nullptr;
  std::string_view lines = {};
};

// faults_in_messages.cc
std::span<const Fault> faults_in_messages();
// added_faults.cc, added_faults_version_two.cc: lines more, in a moment of rest
std::span<const Fault> added_faults();
std::span<const Fault> added_faults_version_two();

// Puts the fault's lines into a moment that fits.
bool add_lines(Session& session, Dice& dice, const Fault& fault);

}  // namespace steertag::legal
