# MLIR's libraries, cross-built for WebAssembly: only those that the project
# links, kept in the cache as a build tree that find_package(MLIR) reads.

# The libraries that code of the project may link; what they need comes along.
# 'cmake/' and the core's CMakeLists name the same ones.
KTIR_MLIR_LIBRARIES=(
  MLIRIR MLIRParser MLIRAsmParser MLIRBytecodeReader MLIRPass MLIRTransforms MLIRTransformUtils
  MLIRRewrite MLIRAnalysis MLIRSupport MLIRDialect MLIRDialectUtils
  MLIRFuncDialect MLIRFuncUtils MLIRArithDialect MLIRArithUtils MLIRAffineDialect MLIRAffineAnalysis
  MLIRAffineUtils MLIRLinalgDialect MLIRMemRefDialect MLIRMemRefUtils MLIRSCFDialect MLIRSCFUtils
  MLIRTensorDialect MLIRTensorUtils MLIRMathDialect MLIRControlFlowDialect
  MLIRInferTypeOpInterface MLIRSideEffectInterfaces MLIRControlFlowInterfaces MLIRLoopLikeInterface
  MLIRCallInterfaces MLIRFunctionInterfaces MLIRCastInterfaces MLIRDestinationStyleOpInterface
  MLIRInferIntRangeInterface MLIRViewLikeInterface MLIRTilingInterface MLIRDataLayoutInterfaces
)

# The options of the cross configuration, one a line.
# Checks compile without optimisation: that halves the time they take.
mlir_wasm_options() {
  local native="/usr/lib/llvm-$KTIR_LLVM_MAJOR/bin"
  cat <<END
-DCMAKE_BUILD_TYPE=MinSizeRel
-DCMAKE_TRY_COMPILE_CONFIGURATION=Plain
-DCMAKE_C_FLAGS_MINSIZEREL=-Os -DNDEBUG
-DCMAKE_CXX_FLAGS_MINSIZEREL=-Os -DNDEBUG
-DCMAKE_CXX_FLAGS=-ffunction-sections -fdata-sections
-DLLVM_ENABLE_PROJECTS=mlir
-DLLVM_TARGETS_TO_BUILD=
-DLLVM_HOST_TRIPLE=wasm32-unknown-emscripten
-DLLVM_DEFAULT_TARGET_TRIPLE=wasm32-unknown-emscripten
-DLLVM_BUILD_TOOLS=OFF
-DLLVM_INCLUDE_TOOLS=ON
-DLLVM_BUILD_UTILS=OFF
-DLLVM_INCLUDE_UTILS=OFF
-DLLVM_INCLUDE_TESTS=OFF
-DMLIR_INCLUDE_TESTS=OFF
-DLLVM_INCLUDE_EXAMPLES=OFF
-DLLVM_INCLUDE_BENCHMARKS=OFF
-DLLVM_INCLUDE_DOCS=OFF
-DLLVM_ENABLE_BINDINGS=OFF
-DLLVM_ENABLE_THREADS=OFF
-DLLVM_ENABLE_ZLIB=OFF
-DLLVM_ENABLE_ZSTD=OFF
-DLLVM_ENABLE_LIBXML2=OFF
-DLLVM_ENABLE_LIBEDIT=OFF
-DLLVM_ENABLE_CURL=OFF
-DLLVM_ENABLE_PIC=OFF
-DLLVM_ENABLE_TERMINFO=OFF
-DLLVM_ENABLE_BACKTRACES=OFF
-DLLVM_ENABLE_CRASH_OVERRIDES=OFF
-DLLVM_ENABLE_RTTI=OFF
-DLLVM_ENABLE_EH=OFF
-DLLVM_BUILD_LLVM_DYLIB=OFF
-DMLIR_ENABLE_PDL_IN_PATTERNMATCH=OFF
-DMLIR_ENABLE_EXECUTION_ENGINE=OFF
-DLLVM_NATIVE_TOOL_DIR=$native
-DLLVM_TABLEGEN=$native/llvm-tblgen
-DLLVM_HEADERS_TABLEGEN=$native/llvm-tblgen
-DMLIR_TABLEGEN=$native/mlir-tblgen
-DMLIR_PDLL_TABLEGEN=$native/mlir-pdll
-DMLIR_LINALG_ODS_YAML_GEN=$native/mlir-linalg-ods-yaml-gen
-DMLIR_SRC_SHARDER_TABLEGEN=$native/mlir-src-sharder
END
}

# configure_mlir_wasm: afresh, so that no option of an older run survives.
configure_mlir_wasm() {
  local options
  mapfile -t options < <(mlir_wasm_options)
  quietly "$KTIR_CACHE/log/mlir-wasm-configure.log" \
    cmake --fresh -C "$KTIR_ROOT/scripts/lib/mlir-wasm-answers.cmake" -G Ninja -S "$KTIR_LLVM_SOURCE/llvm" -B "$KTIR_MLIR_WASM" \
    -DCMAKE_TOOLCHAIN_FILE="$KTIR_EMSCRIPTEN_ROOT/cmake/Modules/Platform/Emscripten.cmake" \
    "${options[@]}"
}

# mlir_wasm_directory: where the tree of this toolchain and source is; objects
# of another toolchain or source do not mix with it.
mlir_wasm_directory() {
  printf '%s/mlir-wasm-%s\n' "$KTIR_CACHE" "$(hash_of 1 "$KTIR_LLVM_SHA256" \
    "$("$KTIR_EMSCRIPTEN_ROOT/emcc" --version | head -n 1)" "$KTIR_EMSCRIPTEN_ROOT" "$KTIR_LLVM_SOURCE")"
}

# use_mlir_wasm: sets what the preset 'wasm' needs to find the libraries.
use_mlir_wasm() {
  KTIR_MLIR_WASM="$(mlir_wasm_directory)"
  export KTIR_MLIR_WASM
}

setup_mlir_wasm() {
  use_mlir_wasm
  local key
  key="$(hash_of "$(mlir_wasm_options)" "${KTIR_MLIR_LIBRARIES[@]}")"
  is_whole "$KTIR_MLIR_WASM" "$key" && return
  rm -f "$KTIR_MLIR_WASM/.whole"
  if [[ "$(cat "$KTIR_MLIR_WASM/.configured" 2>/dev/null)" != "$(mlir_wasm_options)" ]]; then
    say "configuring MLIR for WebAssembly (one to two minutes)"
    configure_mlir_wasm
    mlir_wasm_options >"$KTIR_MLIR_WASM/.configured"
  fi
  say "building MLIR for WebAssembly (once: 10 to 20 minutes; an interrupted build resumes)"
  follow 30 "$KTIR_CACHE/log/mlir-wasm-build.log" \
    ninja -C "$KTIR_MLIR_WASM" -j "$KTIR_JOBS" intrinsics_gen "${KTIR_MLIR_LIBRARIES[@]}"
  mark_whole "$KTIR_MLIR_WASM" "$key"
}
