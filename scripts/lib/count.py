"""Counts a test runner's report.

usage: count.py FORMAT FOLDER STATUS

FORMAT says whose report the files in FOLDER are; STATUS is the exit code of
the run. Prints 'PASSED FAILED'. A run that ended in an error without naming a
failed test counts as one failure, and so does one that ran no test.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as xml


def count_exit(folder, status):
    """A check without tests of its own: one pass or one failure."""
    return (1, 0) if status == 0 else (0, 1)


def count_xunit(folder, status):
    """JUnit-like XML, as lit and GoogleTest write it."""
    passed = failed = 0
    for path in sorted(folder.glob("*.xml")):
        for case in xml.parse(path).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is None and case.get("status") != "notrun":
                passed += 1
    return passed, failed


def count_jest(folder, status):
    passed = failed = 0
    for path in folder.glob("*.json"):
        report = json.loads(path.read_text())
        passed += report["numPassedTests"]
        failed += report["numFailedTests"] + report["numRuntimeErrorTestSuites"]
    return passed, failed


def count_playwright(folder, status):
    passed = failed = 0
    for path in folder.glob("*.json"):
        stats = json.loads(path.read_text())["stats"]
        # A test that passed only when tried again did not pass.
        passed += stats["expected"]
        failed += stats["unexpected"] + stats["flaky"]
    return passed, failed


def count_benchmark(folder, status):
    """Google Benchmark's JSON: every benchmark that ran without an error."""
    passed = failed = 0
    for path in folder.glob("*.json"):
        for benchmark in json.loads(path.read_text())["benchmarks"]:
            if benchmark.get("error_occurred"):
                failed += 1
            else:
                passed += 1
    return passed, failed


FORMATS = {
    "exit": count_exit,
    "lit": count_xunit,
    "gtest": count_xunit,
    "jest": count_jest,
    "playwright": count_playwright,
    "benchmark": count_benchmark,
}


def main():
    kind, folder, status = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    try:
        passed, failed = FORMATS[kind](folder, status)
    except (OSError, KeyError, ValueError, xml.ParseError) as error:
        print(f"count.py: the report in {folder} cannot be read: {error!r}", file=sys.stderr)
        passed, failed = 0, 1
    if failed == 0 and (status != 0 or passed == 0):
        failed = 1
    print(passed, failed)


main()
