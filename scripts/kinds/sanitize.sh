# The GoogleTest programs with AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
cmake --preset native-debug
ninja -C build/native-debug -j "$KTIR_JOBS" unittests
# MLIR comes without instrumentation and shares arenas with code that has it:
# what the one takes from them, the other believes to be unused.
export ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1:allow_user_poisoning=0
export UBSAN_OPTIONS=print_stacktrace=1
GTEST_OUTPUT="xml:$1/" ctest --test-dir build/native-debug -L unit -j "$KTIR_JOBS" --output-on-failure
