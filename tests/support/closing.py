"""How a run of ctest ended: what was skipped, and why, then how many tests passed, failed and were skipped.

usage: closing.py RESULTS, which is what ctest --output-junit wrote. Where nothing may be skipped (STEERTAG_SKIP_NOTHING), the
status is 1 if something was. Parts of a test that were skipped are listed, too, and are no failure anywhere: what the kernel
does not have, for one.
"""
import os
import re
import sys
import xml.etree.ElementTree


def reason(output):
    """What a test that was skipped says of it: its line "skipped: ...", or else the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
    return (told or lines or ["it does not say why"])[-1]


def parts(output):
    """(test, reason) of what Python's unittest skipped."""
    return re.findall(r"^(test_\w+) (?:(?!\.\.\. )[^\n])*(?:\n(?!test_)[^\n]*)?\.\.\. skipped ['\"](.*)['\"]$", output, re.MULTILINE)


def main():
    suite = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    skipped, passed, failed, partly = {}, 0, 0, {}
    for case in suite.iter("testcase"):
        name, output = case.get("name"), case.findtext("system-out") or ""
        if case.find("failure") is not None or case.get("status") == "fail":
            failed += 1
        elif case.find("skipped") is not None:
            skipped.setdefault(reason(output), []).append(name)
        else:
            passed += 1
            for test, why in parts(output):
                partly.setdefault(why, []).append(f"{name} {test}")
    for title, found in (("Skipped", skipped), ("Skipped in part", partly)):
        if found:
            print(f"\n{title}:")
        for why, names in found.items():
            print(f"  {', '.join(names)}: {why}")
    count = sum(map(len, skipped.values()))
    forbidden = bool(count and os.environ.get("STEERTAG_SKIP_NOTHING"))
    if forbidden:
        print("\nNothing may be skipped here (STEERTAG_SKIP_NOTHING): that is a failure")
        failed, count = failed + count, 0
    print(f"\n{passed} passed, {failed} failed, {count} skipped")
    return 1 if forbidden or failed else 0


sys.exit(main())
