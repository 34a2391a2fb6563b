// Audits a capture file and prints what steertag audit --format sarif prints, without the command.
#include <steertag/report.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: sarif CAPTURE FOLDER, which relative paths are in\n");
    return 2;
  }
  std::ifstream capture(argv[1], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(capture), {});
  const steertag::Text text = steertag::report({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                                               {.format = "sarif", .capture = argv[1], .folder = argv[2]});
  std::fwrite(text.text.data(), 1, text.text.size(), stdout);
  if (!text.error.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[1], text.error.c_str());
  }
  return text.status;
}
