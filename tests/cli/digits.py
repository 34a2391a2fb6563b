"""Numbers as the commands print them, and what is said of the same thing in several places (digits_test).

A number is of one of three kinds: exact (int), a length of time in whole microseconds (Us) or bytes (Size) as records
have them, or text as it is printed ("4.93 ms", "4.3K", "61 %").
"""
import math
import re


class Us(int):
    pass


class Size(int):
    pass


def half_up(value, digits, unit):
    """value / unit, with so many digits behind the point."""
    scaled = (2 * value * 10 ** digits + unit) // (2 * unit)
    return f"{scaled // 10 ** digits}.{scaled % 10 ** digits:0{digits}}" if digits else str(scaled)


def told(us):
    """A length of time for people."""
    if us < 0:
        return "-" + told(-us)
    if us < 1000:
        return f"{us} us"
    unit, name = (10 ** 3, "ms") if us < 999_500 else (10 ** 6, "s")
    return next(half_up(us, digits, unit) for digits in (2, 1, 0) if digits == 0 or len(half_up(us, digits, unit)) <= 4) + " " + name


def sized(count):
    units = "KMGTPE"
    if count < 1024:
        return str(count)
    power = 1
    while power < len(units) and count >= 1023.95 * 1024 ** power:
        power += 1
    whole, power = (count // 1024 ** power, power) if count % 1024 ** power == 0 else (None, power)
    return (str(whole) if whole is not None and whole < 1024 else half_up(count, 1, 1024 ** power)) + units[power - 1]


def percent(part, whole):
    return f"{math.floor(100 * part / whole + 0.5)} %"


def plain(text):
    """What the page prints, in the units of the command."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("µs", "us"))
    return re.sub(r"(\d) (?:([KMGTPE])iB|B)\b", lambda found: found[1] + (found[2] or ""), text)


def cut(text):
    """Without what records do not have: less than a microsecond."""
    return re.sub(r"\b(\d+)\.\d+ us\b", r"\1 us", re.sub(r"\b\d+ ns\b", "0 us", text))


def agree(one, other):
    if isinstance(one, str) and isinstance(other, str):
        one, other = plain(one), plain(other)
        return one == other or cut(one) == other or one == cut(other)
    if isinstance(one, str) or isinstance(other, str):
        text, number = (one, other) if isinstance(one, str) else (other, one)
        shown = told(number) if isinstance(number, Us) else sized(number) if isinstance(number, Size) else str(number)
        return cut(plain(text)) == shown
    return one == other


class Said:
    """What each place says of each thing, by the thing's name."""

    def __init__(self):
        self.things = {}

    def say(self, place, name, value):
        if value is not None:
            self.things.setdefault(name, []).append((place, value))

    def disagreements(self):
        for name, values in self.things.items():
            (first, value), *others = values
            for place, other in others:
                if not agree(value, other):
                    yield f"{' '.join(map(str, name))}: {first} says {value}, {place} {other}"

    def compared(self):
        return sum(len(values) - 1 for values in self.things.values())
