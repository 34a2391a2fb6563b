"""Where a file can be broken, and how: every comparison, condition, constant and statement of its functions, by clang's account.

places() finds them, planted() is the text of the file with some of them planted, each behind its number (mutant.h).
What stands in a constant expression, a macro or a template argument is left alone: nothing could turn it on.
"""
import bisect
import re

from clang.cindex import CursorKind as Kind
from clang.cindex import Diagnostic, Index, TokenKind, TranslationUnit, TypeKind

SWAPS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
         "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="]}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION,
             Kind.FUNCTION_TEMPLATE, Kind.LAMBDA_EXPR}
DROPPABLE = {Kind.CALL_EXPR, Kind.UNEXPOSED_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR,
             Kind.CONTINUE_STMT}
NUMBERS = {TypeKind.BOOL, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.SCHAR,
           TypeKind.CHAR_S, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.DOUBLE, TypeKind.FLOAT}
NO_CODE = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.PARM_DECL, Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.CXX_BASE_SPECIFIER}
# Dropped, these change nothing but the time that it takes.
FOR_SPEED = re.compile(r"\breserve\b|\bshrink_to_fit\b|\b(?:pre)?fetch\b|\bexpect\b")
MACRO = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\s*\(")


class Place:
    """The bytes [begin, end) of a file, and what a fault makes of them: `before` and `after` go around what is there."""

    def __init__(self, begin, end, before, after, what):
        self.begin, self.end, self.before, self.after, self.what = begin, end, before, after, what


class Finder:
    def __init__(self, unit, path):
        self.text, self.path, self.found = path.read_bytes(), str(path), []
        tokens = [t for t in unit.get_tokens(extent=unit.cursor.extent) if t.kind != TokenKind.COMMENT]
        self.tokens = [(t.extent.start.offset, t.extent.end.offset, t.spelling) for t in tokens]
        self.starts = [begin for begin, _, _ in self.tokens]
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.path:
                self.walk(cursor, False, True)

    def between(self, begin, end):
        """The tokens of [begin, end)."""
        return self.tokens[bisect.bisect_left(self.starts, begin):bisect.bisect_left(self.starts, end)]

    def flat(self, begin, end, changed=None, to=""):
        """The same on one line, without comments, the token at `changed` as `to`."""
        return " ".join(to if at == changed else word for at, _, word in self.between(begin, end))

    def add(self, begin, end, before, after, what):
        words = self.flat(begin, end)
        if words and not MACRO.search(words) and "STEERTAG_" not in words and "#" not in words:
            self.found.append(Place(begin, end, before, after, what))

    def either(self, begin, end, other, what):
        self.add(begin, end, f"(mutant::is(@) ? ({other}) : (", "))", what)

    def walk(self, cursor, in_code, last):
        """`last`: nothing follows in this function, so that what falls through would fall out of it."""
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        words = [word for _, _, word in self.between(begin, end)[:6]]
        kids = list(cursor.get_children())
        if cursor.kind in NO_CODE or "consteval" in words or cursor.kind.is_attribute():
            return
        if cursor.kind in (Kind.VAR_DECL, Kind.DECL_STMT) and {"constexpr", "constinit"} & set(words):
            return
        if cursor.kind in FUNCTIONS:
            in_code, last = True, True
        if in_code:
            self.look(cursor, kids, begin, end, last)
        for number, kid in enumerate(kids):
            if cursor.kind == Kind.CASE_STMT and number == 0 or cursor.kind == Kind.IF_STMT and words[1:2] == ["constexpr"] and number == 0:
                continue
            if kid.kind in (Kind.INTEGER_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR) and in_code:
                self.literal(cursor, kid)
                continue
            self.walk(kid, in_code, last and (cursor.kind != Kind.COMPOUND_STMT or number == len(kids) - 1))

    def look(self, cursor, kids, begin, end, last):
        kind = cursor.kind
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(kids) == 2:
            self.operator(cursor, kids, begin, end)
        elif kind == Kind.UNARY_OPERATOR and self.between(begin, end)[:1] == [(begin, begin + 1, "!")]:
            # Not by a choice between the two: that of a std::optional<int> and a bool is a std::optional<int>, which is always true.
            self.add(begin, end, "(mutant::is(@) != static_cast<bool>(", "))", "negated")
        elif kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR):
            if self.flat(begin, end).split(" ", 2)[:2] != ["if", "constexpr"]:
                self.condition(kind, kids, end)
        elif kind == Kind.CALL_EXPR and self.flat(begin, end).startswith(("std :: min", "std :: max")):
            name, other = ("min", "max") if self.between(begin, end)[2][2] == "min" else ("max", "min")
            at = self.between(begin, end)[2][0]
            if self.text[at:at + 3].decode() == name:
                self.either(begin, end, self.flat(begin, end, at, other), f"std::{other}")
        if kind == Kind.COMPOUND_STMT:
            for number, kid in enumerate(kids):
                self.statement(kid, last and number == len(kids) - 1)

    def operator(self, cursor, kids, begin, end):
        between = self.between(kids[0].extent.end.offset, kids[1].extent.start.offset)
        if len(between) != 1 or between[0][2] not in SWAPS or not begin < between[0][0] < end:
            return
        at, _, word = between[0]
        ordered = word in ("<", "<=", ">", ">=", "+", "-", "+=", "-=")
        if ordered and any(kid.type.get_canonical().kind not in NUMBERS for kid in kids):
            return
        for other in SWAPS[word]:
            self.either(begin, end, self.flat(begin, end, at, other), f"{word} -> {other}")

    def condition(self, kind, kids, end):
        first = kids[0] if kids else None
        if first is None or not first.kind.is_expression():
            return  # a declaration
        begin, close = first.extent.start.offset, first.extent.end.offset
        follows = self.between(close, end)[:1]
        if follows and follows[0][2] == (")" if kind == Kind.IF_STMT else "?"):
            self.add(begin, close, "(mutant::is(@) != static_cast<bool>(", "))", "condition negated")

    def statement(self, cursor, last):
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        follows = self.between(end, end + 200)[:1]
        if cursor.kind == Kind.IF_STMT and not last:
            kids = list(cursor.get_children())
            body = [k for k in kids if k.kind == Kind.COMPOUND_STMT]
            if len(body) == 1 and len(kids) == 2:
                self.way_out(list(body[0].get_children()))
        words = self.flat(begin, end)
        plain = cursor.kind in DROPPABLE or cursor.kind == Kind.RETURN_STMT and words == "return" and not last
        if plain and follows and follows[0][2] == ";" and not FOR_SPEED.search(words):
            self.add(begin, follows[0][1], "if (!mutant::is(@)) { ", " }", "dropped")

    def way_out(self, kids):
        """The return at the end of an if that something follows."""
        if kids and kids[-1].kind == Kind.RETURN_STMT:
            begin, end = kids[-1].extent.start.offset, kids[-1].extent.end.offset
            follows = self.between(end, end + 200)[:1]
            if follows and follows[0][2] == ";" and end > begin + len("return"):
                self.add(begin, follows[0][1], "if (!mutant::is(@)) { ", " }", "dropped")

    def literal(self, parent, cursor):
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        at = bisect.bisect_left(self.starts, begin)
        if self.starts[at:at + 1] != [begin] or parent.kind in (Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.INIT_LIST_EXPR):
            return
        word, ahead = self.tokens[at][2], self.tokens[at - 1][2]
        if parent.kind in (Kind.VAR_DECL, Kind.FIELD_DECL) and ahead != "=" or ahead == "<" and parent.kind != Kind.BINARY_OPERATOR:
            return
        if word in ("true", "false"):
            self.either(begin, end, "false" if word == "true" else "true", f"not {word}")
        if ahead == "," and re.search(r"array <[^(]*$", " ".join(text for _, _, text in self.tokens[max(at - 6, 0):at])):
            return  # std::array<uint16_t, 8>
        number = re.fullmatch(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|0|[1-9][0-9']*)([uUlLzZ]*)", word)
        if number:
            value = int(number[1].replace("'", ""), 0)
            for other in [value + 1] + [value - 1] * (value > 1):
                self.either(begin, end, f"{other}{number[2]}", f"{word} -> {other}")


def places(path, arguments):
    """All of one file, in the order of their text."""
    unit = TranslationUnit.from_source(str(path), arguments, index=Index.create())
    if wrong := [str(each) for each in unit.diagnostics if each.severity >= Diagnostic.Error]:
        raise ValueError("\n".join(["clang cannot read it:", *wrong[:5]]))
    found = Finder(unit, path).found
    return sorted(found, key=lambda place: (place.begin, place.end, place.what))


def planted(text, chosen):
    """The bytes of a file with the chosen [(number, Place)], none of which overlap; each line keeps its number."""
    out, at = [], 0
    for number, place in sorted(chosen, key=lambda one: one[1].begin):
        sign = str(number)
        out += [text[at:place.begin], place.before.replace("@", sign).encode(), text[place.begin:place.end], place.after.encode()]
        at = place.end
    return b'#include "mutant.h"\n#line 1\n' + b"".join(out) + text[at:]
