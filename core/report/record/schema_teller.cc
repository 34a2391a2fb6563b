#include "report/record/schema_teller.h"

#include <fmt/core.h>

#include <algorithm>

namespace steertag::report::record {
namespace {

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + '"';
  }
  return "[" + text + "]";
}

// "us" is a definition, anything that begins with a quote is the schema itself.
std::string schema_of_type(std::string_view type) {
  return type.starts_with('"') ? std::string(type) : fmt::format(R"("$ref": "#/$defs/{}")", type);
}

std::string description(std::string_view says) {
  return says.empty() ? std::string() : fmt::format(R"("description": "{}")", says);
}

}  // namespace

void SchemaTeller::type(std::string_view record) {
  add("type", fmt::format(R"({{"const": "{}"}})", record));
  require("type");
}

void SchemaTeller::member(const Member& m, std::string_view type) {
  const std::string is = schema_of_type(m.type.empty() ? type : m.type);
  add(m.name, m.says.empty() ? "{" + is + "}" : fmt::format("{{{}, {}}}", is, description(m.says)));
}

void SchemaTeller::frame(const FrameMember& m) {
  member({m.name, "frame", m.says});
  member({m.file_name, "name_of_file", fmt::format("Of {}.", m.name)});
  needs(m.file_name, {m.name});
}

void SchemaTeller::frames(const FramesMember& m, std::span<const Stamp> /*frames*/, uint32_t /*home*/) {
  always({m.name, m.type, m.says});
  member({m.files_name, "files", m.says_of_files});
}

void SchemaTeller::needs(std::string_view name, std::initializer_list<std::string_view> others) {
  auto& needs = objects_.back().needs;
  auto known = std::find_if(needs.begin(), needs.end(), [&](const auto& one) { return one.first == name; });
  if (known == needs.end()) {
    known = needs.insert(known, {std::string(name), {}});
  }
  known->second.insert(known->second.end(), others.begin(), others.end());
}

void SchemaTeller::require(std::string_view name) {
  if (optional_ == 0) {
    objects_.back().required.emplace_back(name);
  }
}

void SchemaTeller::add(std::string_view name, std::string_view schema) {
  Object& object = objects_.back();
  if (std::find(object.names.begin(), object.names.end(), name) != object.names.end()) {
    return;
  }
  object.names.emplace_back(name);
  const std::string margin(object.indent + 4, ' ');
  object.members += fmt::format("{}{}\"{}\": {}", object.members.empty() ? "" : ",\n", margin, name, schema);
}

void SchemaTeller::close(const Member& m, bool list) {
  const Object object = std::move(objects_.back());
  objects_.pop_back();
  const std::string margin(object.indent, ' ');
  const std::string inside = text(object);
  std::string schema = "{\n";
  if (list) {
    const std::string outer(object.indent - 2, ' ');
    const std::string bounds = m.type.empty() ? "" : fmt::format("\n{}{},", margin, m.type);
    schema += fmt::format("{0}{1},\n{0}\"type\": \"array\",{2}\n{0}\"items\": {{\n{3}\n{0}}}\n{4}}}", margin,
                          description(m.says), bounds, inside, outer);
  } else {
    const std::string says = m.says.empty() ? "" : fmt::format("{}  {},\n", margin, description(m.says));
    const std::string bounds = m.type.empty() ? "" : fmt::format("{}  {},\n", margin, m.type);
    schema += fmt::format("{}{}{}\n{}}}", says, bounds, inside, margin);
  }
  add(m.name, schema);
}

// Between the braces of an object.
std::string SchemaTeller::text(const Object& object) {
  const std::string margin(object.indent + 2, ' ');
  std::string out = fmt::format("{0}\"type\": \"object\",\n{0}\"additionalProperties\": false,\n", margin);
  if (!object.required.empty()) {
    out += fmt::format("{}\"required\": {},\n", margin, quoted_list(object.required));
  }
  for (const std::string& rule : object.rules) {
    out += fmt::format("{}{},\n", margin, rule);
  }
  if (!object.needs.empty()) {
    std::string needs;
    for (const auto& [name, others] : object.needs) {
      needs += fmt::format("{}{}  \"{}\": {}", needs.empty() ? "" : ",\n", margin, name, quoted_list(others));
    }
    out += fmt::format("{0}\"dependentRequired\": {{\n{1}\n{0}}},\n", margin, needs);
  }
  return out + fmt::format("{0}\"properties\": {{\n{1}\n{0}}}", margin, object.members);
}

std::string SchemaTeller::schema(std::string_view says) {
  const std::string margin(objects_[0].indent + 2, ' ');
  std::string out = says.empty() ? std::string() : fmt::format("{}{},\n", margin, description(says));
  return out + text(objects_[0]);
}

}  // namespace steertag::report::record
