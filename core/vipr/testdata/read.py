"""Checks a VIPR certificate, version 1.0 or 1.1, in exact rationals:

    python3 read.py FILE...

Written from cert_spec_v1_1.md of the VIPR project alone. It prints what is verified, or
why a file is refused, and ends with 1 if one was. What version 1.1 calls incomplete (lin weak,
lin incomplete) is refused, and so is { sol }, of which the specification says no more than its name.
"""

import re
import sys
from fractions import Fraction
from math import ceil, floor

VALUE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+|\d+/\d+)")
INDEX = re.compile(r"-?\d+")
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # the numbers of a certificate are as long as they are

SIGN = {"G": 1, "E": 0, "L": -1}


class Refused(Exception):
    pass


def want(holds, why):
    if not holds:
        raise Refused(why)


class Words:
    """The words of a file after its comments, one at a time."""

    def __init__(self, text):
        lines = text.split("\n")
        while lines and lines[0].startswith("%"):
            lines.pop(0)
        self.words, self.at = " ".join(lines).split(), 0

    def next(self):
        want(self.at < len(self.words), "the file ends too early")
        self.at += 1
        return self.words[self.at - 1]

    def word(self, *allowed):
        got = self.next()
        want(got in allowed, f"{got} stands where {' or '.join(allowed)} should")
        return got

    def index(self, low, high, what):
        got = self.next()
        want(INDEX.fullmatch(got), f"{got} is no {what}")
        want(low <= int(got) < high, f"{what} {got} is not from {low} to {high - 1}")
        return int(got)

    def count(self, what):
        return self.index(0, 10**9, what)

    def value(self):
        got = self.next()
        want(VALUE.fullmatch(got), f"{got} is no decimal or fraction")
        try:
            return Fraction(got)
        except ZeroDivisionError:
            raise Refused(f"{got} divides by zero")

    def pairs(self, k, high, what):
        """k times an index below high and a value, zeros left out."""
        found = {}
        for _ in range(k):
            i = self.index(0, high, what)
            want(i not in found, f"{what} {i} is listed twice")
            found[i] = self.value()
        return {i: v for i, v in found.items() if v != 0}


def absurd(row):
    left, sense, right = row
    return not left and {"G": right > 0, "L": right < 0, "E": right != 0}[sense]


def dominates(strong, weak):
    (a, s, b), (a2, s2, b2) = strong, weak
    if absurd(strong):
        return True
    return a == a2 and ((s2 == "G" and s in "GE" and b >= b2) or (s2 == "L" and s in "LE" and b <= b2) or (s2 == s == "E" and b == b2))


def combination(rows, weights, name):
    """The suitable linear combination of rows, by index, with their weights."""
    signs = {(w > 0) - (w < 0) for i, w in weights.items() for w in [w * SIGN[rows[i][1]]]} - {0}
    want(len(signs) < 2, f"{name}: the signs of its combination do not suit each other")
    left, right = {}, Fraction(0)
    for i, weight in weights.items():
        for j, a in rows[i][0].items():
            left[j] = left.get(j, 0) + weight * a
        right += weight * rows[i][2]
    sense = {1: "G", -1: "L"}[signs.pop()] if signs else "E"
    return {j: a for j, a in left.items() if a != 0}, sense, right


def rounded(row, integers, name):
    left, sense, right = row
    want(sense != "E", f"{name}: an equation is not rounded")
    want(all(j in integers and a.denominator == 1 for j, a in left.items()), f"{name}: only integers times integer variables are rounded")
    return left, sense, Fraction(floor(right) if sense == "L" else ceil(right))


def split(one, other, integers):
    """Whether one is a x <= b and the other a x >= b + 1, all of it integer."""
    if one[1] == "G":
        one, other = other, one
    return (one[1], other[1]) == ("L", "G") and one[0] == other[0] and other[2] == one[2] + 1 and one[2].denominator == 1 \
        and all(j in integers and a.denominator == 1 for j, a in one[0].items())


def check(text):
    """What the certificate shows, as (kind, lower, upper); Refused if it does not."""
    words = Words(text)
    words.word("VER")
    words.word("1.0", "1.1")
    words.word("VAR")
    variables = words.count("number of variables")
    for _ in range(variables):
        words.next()
    words.word("INT")
    integers = {words.index(0, variables, "variable") for _ in range(words.count("number of integer variables"))}
    words.word("OBJ")
    minimize = words.word("min", "max") == "min"
    objective = words.pairs(words.count("number of coefficients"), variables, "variable")

    rows, names = [], set()

    def constraint():
        name = words.next()
        want(name not in names, f"two constraints are called {name}")
        names.add(name)
        sense, right = words.word("E", "L", "G"), words.value()
        if words.words[words.at:words.at + 1] == ["OBJ"]:
            words.next()
            return name, (dict(objective), sense, right)
        return name, (words.pairs(words.count("number of coefficients"), variables, "variable"), sense, right)

    words.word("CON")
    given = words.count("number of constraints")
    for i in range(words.index(0, given + 1, "number of bound constraints") if given >= 0 else 0):
        name, row = constraint()
        want(len(row[0]) == 1, f"{name} is no bound of one variable")
        rows.append(row)
    while len(rows) < given:
        rows.append(constraint()[1])

    words.word("RTP")
    lower = upper = None
    infeasible = words.word("infeas", "range") == "infeas"
    if not infeasible:
        bounds = []
        for infinite in ("-inf", "inf"):
            if words.words[words.at:words.at + 1] == [infinite]:
                words.next()
                bounds.append(None)
            else:
                bounds.append(words.value())
        lower, upper = bounds

    words.word("SOL")
    best = None
    for _ in range(words.count("number of solutions")):
        name = words.next()
        x = words.pairs(words.count("number of values"), variables, "variable")
        want(all(v.denominator == 1 for j, v in x.items() if j in integers), f"solution {name} is not integer")
        for left, sense, right in rows:
            total = sum(a * x.get(j, 0) for j, a in left.items())
            want({"G": total >= right, "L": total <= right, "E": total == right}[sense], f"solution {name} misses a constraint")
        value = sum(c * x.get(j, 0) for j, c in objective.items())
        best = value if best is None else min(best, value) if minimize else max(best, value)
    want(not infeasible or best is None, "an infeasible problem has no solution")
    known = upper if minimize else lower
    if known is not None:
        want(best is not None and (best <= known if minimize else best >= known), "no solution is as good as the range says")

    words.word("DER")
    assumed, lasts = [frozenset()] * given, [-1] * given
    derived = words.count("number of derivations")
    for _ in range(derived):
        here = len(rows)
        name, row = constraint()

        def refer():
            i = words.index(0, here, "constraint")
            want(lasts[i] < 0 or here <= lasts[i] or i < given, f"{name} refers to a constraint after its last use")
            return i

        words.word("{")
        reason = words.next()
        if reason == "asm":
            assumptions = frozenset([here])
        elif reason in ("lin", "rnd"):
            if words.words[words.at:words.at + 1] in (["weak"], ["incomplete"]):
                raise Refused(f"{name}: the derivation is incomplete")
            weights = {}
            for _ in range(words.count("number of multipliers")):
                i = refer()
                want(i not in weights, f"{name} uses constraint {i} twice")
                weights[i] = words.value()
            found = combination(rows, weights, name)
            if reason == "rnd":
                found = rounded(found, integers, name)
            want(dominates(found, row), f"{name} does not follow from its combination")
            assumptions = frozenset().union(*(assumed[i] for i in weights))
        elif reason == "uns":
            i1, l1, i2, l2 = (refer() for _ in range(4))
            want(dominates(rows[i1], row) and dominates(rows[i2], row), f"{name} follows from one branch at most")
            want(split(rows[l1], rows[l2], integers), f"{name}: its branches are not all there is")
            assumptions = (assumed[i1] - {l1}) | (assumed[i2] - {l2})
        else:
            raise Refused(f"{name}: {reason} is no reason that is checked here")
        words.word("}")
        last = words.index(-1, 10**9, "last use")
        rows.append(row)
        assumed.append(assumptions)
        lasts.append(last)
    want(words.at == len(words.words), "something follows the derivations")

    goal = lower if minimize else upper
    if infeasible or goal is not None:
        want(derived > 0, "nothing is derived")
        want(not assumed[-1], "the last derivation rests on an assumption")
        if infeasible:
            want(absurd(rows[-1]), "the last derivation is no contradiction")
        else:
            want(dominates(rows[-1], (objective, "G" if minimize else "L", goal)), "the last derivation is less than the range says")
    return "infeasible" if infeasible else "range", lower, upper


if __name__ == "__main__":
    bad = False
    for file in sys.argv[1:]:
        try:
            with open(file, encoding="utf-8") as opened:
                kind, low, high = check(opened.read())
            print(f"{file}: verified", kind, *([] if kind == "infeasible" else [low, high]))
        except Refused as why:
            bad = True
            print(f"{file}: refused: {why}")
    sys.exit(bad)
