"""Writes docs/examples.md: every example with a sentence, by group.

usage: example-list.py [--check]

Groups and their order are in examples/groups.json, which the playground shows
too; `notLowered` there names those of a group that the scheduler does not lower,
and the sentence is the first one of the example's README. Fails when an example
is in no group, or in two, when a group names one that is not there, when a
folder lacks a file, or, with --check, when the list in docs/ is not the one that
would be written.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LIST = ROOT / "docs" / "examples.md"
FILES = ("kernel.mlir", "run.json", "README.md")

HEAD = """# Examples

Each folder of `examples/` holds a kernel, the arguments of a run (`run.json`, see
[inputs.md](inputs.md)) and a page that says what to look at.

```sh
ktir run examples/softmax/kernel.mlir --args examples/softmax/run.json --out out
```

All of them run at level `ktir`, and `KtirDriverTests` compares what they leave
with a formula. Those that say *both* are lowered to DataflowIR and run at level
`dataflow` too. Written by `scripts/lib/example-list.py`.
"""


def first_sentence(name):
    """The first sentence of the page's first paragraph."""
    text = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    for paragraph in re.split(r"\n\s*\n", text):
        words = " ".join(paragraph.split())
        if words and not words.startswith("#"):
            return re.match(r".*?[.!?](?=\s|$)|.*", words).group()
    sys.exit(f"examples/{name}/README.md has no sentence")


def main():
    groups = json.loads((EXAMPLES / "groups.json").read_text(encoding="utf-8"))
    listed = [name for group in groups for name in group["examples"]]
    folders = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
    if sorted(listed) != folders:
        odd = sorted(set(listed) ^ set(folders)) or sorted(
            {name for name in listed if listed.count(name) > 1}
        )
        sys.exit("examples/groups.json and the folders differ in " + ", ".join(odd))
    for group in groups:
        odd = sorted(set(group["notLowered"]) - set(group["examples"]))
        if odd:
            sys.exit(f"'notLowered' of '{group['title']}' names others: " + ", ".join(odd))
    for name in folders:
        for file in FILES:
            if not (EXAMPLES / name / file).is_file():
                sys.exit(f"examples/{name} has no {file}")

    text = HEAD
    for group in groups:
        text += f"\n## {group['title']}\n\n| Example | Levels | |\n|---|---|---|\n"
        for name in group["examples"]:
            levels = "`ktir`" if name in group["notLowered"] else "both"
            link = f"[{name}](../examples/{name}/README.md)"
            text += f"| {link} | {levels} | {first_sentence(name)} |\n"
    if "--check" in sys.argv[1:]:
        if not LIST.is_file() or LIST.read_text(encoding="utf-8") != text:
            sys.exit("docs/examples.md is not up to date; write it with scripts/lib/example-list.py")
    else:
        LIST.write_text(text, encoding="utf-8")


main()
