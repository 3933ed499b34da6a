"""Writes docs/rules.md: every rule of KTIR and the tests that trip it.

usage: rule-table.py [--check]

The rules and what they say are in tests/rules.tsv. A test belongs to a rule
when a comment of the lit or GoogleTest file names it. Fails when a rule has no
test, when a test names an id that is no rule, or, with --check, when the table
in docs/ is not the one that would be written.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "rules.md"
IDS = re.compile(r"\b(?:MF|AT-T|RA-T|TF-T|MS|ID|MV|DV|AC-P|AC-S|AC|IA-S|IA|LD|ST|RX|PR|CO|RE|PL|SO|UP|KL)-?\d+\b|\bR\d+\b")

HEAD = """# Rules of KTIR and their tests

Ids are those of the language reference; `KL-` ids are our own, for what the
reference recommends and leaves open. Written by `scripts/lib/rule-table.py`
from `tests/rules.tsv` and the tests themselves.

| Rule | Statement | Tests |
|---|---|---|
"""


def comment_lines(path):
    """The comments of a test, without what is expected of the tool's text."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        at = line.find("//")
        if at >= 0 and "expected-" not in line[at:]:
            yield line[at:]


def tests_by_rule():
    found = {}
    lit = sorted((ROOT / "tests" / "lit" / "Dialect").glob("[KS][tp]*p*/*.mlir"))
    unit = sorted((ROOT / "tests" / "unit").rglob("*.cpp"))
    for path in lit + unit:
        for comment in comment_lines(path):
            for rule in IDS.findall(comment):
                found.setdefault(rule, set()).add(str(path.relative_to(ROOT)))
    return found


def main():
    rules = {}
    for line in (ROOT / "tests" / "rules.tsv").read_text().splitlines():
        rule, statement = line.split("\t")
        rules[rule] = statement
    found = tests_by_rule()
    missing = [rule for rule in rules if rule not in found]
    if missing:
        sys.exit("no test names the rule(s) " + ", ".join(missing))
    text = HEAD + "".join(
        f"| {rule} | {statement} | {', '.join(f'`{test}`' for test in sorted(found[rule]))} |\n"
        for rule, statement in rules.items()
    )
    if "--check" in sys.argv:
        if not TABLE.exists() or TABLE.read_text() != text:
            sys.exit("docs/rules.md is not up to date; write it with scripts/lib/rule-table.py")
    else:
        TABLE.write_text(text)


main()
