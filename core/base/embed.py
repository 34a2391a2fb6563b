#!/usr/bin/env python3
"""Writes texts (the pages of the rules, the schema) into a C++ table: base::embedded() of core/base/embedded.h.

usage: embed.py OUTPUT FILE...
"""
import pathlib
import sys

output, files = sys.argv[1], sorted(map(pathlib.Path, sys.argv[2:]))
entries = "".join(f'    {{"{file.name}", R"text({file.read_text()})text"}},\n' for file in files)
pathlib.Path(output).write_text(
    '// Made by embed.py.\n#include "base/embedded.h"\n\nnamespace steertag::base {\n\n'
    "std::string_view embedded(std::string_view name) {\n"
    "  static constexpr struct {\n    std::string_view name, text;\n  } files[] = {\n"
    + entries +
    "  };\n  for (const auto& file : files) {\n    if (file.name == name) {\n      return file.text;\n    }\n  }\n"
    "  return {};\n}\n\n}  // namespace steertag::base\n")
