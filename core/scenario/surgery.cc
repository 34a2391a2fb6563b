#include "scenario/surgery.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "rpcrdma/header.h"

namespace steertag::scenario {
namespace {

constexpr uint32_t kMaxSend = 16 * 1024 * 1024;  // bytes; more than any Send can be

void overwrite(const wire::Node& node, uint64_t value, size_t base, std::vector<uint8_t>& bytes) {
  const bool list = node.kind == wire::Node::Kind::group || node.kind == wire::Node::Kind::opaque;
  const size_t width = std::min<size_t>(list ? 4 : node.at.length, node.at.length);
  const size_t at = base + node.at.offset;
  for (size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<uint8_t>(value >> (8 * (width - 1 - i)));
  }
}

// The fields of a message by name, so that many overrides of a long message cost no walk each.
class Fields {
 public:
  explicit Fields(const std::vector<wire::Node>& nodes) {
    for (const wire::Node& node : nodes) {
      sorted_.push_back(&node);
    }
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const wire::Node* a, const wire::Node* b) {
      return std::string_view(a->name) < b->name;
    });
  }

  // Null where the message has no such field.
  const wire::Node* find(const FieldPatch& patch) const {
    const auto first = std::lower_bound(
        sorted_.begin(), sorted_.end(), patch.name,
        [](const wire::Node* node, const std::string& name) { return std::string_view(node->name) < name; });
    if (patch.occurrence == 0 || sorted_.end() - first < patch.occurrence) {
      return nullptr;
    }
    const wire::Node* found = first[patch.occurrence - 1];
    return found->name == patch.name ? found : nullptr;
  }

 private:
  std::vector<const wire::Node*> sorted_;  // those of one name in the order of the message
};

}  // namespace

bool set_field(const std::vector<wire::Node>& nodes, const FieldPatch& patch, size_t base,
               std::vector<uint8_t>& bytes) {
  uint32_t occurrence = 0;
  for (const wire::Node& node : nodes) {
    if (patch.name == node.name && ++occurrence == patch.occurrence) {
      overwrite(node, patch.value, base, bytes);
      return true;
    }
  }
  return false;
}

std::string field_names(const std::vector<wire::Node>& nodes) {
  std::vector<std::string_view> names;
  std::string all;
  for (const wire::Node& node : nodes) {
    if (std::find(names.begin(), names.end(), node.name) == names.end()) {
      names.push_back(node.name);
      all += all.empty() ? "" : " ";
      all += node.name;
    }
  }
  return all;
}

void set_octets(const OctetsPatch& patch, size_t base, std::vector<uint8_t>& bytes, Problem& problem) {
  const uint64_t at = uint64_t{base} + patch.offset;
  if (at + patch.octets.size() > bytes.size()) {
    return problem.say(
        fmt::format("set({} ...) reaches beyond the {} bytes of the message; append=HEX makes it longer.",
                    patch.offset, bytes.size() - base));
  }
  std::copy(patch.octets.begin(), patch.octets.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
}

void operate(const Surgery& surgery, std::vector<uint8_t>& send, Problem& problem) {
  std::vector<uint8_t> original = send;  // outlined before anything is changed: patches do not move fields
  std::vector<wire::Node> nodes;
  if (!surgery.fields.empty()) {
    rpcrdma::outline(original, static_cast<uint32_t>(original.size()), nodes);
  }
  const Fields fields(nodes);
  for (const FieldPatch& patch : surgery.fields) {
    if (const wire::Node* field = fields.find(patch)) {
      overwrite(*field, patch.value, 0, send);
    } else {
      problem.say(fmt::format(
          "This message has no field \"{}\"{}; it has {}; the prefix rpc. names a field of the RPC header.",
          patch.name, patch.occurrence > 1 ? fmt::format(" number {}", patch.occurrence) : "",
          field_names(nodes)));
    }
  }
  if (surgery.cut) {
    if (*surgery.cut > kMaxSend) {
      return problem.say(fmt::format("cut= takes at most {} bytes.", kMaxSend));
    }
    send.resize(*surgery.cut);
  }
  send.insert(send.end(), surgery.append.begin(), surgery.append.end());
  for (const OctetsPatch& patch : surgery.octets) {
    set_octets(patch, 0, send, problem);
  }
}

}  // namespace steertag::scenario
