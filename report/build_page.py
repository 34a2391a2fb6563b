#!/usr/bin/env python3
"""Puts the modules of the page, its style and uPlot into one file.

usage: build_page.py --cc OUTPUT.cc          the page as C++ text: what precedes the records, and what follows
       build_page.py --html OUTPUT RECORDS   the page with the records (JSON Lines) of a file

A module is wrapped in a function that returns what it exports; imports become constants. That is all
that the modules ask for: `import {a, b} from './c.js';` and `export` before a function, class or const.
"""
import base64
import gzip
import hashlib
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./(\w+)\.js';\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(function\*?|class|const|let) (\w+)", re.MULTILINE)


def modules(name, seen, order):
    """All that a module needs, before it."""
    if name in seen:
        return order
    seen.add(name)
    for needed in IMPORT.finditer((FOLDER / f"{name}.js").read_text()):
        modules(needed[2], seen, order)
    order.append(name)
    return order


def wrapped(name):
    text = (FOLDER / f"{name}.js").read_text()
    exports = [found[2] for found in EXPORT.finditer(text)]
    text = IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text)
    text = re.sub(r"^export (?=(?:async )?(?:function|class|const|let)\b)", "", text, flags=re.MULTILINE)
    if re.search(r"^(?:import|export)\b", text, re.MULTILINE):
        raise SystemExit(f"{name}.js: an import or export that build_page.py does not know")
    return f"const module_{name} = (() => {{\n{text}return {{{', '.join(exports)}}};\n}})();\n"


def script():
    vendor = (FOLDER / "vendor/uPlot.iife.min.js").read_text()
    text = vendor + "'use strict';\n" + "".join(wrapped(name) for name in modules("main", set(), []))
    if "</script" in text.lower() or "<!--" in text:
        raise SystemExit("the script would end early")
    return text


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page():
    """What precedes the records, and what follows."""
    style = (FOLDER / "vendor/uPlot.min.css").read_text() + (FOLDER / "style.css").read_text()
    code = script()
    text = (FOLDER / "index.html").read_text()
    for mark, value in {"@SCRIPT_HASH@": digest(code), "@STYLE_HASH@": digest(style), "@STYLE@": style, "@SCRIPT@": code}.items():
        before, after = text.split(mark)
        text = before + value + after
    return text.split("@RECORDS@")


def packed(records):
    """As the command does it: no byte of them can end the element that they stand in."""
    return base64.encodebytes(gzip.compress(records, mtime=0)).decode()


def function(name, text):
    """In numbers: compilers need not take a literal of more than 64 KiB."""
    numbers = ",".join(str(byte if byte < 128 else byte - 256) for byte in text.encode())
    return (f"std::string_view {name}() {{\n  static constexpr signed char text[] = {{{numbers}}};\n"
            "  return {reinterpret_cast<const char*>(text), sizeof text};\n}\n")


def main(mode, output, *records):
    before, after = page()
    if mode == "--html":
        text = before + packed(pathlib.Path(*records).read_bytes()) + after
    else:
        text = ('// Made by build_page.py.\n#include "host/page.h"\n\nnamespace steertag::host {\n\n'
                f"{function('page_before_records', before)}\n{function('page_behind_records', after)}\n}}  // namespace steertag::host\n")
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
