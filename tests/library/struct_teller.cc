#include "library/struct_teller.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "report/schema.h"

namespace steertag::library {
namespace {

constexpr size_t kColumns = 110;

std::string pascal(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const char c : words) {
    begins ? name += static_cast<char>(std::toupper(c)) : c != '_' ? name += c : name;
    begins = c == '_';
  }
  return name;
}

// Of a list: of one of what is in it.
std::string named(std::string_view words, bool list) {
  std::string name = pascal(words);
  list&& name.ends_with('s') ? name.pop_back() : void();
  return name;
}

// Lines of a comment.
std::string wrapped(std::string_view says, std::string_view margin) {
  std::string text, line;
  for (size_t at = 0; at < says.size();) {
    const size_t end = std::min(says.find(' ', at), says.size());
    const std::string_view word = says.substr(at, end - at);
    if (!line.empty() && margin.size() + 3 + line.size() + 1 + word.size() > kColumns) {
      text += fmt::format("{}// {}\n", margin, std::exchange(line, {}));
    }
    line += line.empty() ? std::string(word) : " " + std::string(word);
    at = end + 1;
  }
  return line.empty() ? text : text + fmt::format("{}// {}\n", margin, line);
}

}  // namespace

std::string StructTeller::number_type(const Member& m) {
  for (const std::string_view word : {"word", "conn", "length", "position"}) {
    if (m.type == word) {
      return "uint32_t";
    }
  }
  return m.type == "port" ? "uint16_t" : "uint64_t";
}

std::string StructTeller::describe(std::string_view type) {
  static const std::string all = report::schema();
  const size_t at = type.find('"') == std::string_view::npos ? all.find(fmt::format("\n    \"{}\": {{", type))
                                                             : std::string::npos;
  if (at == std::string::npos) {
    return {};
  }
  constexpr std::string_view kKey = "\"description\": \"";
  const size_t begin = all.find(kKey, at), next = all.find("\n    \"", at + 1);
  if (begin == std::string::npos || begin > next) {
    return {};
  }
  return all.substr(begin + kKey.size(), all.find('"', begin + kKey.size()) - begin - kKey.size());
}

// In the schema it is text of JSON, and of a record of a command.
std::string StructTeller::comment(std::string_view says) {
  std::string text;
  for (const char c : says) {
    c != '\\' ? text += c : text;
  }
  return text;
}

std::string StructTeller::type_name(const Member& m, bool list) {
  constexpr std::string_view kReference = "#/$defs/";
  if (m.type.empty() || m.type.starts_with("\"min")) {
    return named(m.name, list);
  }
  const size_t at = m.type.find(kReference);
  const std::string_view rest = at == std::string_view::npos ? m.type : m.type.substr(at + kReference.size());
  const std::string_view type = rest.substr(0, rest.find('"'));
  return type == "chunk" ? "Segment" : named(type, at != std::string_view::npos || list);
}

void StructTeller::field(const Member& m, const std::string& type, bool optional) {
  const bool always = m.type == R"("const": false)";  // only there where it is false
  declare(m.name, std::string(m.name) + (m.name == "default" ? "_" : ""),
          optional && !always ? fmt::format("std::optional<{}>", type) : type,
          (always ? "False: " : "") + comment(m.says.empty() ? describe(m.type) : m.says), always);
}

// Of one that two parts have, what is said first counts.
void StructTeller::declare(std::string_view name, const std::string& as, const std::string& type,
                           const std::string& says, bool always) {
  Object& object = objects_.back();
  const bool there = std::find(object.names.begin(), object.names.end(), name) != object.names.end();
  if (there || left_out(name)) {
    return;
  }
  object.names.emplace_back(name);
  const bool named = shared_.contains(type) || enums_.contains(type);
  const std::string_view initial = type == "bool" ? always ? " = true" : " = false"
                                   : type.find("int") <= 1 || type == "double" ? " = 0"
                                   : named                                     ? "{}"
                                                                               : "";
  const std::string line = fmt::format("  {} {}{};", type, as, initial);
  if (!says.empty() && line.size() + 5 + says.size() <= kColumns) {
    object.fields += fmt::format("{}  // {}\n", line, says);
  } else {
    object.fields += wrapped(says, "  ") + line + '\n';
  }
  object.visits.push_back(fmt::format("visit(\"{}\", of.{});", name, as));
}

std::string StructTeller::close() {
  Object object = std::move(objects_.back());
  objects_.pop_back();
  const bool of_ends = std::find(object.names.begin(), object.names.end(), "client") != object.names.end() &&
                       std::find(object.names.begin(), object.names.end(), "a") != object.names.end();
  const std::string name = record_ + object.name + (of_ends ? "ByEnd" : "");
  std::string text = fmt::format("struct {} {{\n{}}};\n", name, object.fields);
  const auto known =
      std::find_if(types_.begin(), types_.end(), [&](const auto& one) { return one.first == name; });
  if (known == types_.end()) {
    types_.emplace_back(name, std::move(text));
    each_ += each_of(object, name);
  } else if (known->second != text) {
    return "two structs have the name " + name;  // does not compile
  }
  return name;
}

std::string StructTeller::each_of(const Object& object, const std::string& name) const {
  std::string lines, line;
  for (const std::string& visit : object.visits) {
    if (!line.empty() && line.size() + 3 + visit.size() > kColumns) {
      lines += std::exchange(line, {}) + '\n';
    }
    line += (line.empty() ? "  " : " ") + visit;
  }
  return fmt::format("template <typename Visit>\nvoid each(v0::{}& of, const Visit& visit) {{\n{}{}\n}}\n",
                     name, lines, line);
}

std::string StructTeller::enumeration(const Member& m,
                                      const std::vector<std::pair<unsigned, std::string>>& words) {
  const bool shared = !m.type.empty();
  const std::string name = (shared ? "" : record_) + type_name(m);
  std::string values, texts;
  unsigned next = 0;
  for (const auto& [value, word] : words) {
    values += fmt::format("{}{}{}", values.empty() ? "" : ", ", word,
                          value != next ? fmt::format(" = {}", value) : "");
    for (; next < value; ++next) {
      texts += "\"\", ";
    }
    texts += fmt::format("\"{}\"{}", word, value == words.back().first ? "" : ", ");
    next = value + 1;
  }
  const std::string type = fmt::format("enum class {} : uint8_t {{ {} }};\n", name, values);
  const std::string function = fmt::format(
      "constexpr std::string_view name({} value) {{\n  constexpr std::array<std::string_view, {}> names = "
      "{{{}}};\n"
      "  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : "
      "std::string_view();\n}}\n",
      name, next, texts);
  if (shared) {
    shared_[name] = wrapped(describe(m.type), "") + type + function;
  } else if (enums_.insert(name).second) {
    types_.emplace_back(name, type + function);
  }
  return name;
}

std::string StructTeller::shared(std::string_view declared) const {
  std::string text;
  for (const auto& [name, one] : shared_) {
    text += declared.find(fmt::format("enum class {} ", name)) == std::string_view::npos ? one + '\n' : "";
  }
  return text;
}

std::string StructTeller::text(std::string_view says) const {
  std::string text;
  for (const auto& [name, type] : types_) {
    text += type + '\n';
  }
  return text +
         fmt::format("{}struct {} {{\n{}}};\n", wrapped(comment(says), ""), record_, objects_[0].fields);
}

std::string StructTeller::each() const {
  return each_ + each_of(objects_[0], record_);
}

}  // namespace steertag::library
