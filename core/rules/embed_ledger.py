#!/usr/bin/env python3
"""Writes the ledger of requirements (core/rules/requirements/*.txt) into a C++ table.

usage: embed_ledger.py OUTPUT LEDGER...
"""
import pathlib
import sys

output, files = sys.argv[1], sorted(sys.argv[2:])
entries = "".join(f'    {{"{pathlib.Path(one).stem}", R"ledger({pathlib.Path(one).read_text()})ledger"}},\n' for one in files)
pathlib.Path(output).write_text(
    '// Made by embed_ledger.py.\n#include "rules/ledger.h"\n\nnamespace steertag::rules {\n\n'
    "std::span<const LedgerFile> ledger_files() {\n  static constexpr LedgerFile files[] = {\n"
    + entries + "  };\n  return files;\n}\n\n}  // namespace steertag::rules\n")
