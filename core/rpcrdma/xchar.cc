#include "rpcrdma/xchar.h"

#include "base/named.h"
#include "wire/reader.h"

namespace steertag::rpcrdma::xchar {
namespace {

// The names of the values, for types that have names.
std::string_view name_of(Type type, uint32_t value) {
  switch (type) {
    case Type::number:
      return {};
    case Type::boolean:
      return text(static_cast<XdrBool>(value));
    case Type::backward_support:
      return text(static_cast<BackwardSupport>(value));
  }
  return {};
}

}  // namespace

std::string_view text(BackwardSupport value) {
  static constexpr std::string_view names[] = {"BKREQSUP_NONE", "BKREQSUP_INLINE", "BKREQSUP_GENL"};
  return base::named<BackwardSupport::general>(names, value);
}

const Characteristic* find(Id id) {
  for (const Characteristic& known : characteristics) {
    if (known.id == id) {
      return &known;
    }
  }
  return nullptr;
}

std::string_view text(Id id) {
  const Characteristic* known = find(id);
  return known ? known->name : std::string_view{};
}

std::string_view text(Operation operation) {
  static constexpr std::pair<Operation, std::string_view> names[] = {{Operation::initxch, "ROPT_INITXCH"},
                                                                     {Operation::reqxch, "ROPT_REQXCH"},
                                                                     {Operation::respxch, "ROPT_RESPXCH"},
                                                                     {Operation::updxch, "ROPT_UPDXCH"}};
  return base::named(names, operation);
}

Value make(Id id, uint32_t value) {
  Value v;
  v.which = id;
  for (int shift = 24; shift >= 0; shift -= 8) {
    v.data.push_back(static_cast<uint8_t>(value >> shift));
  }
  return v;
}

std::optional<uint32_t> value(Id id, Bytes data) {
  if (!find(id) || data.size() < 4) {
    return std::nullopt;
  }
  return wire::big_endian<uint32_t>(data.data());
}

std::optional<uint32_t> value(const Value& v) {
  return value(v.which, v.data);
}

bool well_formed(const Value& v) {
  const Characteristic* known = find(v.which);
  if (!known) {
    return true;
  }
  const std::optional<uint32_t> number = value(v);
  return number && (known->type == Type::number || !name_of(known->type, *number).empty());
}

std::string value_text(Id id, Bytes data) {
  const std::optional<uint32_t> number = value(id, data);
  return number ? value_text(id, *number) : std::string();
}

std::string value_text(Id id, uint32_t number) {
  const std::string_view name = name_of(find(id)->type, number);
  return name.empty() ? std::to_string(number) : std::string(name);
}

std::string value_text(const Value& v) {
  return value_text(v.which, v.data);
}

void Subset::set(size_t n) {
  while (words.size() <= n / 32) {
    words.push_back(0);
  }
  words[n / 32] |= uint32_t{1} << (n % 32);
}

std::vector<uint32_t> Subset::indices() const {
  std::vector<uint32_t> result;
  for (size_t n = 0; n < words.size() * 32; ++n) {
    if (has(n)) {
      result.push_back(static_cast<uint32_t>(n));
    }
  }
  return result;
}

}  // namespace steertag::rpcrdma::xchar
