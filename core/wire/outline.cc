#include "wire/outline.h"

#include <fmt/core.h>

#include <algorithm>

namespace steertag::wire {
namespace {

constexpr size_t shown_octets = 32;  // of an opaque; the rest is counted

std::string octets(Bytes bytes) {
  std::string result;
  for (const uint8_t octet : slice(bytes, 0, shown_octets)) {
    result += fmt::format("{:02x}", octet);
  }
  if (bytes.size() > shown_octets) {
    result += fmt::format("… ({} bytes)", bytes.size());
  }
  return result;
}

std::string value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::number:
      return std::to_string(node.value);
    case Node::Kind::hex:
      return fmt::format("0x{:0{}x}", node.value, 2 * node.at.length);
    case Node::Kind::enumerator:
      return node.text.empty() ? std::to_string(node.value) : fmt::format("{} ({})", node.text, node.value);
    case Node::Kind::opaque:
      return node.text.empty() ? octets(node.bytes) : fmt::format("{} ({})", node.text, octets(node.bytes));
    case Node::Kind::group:
      break;
  }
  return {};
}

}  // namespace

std::string text(const Node& node) {
  const std::string name =
      node.index == Node::no_index ? std::string(node.name) : fmt::format("{}[{}]", node.name, node.index);
  return node.kind == Node::Kind::group ? name : fmt::format("{}: {}", name, value_of(node));
}

std::string text(const std::vector<Node>& nodes) {
  std::string result;
  for (const Node& node : nodes) {
    result +=
        fmt::format("{:{}}{} [{}+{}]\n", "", 2 * node.depth, text(node), node.at.offset, node.at.length);
  }
  return result;
}

Node& OutlineTrace::add(const char* name, Range at, Node::Kind kind) {
  Node& node = nodes_->emplace_back();
  node.name = name;
  node.at = at;
  node.depth = depth_;
  node.kind = kind;
  return node;
}

void OutlineTrace::open(const char* name, uint32_t offset, size_t index) {
  Node& node = add(name, Range{offset, 0}, Node::Kind::group);
  if (index != SIZE_MAX) {
    node.index = static_cast<uint32_t>(std::min<size_t>(index, Node::no_index - 1));
  }
  ++depth_;
}

void OutlineTrace::close(uint32_t offset) {
  --depth_;
  size_t group = nodes_->size() - 1;
  while ((*nodes_)[group].depth != depth_) {
    --group;
  }
  Node& node = (*nodes_)[group];
  node.at.length = offset - node.at.offset;
  if (node.at.length == 0) {
    nodes_->pop_back();
  } else {
    number_elements(group);
  }
}

void OutlineTrace::number_elements(size_t group) {
  uint32_t count = 0;
  for (size_t i = group + 1; i < nodes_->size(); ++i) {
    Node& node = (*nodes_)[i];
    const bool number = node.kind != Node::Kind::group && node.kind != Node::Kind::opaque;
    if (number && node.depth == depth_ + 1 && node.name == (*nodes_)[group].name) {
      node.index = count++;
    }
  }
}

}  // namespace steertag::wire
