"""Turns what mlir-tblgen says of dialects into the reference for readers and
into the table that hover texts come from.

usage: reference.py --docs FOLDER --table FILE --pages DIALECT.md...
                    --own OPERATIONS.md... --foreign OPERATIONS.md...

Each DIALECT.md is the output of `mlir-tblgen -gen-dialect-doc`. FOLDER gets a
page of the same name; FILE gets one C++ initialiser `{name, summary,
description},` for every operation, type and attribute, ordered by name.
OPERATIONS.md is the output of `mlir-tblgen -gen-op-doc`; it goes into FILE
only, without the descriptions if it is foreign.
"""

import argparse
import re
from pathlib import Path

NOTE = "Written by the build from the dialect's definition in `core/include/ktir/Dialect`."
# What only matters to who programs against the C++ classes.
INTERNAL = re.compile(r"^(Traits|Interfaces|Effects): ")
HEADING = re.compile(r"^(#+) (.*)$")
# What common operations do whose definitions have no summary.
UNSAID = {
    "linalg.generic": "Computes tensors by its body at every point of its loops",
    "memref.copy": "Copies the elements of one view to another",
}
CODE = re.compile(r"<code>(.*?)</code>")
CELL = re.compile(r"<t[dh]>(.*?)</t[dh]>", re.DOTALL)


def table_rows(lines):
    """The rows of an HTML table as one of Markdown."""
    for row in lines:
        cells = CELL.findall(row)
        if not cells:
            continue
        cells = [CODE.sub(r"`\1`", cell).replace("::mlir::", "").replace("|", "\\|") for cell in cells]
        yield "| " + " | ".join(cells) + " |"
        if "<th>" in row:
            yield "|" + " --- |" * len(cells)


def for_readers(text):
    lines = []
    table = None
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        if not fenced and not line.startswith("```"):
            if line == "<table>":
                table = []
                continue
            if table is not None:
                if line == "</table>":
                    lines += table_rows(table)
                    table = None
                else:
                    table.append(line)
                continue
            if INTERNAL.match(line) or line == "[TOC]" or line.startswith("<!--"):
                continue
            heading = HEADING.match(line)
            if heading:
                line = f"{heading[1]} {heading[2].split(' (::')[0]}"
                if heading[1] == "####":
                    line = line.rstrip(":")
        if line or (lines and lines[-1]):
            lines.append(line)
        if line.startswith("# "):
            lines += ["", NOTE]
    return "\n".join(lines).strip() + "\n"


def entries(text, dialect):
    """Name, summary and description of everything the dialect defines."""
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        body = re.split(r"^#+ ", body, flags=re.MULTILINE)[0]
        summary = re.match(r"\s*_(.*?)_$", body, flags=re.MULTILINE | re.DOTALL)
        operation = re.match(r"`([\w.]+)`", title)
        if operation:
            name = operation[1]
        else:
            written = re.search(rf"[!#]{dialect}\.\w+", body)
            if not written:
                continue
            name = written[0]
        if summary:
            body = body[summary.end() :]
        body = re.sub(r"\A\s*Syntax:\s*(```.*?```|`[^`]*`)", "", body, flags=re.DOTALL)
        body = "\n".join(line for line in body.splitlines() if not INTERNAL.match(line))
        line = " ".join(summary[1].split()) if summary else UNSAID.get(name, "")
        yield name, line, re.sub(r"\n{3,}", "\n\n", body).strip()


def literal(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--pages", type=Path, nargs="+", required=True)
    parser.add_argument("--own", type=Path, nargs="+", required=True)
    parser.add_argument("--foreign", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    arguments.docs.mkdir(parents=True, exist_ok=True)
    found = set()
    for path in arguments.pages:
        text = path.read_text(encoding="utf-8")
        (arguments.docs / path.name).write_text(for_readers(text), encoding="utf-8")
        found.update(entries(text, path.stem))
    for path in arguments.own:
        found.update(entries(path.read_text(encoding="utf-8"), path.stem))
    for path in arguments.foreign:
        for name, summary, _ in entries(path.read_text(encoding="utf-8"), path.stem):
            found.add((name, summary.rstrip("."), ""))
    arguments.table.write_text(
        "".join(f"{{{', '.join(map(literal, entry))}}},\n" for entry in sorted(found)),
        encoding="utf-8",
    )


main()
