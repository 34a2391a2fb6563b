#include "targets.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace steertag::fuzz {
namespace {

constexpr Target kTargets[] = {
    {"transport-header", run_transport_header, 5000},
    {"rpc", run_rpc, 5000},
    {"setup", run_setup, 5000},
    {"link", run_link, 5000},
    {"mpa", run_mpa, 2000},
    {"capture", run_capture, 2000},
    {"inflate", run_inflate, 100},
    {"words", run_words, 500},
    {"config", run_config, 1000},
    {"scenario", run_scenario, 30},
    {"story", run_story, 50},
    {"file", run_file, 20, mutate_file},
};

const Target* chosen = nullptr;

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

const Target* find_target(const char* name) {
  for (const Target& target : kTargets) {
    if (std::strcmp(target.name, name) == 0) {
      return &target;
    }
  }
  return nullptr;
}

void choose(const Target& target) {
  chosen = &target;
}

}  // namespace steertag::fuzz

namespace fuzz = steertag::fuzz;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr char kOption[] = "--target=";
  for (int i = 1; i < *argc; ++i) {
    if (std::strncmp((*argv)[i], kOption, sizeof kOption - 1) == 0) {
      fuzz::chosen = fuzz::find_target((*argv)[i] + sizeof kOption - 1);
    }
  }
  if (fuzz::chosen == nullptr) {
    std::fprintf(stderr, "say --target=NAME, one of:\n");
    for (const fuzz::Target& target : fuzz::kTargets) {
      std::fprintf(stderr, "%s\n", target.name);
    }
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::chosen->run({data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::chosen->mutate != nullptr ? fuzz::chosen->mutate(data, size, most, seed)
                                         : LLVMFuzzerMutate(data, size, most);
}
