"""The scenarios on the pages of the rules, compiled in one of the ways that they may be, or in all of them."""
import re
import zlib


def scenarios(rule, page, whole=False):
    """(number of the block from 1, words of its fence, fabric, text of the scenario)"""
    for number, (words, text) in enumerate(re.findall(r"```packets *(.*)\n((?:.*\n)*?)```", page), 1):
        words = words.split()
        ways = []
        for fabric, name in (("roce2", "roce"), ("iwarp", "iwarp")):
            for version in (1, 2):
                other = {"roce": "iwarp", "iwarp": "roce"}[name]
                if (name in words or other not in words) and (f"v{version}" in words or f"v{3 - version}" not in words):
                    ways.append((number, words, fabric, f"version {version}\n{text}"))
        yield from ways if whole else ways[zlib.crc32(f"{rule} {number}".encode()) % len(ways) :][:1]


def broken(page):
    """Its part about what breaks the rule."""
    return re.split(r"\n## ", page[page.index("## Broken") :])[0]


def options(words):
    """Those of audit with which the scenario is to be read."""
    chosen = ["--checksums"] * ("checksums" in words) + ["--skew", "2"] * ("skewed" in words)
    for profile in ("strict", "rfc5666"):
        chosen += ["--profile", profile] * (profile in words)
    return chosen
