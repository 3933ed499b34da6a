"""Configuration of the lit suite: which files are tests and what they call.

Substitutions beside lit's own: %examples, %devices, %docs and %inputs are the
folders examples/, devices/, docs/ and tests/inputs/ of the source tree, %build
is the folder of the build.
"""

import os

import lit.formats

config.name = "ktir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "inputs"]
config.test_source_root = os.path.dirname(__file__)

# FileCheck, not, split-file and count come from LLVM; the rest from this build.
config.environment["PATH"] = os.path.pathsep.join(
    [config.ktir_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
config.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "")

for name, folder in [
    ("%examples", "examples"),
    ("%devices", "devices"),
    ("%docs", "docs"),
    ("%inputs", os.path.join("tests", "inputs")),
]:
    config.substitutions.append((name, os.path.join(config.ktir_source_dir, folder)))

config.substitutions.append(("%build", config.ktir_build_dir))

if os.path.exists(os.path.join(config.ktir_tools_dir, "ktir")):
    config.available_features.add("ktir")
