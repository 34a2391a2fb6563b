// Audits a capture file and prints what steertag audit --format sarif prints: by a product of the library,
// without the command.
#include <steertag/capture/reader.h>
#include <steertag/product/audit.h>
#include <steertag/product/inspector.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace product = steertag::product;

struct Printed final : product::Records {
  steertag::report::Buffer text;

  steertag::report::Buffer& buffer() override { return text; }
  void record_done() override {
    std::fwrite(text.data(), 1, text.size(), stdout);
    text.clear();
  }
};

// Feeds all frames that are in the bytes of a pcap or pcapng.
void feed(product::Inspector& inspector, steertag::Bytes file) {
  const auto reader = steertag::capture::recognise(file);
  using Kind = steertag::capture::Step::Kind;
  for (bool more = reader != nullptr; more;) {
    steertag::Frame frame;
    const steertag::capture::Step step = reader->next(file, frame);
    more = step.kind == Kind::frame || step.kind == Kind::nothing;
    if (step.kind == Kind::frame) {
      inspector.feed({&frame, 1});
    }
    file = steertag::slice(file, step.used);
  }
}

int main(int argc, char** argv) {
  const std::vector<std::string> names(argv + 1, argv + argc);
  if (names.size() != 2) {
    std::fprintf(stderr, "usage: sarif CAPTURE FOLDER, which relative paths are in\n");
    return 2;
  }
  std::ifstream capture(names[0], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(capture), {});

  product::Settings settings;
  settings.format = "sarif";
  product::AuditOptions options;
  options.folder = names[1];
  Printed printed;
  steertag::report::TextStyle style;
  style.files = steertag::report::Files{{names.data(), 1}};
  product::Inspector inspector(
      {.settings = settings, .records = printed, .style = style},
      [&](product::Context& context) { return std::make_unique<product::AuditProduct>(context, options); });
  inspector.product().begin();
  feed(inspector, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  inspector.finish();
  inspector.product().finish({.counters = inspector.counters(), .cut = {}});
  return inspector.product().status();
}
