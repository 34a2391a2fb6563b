#!/usr/bin/env python3
"""Writes the pages of the rules (core/rules/*/*.md) into a C++ table.

usage: embed_pages.py OUTPUT PAGE...
"""
import pathlib
import sys

output, pages = sys.argv[1], sorted(sys.argv[2:])
entries = "".join(f'    {{"{pathlib.Path(page).stem}", R"page({pathlib.Path(page).read_text()})page"}},\n' for page in pages)
pathlib.Path(output).write_text(
    '// Made by embed_pages.py.\n#include "rules/catalog.h"\n\nnamespace steertag::rules {\n\n'
    "std::string_view page(const Rule& rule) {\n"
    "  static constexpr struct {\n    std::string_view id, text;\n  } pages[] = {\n"
    + entries +
    "  };\n  for (const auto& page : pages) {\n    if (page.id == rule.id) {\n      return page.text;\n    }\n  }\n"
    "  return {};\n}\n\n}  // namespace steertag::rules\n")
