"""Whether the vectors notice each change of one symbol in the formulas of rows.

Usage: python tests/mutants/rows.py ARCHIVE [FLAGS]: the library of the core as it was built, and
what it takes to link it: cpp/build/asan/libconfmat_core.a -fsanitize=address,undefined

Every operator, field, number and some functions within a formula of ``cpp/src/metrics/rows_*.cpp``
get a number. The sources are compiled once, with all mutants in them, and the vectors of
``tests/vectors`` run once a mutant, which an environment variable chooses. A mutant that every
vector agrees with is a formula that no test holds; ``EQUIVALENT`` lists those that are the same
number in every table.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "cpp/src/metrics").glob("rows_*.cpp"))
BUILD = ROOT / "build/mutants"
FLAGS = [
    "-std=c++20",
    "-O1",
    "-ffp-contract=off",
    "-I",
    "cpp/include",
    "-I",
    "cpp",
    "-I",
    "tests/cpp",
]
FLAGS += ["-I", "cpp/src/metrics", "-I", "tests/mutants"]
VECTORS = [
    "tests/cpp/main.cpp",
    "tests/cpp/metrics/vectors.cpp",
    "tests/cpp/metrics/sparse.cpp",  # formulas of empty cells, which vectors do not have
]
TIMEOUT = 60  # seconds of a mutant, which may not end

OTHER = {"tp": "fp", "fp": "fn", "fn": "tn", "tn": "tp", "row": "col", "col": "row"}
OTHER |= {"trace": "n", "n": "trace"}
FUNCTIONS = {"smaller": "larger", "larger": "smaller"}
OPERATOR_WORDS = {"+": "-", "-": "+", "*": "+", "/": "*"}

# Mutants that are the same number in every table, by file, line of the formula, and change.
EQUIVALENT = {
    "rows_overlap.cpp:94: c.tp -> .fp": "ln 2 takes a number for its kind alone",
}

TOKEN = re.compile(
    r"""(?P<text>"[^"]*"|//[^\n]*)
    |(?P<template>\w+<[\w:, ]+>(?=\())
    |(?P<owner>\b[a-z]\w*(?:\.\w+)*)\.(?P<field>tp|fp|fn|tn|row|col|trace|n)\b(?!\()
    |(?P<function>smaller|larger)\((?!\))
    |(?P<number>(?<![\w.<])\d+(?:\.\d+)?\b)
    |(?P<binary>(?<=[\w)\]]\s)[-+*/](?=\s))
    |(?P<unary>(?<=[(=,?:]\s)-(?=\w)|(?<=\()-(?=\w)|(?<=return\s)-(?=\w))
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


class Mutant(NamedTuple):
    """One change: where it is, and what it is."""

    file: str
    line: int
    change: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"


def formulas(source: str) -> list[tuple[int, int]]:
    """Return where the bodies of lambdas begin and end, the outermost ones."""
    found, at = [], 0
    opening = re.compile(r"\[&?\w*\]\((?:[^()]|\([^()]*\))*\)\s*\{")
    while match := opening.search(source, at):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(source[end], 0)
            end += 1
        found.append((match.end(), end - 1))
        at = end
    return found


class Mutator:
    """Rewrites sources, and keeps what it changed."""

    def __init__(self) -> None:
        self.mutants: list[Mutant] = []

    def source(self, path: Path) -> str:
        """Return a source with the hooks of its mutants."""
        text, out, at = path.read_text(), [], 0
        for begin, end in formulas(text):
            out += [text[at:begin], self._body(path.name, text, begin, end)]
            at = end
        out.append(text[at:])
        return "".join(out).replace("namespace confmat::metrics {", HEAD, 1)

    def _body(self, file: str, text: str, begin: int, end: int) -> str:
        out = []
        for match in TOKEN.finditer(text, begin, end):
            kind, token = match.lastgroup, match.group(0)
            line = text.count("\n", 0, match.start()) + 1

            def made(change: str, line: int = line) -> int:
                self.mutants.append(Mutant(file, line, change))
                return len(self.mutants) - 1

            if kind == "field":
                owner, written, other = match["owner"], match["field"], OTHER[match["field"]]
                number = made(f"{owner}.{written} -> .{other}")
                out.append(f"mutants::field({number}, {owner}.{written}, {owner}.{other})")
            elif kind == "function":
                name = match["function"]
                number = made(f"{name} -> {FUNCTIONS[name]}")
                out.append(f"CONFMAT_EITHER({number}, {name}, {FUNCTIONS[name]})(")
            elif kind == "number":
                out.append(f"mutants::number({made(f'{token} -> {token} + 1')}, {token})")
            elif kind == "binary":
                number = made(f"{token} -> {OPERATOR_WORDS[token]}")
                out.append(f"{token} mutants::Tag({number}) {token}")
            elif kind == "unary":
                out.append(f"mutants::Minus({made('-x -> x')}) - ")
            else:
                out.append(token)
        return "".join(out).replace("constexpr double", "const double")


HEAD = '#include "hooks.hpp"\n\nnamespace confmat::metrics {'


def build(linked: list[str]) -> tuple[list[Mutant], Path]:
    """Compile the mutated sources with the vectors; return the mutants and the program.

    Their objects come before the library, which then brings none of its own.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    mutator = Mutator()
    sources = []
    for path in SOURCES:
        sources.append(BUILD / path.name)
        sources[-1].write_text(mutator.source(path))
    vectors = f'-DCONFMAT_TEST_VECTORS="{ROOT / "tests/vectors"}"'

    def compiled(source: Path | str) -> str:
        target = BUILD / (Path(source).stem + ".o")
        command = ["g++", *FLAGS, vectors, "-c", str(source), "-o", str(target)]
        subprocess.run(command, cwd=ROOT, check=True)
        return str(target)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, [*sources, *VECTORS]))
    program = BUILD / "vectors"
    command = ["g++", *objects, *linked, "-o", str(program), "-pthread", "-ldl"]
    subprocess.run(command, cwd=ROOT, check=True)
    return mutator.mutants, program


def survives(program: Path, number: int) -> bool:
    """Return whether all tests agree with a mutant; -1 is none."""
    environment = os.environ | {"CONFMAT_MUTANT": str(number)}
    for some in (["--test-case-exclude=*sparse*"], []):  # the vectors first: they take no time
        try:
            done = subprocess.run(
                [program, *some], env=environment, capture_output=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        if done.returncode != 0:
            return False
    return True


def main() -> int:
    """Run all mutants; the number of those that survive is the exit code."""
    if not sys.argv[1:]:
        print(__doc__)
        return 1
    mutants, program = build(sys.argv[1:])
    if not survives(program, -1):
        print("the vectors fail without a mutant")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alive = list(pool.map(lambda at: survives(program, at), range(len(mutants))))
    left = [str(one) for one, lives in zip(mutants, alive, strict=True) if lives]
    print(f"{len(mutants)} mutants, {len(mutants) - len(left)} noticed")
    for one in left:
        print(one, EQUIVALENT.get(one, "") and f"(the same number: {EQUIVALENT[one]})")
    return sum(one not in EQUIVALENT for one in left)


if __name__ == "__main__":
    raise SystemExit(min(main(), 100))
