#!/usr/bin/env python3
"""Writes texts (the pages of the rules, the schema, the help of commands) into a C++ table, and a function that finds them,
as base::embedded() (core/base/embedded.h) does.

usage: embed.py OUTPUT HEADER NAMESPACE FUNCTION FILE...
"""
import pathlib
import sys

LONGEST = 65_000  # bytes; compilers need not take more in one literal


def array(name, text):
    """The bytes of a text that is too long for a literal, and their name."""
    numbers = ",".join(str(byte if byte < 128 else byte - 256) for byte in text)
    return f"constexpr signed char {name}[] = {{{numbers}}};\n"


output, header, namespace, function, *files = sys.argv[1:]
files = sorted(map(pathlib.Path, files))
arrays, entries = "", ""
for number, file in enumerate(files):
    text = file.read_bytes()
    if len(text) < LONGEST:
        entries += f'    {{"{file.name}", R"text({text.decode()})text"}},\n'
    else:
        arrays += array(f"text_{number}", text)
        entries += f'    {{"{file.name}", {{reinterpret_cast<const char*>(text_{number}), {len(text)}}}}},\n'
pathlib.Path(output).write_text(
    f'// Made by embed.py.\n#include "{header}"\n\nnamespace {namespace} {{\n\n'
    f"namespace {{\n\n{arrays}\n}}  // namespace\n\n"
    f"std::string_view {function}(std::string_view name) {{\n"
    "  static const struct {\n    std::string_view name, text;\n  } files[] = {\n"
    + entries +
    "  };\n  for (const auto& file : files) {\n    if (file.name == name) {\n      return file.text;\n    }\n  }\n"
    f"  return {{}};\n}}\n\n}}  // namespace {namespace}\n")
