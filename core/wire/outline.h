// Outline: the fields of a structure as a flat list of named ranges, in wire
// order, made by walking the structure's own layout over its bytes. A Wireshark
// tree, a verbose listing and the golden text of tests all print it.
//
// It is a Reader's trace, so it ends where reading ends: everything that could
// be read is listed, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/range.h"
#include "wire/reader.h"

namespace steertag::wire {

struct Node {
  enum class Kind : uint8_t { number, hex, enumerator, opaque, group };
  static constexpr uint32_t no_index = UINT32_MAX;

  const char* name = "";      // XDR name; a string literal
  Range at;                   // in the bytes that were walked; counts, discriminators and pads included
  uint32_t depth = 0;         // 0: outermost
  uint32_t index = no_index;  // place in the list that it is an element of
  Kind kind = Kind::group;
  uint64_t value = 0;  // number, hex, enumerator
  std::string text;    // enumerator: its XDR name, empty where it has none; opaque: its meaning, where known
  Bytes bytes;         // opaque: the content, without count and pad; borrowed from the walked bytes
};

// "rdma_vers: 1", "handle: 0x00000001", "rdma_proc: RDMA_MSG (0)", "xchv_data: 00002000", "rdma_reads[0]".
std::string text(const Node& node);

// One line per node, indented by two spaces per level, each with "[offset+length]".
std::string text(const std::vector<Node>& nodes);

class OutlineTrace {
 public:
  explicit OutlineTrace(std::vector<Node>& nodes) : nodes_(&nodes) {}

  void number(const char* name, Range at, uint64_t value) { add(name, at, Node::Kind::number).value = value; }
  void hex(const char* name, Range at, uint64_t value) { add(name, at, Node::Kind::hex).value = value; }
  template <typename E>
  void enumerator(const char* name, Range at, E value) {
    Node& node = add(name, at, Node::Kind::enumerator);
    node.value = static_cast<uint64_t>(value);
    if constexpr (requires { std::string_view(text(value)); }) {
      node.text = std::string_view(text(value));
    }
  }
  void opaque(const char* name, Range at, Bytes bytes) { add(name, at, Node::Kind::opaque).bytes = bytes; }
  void open(const char* name, uint32_t offset, size_t index);
  // A group without a byte, because reading had stopped before it, is removed again.
  void close(uint32_t offset);

 private:
  Node& add(const char* name, Range at, Node::Kind kind);
  void number_elements(size_t group);  // numbers in a list bear the list's name; they get their place in it

  std::vector<Node>* nodes_;
  uint32_t depth_ = 0;
};

// Reads a struct by its layout and appends what could be read of it.
template <typename T>
std::optional<Stop> outline(Bytes captured, size_t wire_length, T& value, std::vector<Node>& into) {
  BasicReader<OutlineTrace> reader(captured, wire_length, Limit::message, OutlineTrace(into));
  T::layout(reader, value);
  return reader.stop();
}

}  // namespace steertag::wire
