// Targets: what is fuzzed, each a function of an input's bytes that returns whatever
// they are, and ends the run where something does not hold that must (input.h). All are
// in one program, since most of it is the library: --target=NAME says which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace steertag::fuzz {

struct Target {
  const char* name;
  void (*run)(Bytes input);
  uint32_t runs;  // inputs that a test makes (replay_main.cc): what a second is enough for
  // Changes an input in place, and returns its new size; for inputs whose parts have to agree. Null: bytes
  // are changed without knowing what they are.
  size_t (*mutate)(uint8_t* data, size_t size, size_t most, uint32_t seed) = nullptr;
};

std::span<const Target> targets();
const Target* find_target(const char* name);  // null: there is none
void choose(const Target& target);            // what LLVMFuzzerTestOneInput() runs from now on

// One a file.
void run_transport_header(Bytes input);
void run_rpc(Bytes input);
void run_setup(Bytes input);
void run_link(Bytes input);
void run_mpa(Bytes input);
void run_capture(Bytes input);
void run_inflate(Bytes input);
void run_words(Bytes input);
void run_config(Bytes input);
void run_scenario(Bytes input);
void run_story(Bytes input);
void run_file(Bytes input);
size_t mutate_file(uint8_t* data, size_t size, size_t most, uint32_t seed);

}  // namespace steertag::fuzz

// What a fuzzer calls, and what it offers; without libFuzzer, replay_main.cc does.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);
