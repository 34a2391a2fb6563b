// Runs fuzz targets without libFuzzer: every input of a target's corpus, whole and cut short,
// then some that were made of them by chance, with a fixed seed.
//
//   fuzz CORPUS [TARGET...]            Target::runs of them
//   fuzz --times N CORPUS [TARGET...]  N times as many
//
// An input that ends the run is left in the current folder, as crash-TARGET.
//
// Chance is all it is: no counter says which inputs reach something new, and nothing is kept. It
// exercises what the targets require on other inputs than those that are known to be harmless;
// scripts/fuzz searches.
#ifdef STEERTAG_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "targets.h"

namespace fuzz = steertag::fuzz;

namespace {

using Octets = std::vector<uint8_t>;

const Octets* running = nullptr;
const fuzz::Target* playing = nullptr;

void keep() {
  if (running != nullptr) {
    std::ofstream file(std::string("crash-") + playing->name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(running->data()), static_cast<std::streamsize>(running->size()));
  }
  running = nullptr;
}

constexpr uint32_t kMany = 100;  // runs
constexpr size_t kMost = 8192;   // bytes of an input that was made
std::mt19937 chance;

size_t below(size_t limit) {
  return limit == 0 ? 0 : chance() % limit;
}

std::vector<Octets> load(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());  // the order of a folder is anybody's guess
  std::vector<Octets> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// A copy of the right size, so that a sanitizer sees one byte too many.
void run(const fuzz::Target& target, const Octets& bytes, size_t size) {
  const Octets input(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  running = &input;
  target.run(input);
  running = nullptr;
}

// One of the corpus, with a few changes, or with the end of another; or any bytes.
Octets made(const std::vector<Octets>& corpus) {
  if (corpus.empty() || below(8) == 0) {
    Octets any(below(256));
    std::generate(any.begin(), any.end(), [] { return static_cast<uint8_t>(chance()); });
    return any;
  }
  Octets input = corpus[below(corpus.size())];
  if (below(4) == 0) {
    const Octets& other = corpus[below(corpus.size())];
    input.resize(below(input.size() + 1));
    input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size() + 1)),
                 other.end());
  }
  const size_t used = std::min(input.size(), kMost);
  input.resize(kMost);
  size_t size = used;
  for (size_t changes = 1 + below(4); changes > 0; --changes) {
    size = LLVMFuzzerCustomMutator(input.data(), size, kMost, static_cast<unsigned>(chance()));
  }
  input.resize(size);
  return input;
}

void play(const fuzz::Target& target, const std::vector<Octets>& corpus, size_t runs) {
  std::printf("%s: %zu inputs, %zu made of them\n", target.name, corpus.size(), runs);
  std::fflush(stdout);  // so that it stands above what a sanitizer may say
  fuzz::choose(target);
  playing = &target;
  chance.seed(1);
  for (const Octets& bytes : corpus) {
    run(target, bytes, bytes.size());
    if (target.runs >= kMany) {  // others take their time
      run(target, bytes, below(bytes.size()));
    }
  }
  for (size_t i = 0; i < runs; ++i) {
    const Octets input = made(corpus);
    run(target, input, input.size());
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) {
  const size_t at = below(size);
  const size_t length = std::min(1 + below(below(16) == 0 ? 64 : 8), std::min(size - at, most - size));
  switch (below(5)) {
    case 0:  // some bytes more
      std::memmove(data + at + length, data + at, size - at);
      std::generate_n(data + at, length, [] { return static_cast<uint8_t>(chance()); });
      return size + length;
    case 1:  // some less
      std::memmove(data + at, data + at + length, size - at - length);
      return size - length;
    case 2:  // the same bytes elsewhere
      std::memmove(data + below(size - length + 1), data + at, length);
      return size;
    case 3:  // a number at its limit
      std::fill_n(data + at, std::min<size_t>(length, 4), below(2) == 0 ? 0 : 0xFF);
      return size;
    default:
      if (size != 0) {
        data[at] = below(2) == 0 ? static_cast<uint8_t>(chance()) : data[at] ^ (1 << below(8));
      }
      return size;
  }
}

int main(int argc, char** argv) {
  std::signal(SIGABRT, [](int) { keep(); });
#ifdef STEERTAG_SANITIZED
  __sanitizer_set_death_callback(keep);
#endif
  std::vector<std::string> words(argv + 1, argv + argc);
  size_t times = 1;
  if (words.size() > 1 && words[0] == "--times") {
    times = std::strtoul(words[1].c_str(), nullptr, 10);
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) {
    std::fprintf(stderr, "usage: %s [--times N] CORPUS [TARGET...]\n", argv[0]);
    return 2;
  }
  const std::filesystem::path corpus = words[0];
  words.erase(words.begin());
  for (const fuzz::Target& target : fuzz::targets()) {
    if (words.empty() || std::find(words.begin(), words.end(), target.name) != words.end()) {
      play(target, load(corpus / target.name), times * target.runs);
    }
  }
  return 0;
}
