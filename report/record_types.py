#!/usr/bin/env python3
"""The types of the records that the page reads, as `steertag schema` describes them: records.d.ts, for editors and type checkers.

usage: record_types.py --steertag PATH           writes it
       record_types.py --steertag PATH --check   says whether it is what would be written
"""
import json
import pathlib
import subprocess
import sys
import textwrap

FILE = pathlib.Path(__file__).resolve().parent / "records.d.ts"
HEAD = """// The records of Steertag that the page reads, one JSON object a line. Made by record_types.py of `steertag schema`.
"""
# Types of single values that the schema has names for.
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def name_of(name, definitions):
    """RpcRecord for a kind of record, InlineThreshold for what stands in some."""
    words = "".join(word.capitalize() for word in name.split("_"))
    return words + ("Record" if "type" in definitions[name].get("properties", {}) else "")


def comment(text, margin):
    lines = textwrap.wrap(text, 110 - len(margin), break_long_words=False)
    if len(lines) < 2:
        return "".join(f"{margin}/** {line} */\n" for line in lines)
    return f"{margin}/**\n" + "".join(f"{margin} * {line}\n" for line in lines) + f"{margin} */\n"


def type_of(schema, definitions, margin):
    """The type of a value, as TypeScript has it."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        target = definitions[name]
        named = "properties" in target or "properties" in (target.get("items") or {})
        return name_of(name, definitions) if named else type_of(target, definitions, margin)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(word) for word in schema["enum"])
    if "properties" in schema:
        return object_of(schema, definitions, margin)
    if "prefixItems" in schema:
        return "[" + ", ".join(type_of(item, definitions, margin) for item in schema["prefixItems"]) + "]"
    if schema.get("type") == "array":
        return f"Array<{type_of(schema['items'], definitions, margin)}>"
    if "type" in schema:
        return SIMPLE[schema["type"]]
    return " | ".join(dict.fromkeys(type_of(one, definitions, margin) for one in schema["anyOf"]))


def object_of(schema, definitions, margin=""):
    inside = margin + "  "
    text = "{\n"
    for name, member in schema["properties"].items():
        text += comment(member.get("description", ""), inside)
        must = "" if name in schema.get("required", []) else "?"
        text += f"{inside}{name}{must}: {type_of(member, definitions, inside)};\n"
    return text + margin + "}"


def main():
    if sys.argv[1:2] != ["--steertag"] or sys.argv[3:] not in ([], ["--check"]):
        sys.exit(__doc__)
    schema = json.loads(subprocess.run([sys.argv[2], "schema"], capture_output=True, timeout=60, check=True).stdout)
    definitions = schema["$defs"]
    text = HEAD
    for name, definition in definitions.items():
        if "properties" in definition:
            text += "\n" + comment(definition.get("description", ""), "") + f"export interface {name_of(name, definitions)} {object_of(definition, definitions)}\n"
        elif "properties" in (definition.get("items") or {}):
            text += "\n" + comment(definition.get("description", ""), "") + f"export type {name_of(name, definitions)} = {type_of(definition, definitions, '')};\n"
    records = schema["properties"]["type"]["enum"]
    kinds = " | ".join(name_of(record, definitions) for record in records)
    text += f"\nexport type Line =\n{textwrap.fill(kinds, 110, initial_indent='  ', subsequent_indent='  ')};\n"
    if not sys.argv[3:]:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit(f"{FILE.name} is not what the schema says; write it anew with report/record_types.py --steertag {sys.argv[2]}")


main()
