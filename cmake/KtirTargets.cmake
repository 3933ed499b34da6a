# Helpers shared by every target of the project: one way to declare a
# library, one way to generate a dialect, one way to link MLIR.

# LLVM exports its definitions as one string.
separate_arguments(KTIR_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

set(KTIR_INCLUDE_DIRS
    "${PROJECT_SOURCE_DIR}/core/include"
    "${PROJECT_BINARY_DIR}/core/include")

# Tablegen takes its search path from the directory, not from a target.
include_directories(${KTIR_INCLUDE_DIRS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# What every C++ target of the project compiles with.
add_library(ktir_options INTERFACE)
target_include_directories(ktir_options INTERFACE ${KTIR_INCLUDE_DIRS})
target_include_directories(ktir_options SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(ktir_options INTERFACE ${KTIR_LLVM_DEFINITIONS})
# No contraction: a fused multiply-add would round once where the language
# rounds twice, and results would differ between hosts.
target_compile_options(ktir_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter -ffp-contract=off
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
if(EMSCRIPTEN)
  # Without bulk memory a copy is a loop over words.
  target_compile_options(ktir_options INTERFACE
    -msimd128 -mbulk-memory -ffunction-sections -fdata-sections)
endif()
if(KTIR_SANITIZE)
  target_compile_options(ktir_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(ktir_options INTERFACE -fsanitize=address,undefined)
endif()

# Set-up builds only some of MLIR for wasm; says so here instead of at the link.
function(ktir_require_archive library)
  if(NOT TARGET ${library})
    message(FATAL_ERROR "'${library}' is no library of MLIR")
  endif()
  get_target_property(archive ${library} IMPORTED_LOCATION_MINSIZEREL)
  if(NOT EXISTS "${archive}")
    message(FATAL_ERROR "'${library}' is not built for wasm: add it to "
      "KTIR_MLIR_LIBRARIES in scripts/lib/mlir-wasm.sh and run scripts/setup")
  endif()
endfunction()

# Headers of MLIR and its dialects, whose parsing is most of what a source costs,
# parsed once. Only headers of installed packages, which no build changes.
set(KTIR_PRECOMPILED
    <mlir/Bytecode/BytecodeOpInterface.h>
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/OpImplementation.h>
    <mlir/Pass/Pass.h>
    <llvm/ADT/StringExtras.h>
    <llvm/ADT/TypeSwitch.h>)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/Precompiled.cpp" CONTENT "")
add_library(ktir_precompiled OBJECT "${PROJECT_BINARY_DIR}/Precompiled.cpp")
target_link_libraries(ktir_precompiled PRIVATE ktir_options)
target_compile_options(ktir_precompiled PRIVATE -fno-rtti)
target_precompile_headers(ktir_precompiled PRIVATE ${KTIR_PRECOMPILED})
# The result holds the folder of the build. So it is made anew in each, and the
# compiler cache knows it by what went into it.
set_target_properties(ktir_precompiled PROPERTIES CXX_COMPILER_LAUNCHER "")
string(SHA256 ktir_precompiled_sum
  "${KTIR_PRECOMPILED} ${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION}")
file(CONFIGURE CONTENT "${ktir_precompiled_sum}"
  OUTPUT "${PROJECT_BINARY_DIR}/CMakeFiles/ktir_precompiled.dir/cmake_pch.hxx.pch.sum")

# ktir_use_precompiled(TARGET): for a target with the compile options of all,
# once it has its sources. The path is relative, as the compiler cache takes that
# of such an option literally.
function(ktir_use_precompiled target)
  set(header CMakeFiles/ktir_precompiled.dir/cmake_pch.hxx.pch)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -include-pch -Xclang ${header}>")
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY
    OBJECT_DEPENDS "${PROJECT_BINARY_DIR}/${header}")
endfunction()

# The archives of Debian's MLIR ask for the shared library of all of LLVM, of
# which they use one archive.
get_property(ktir_imported DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTY IMPORTED_TARGETS)
foreach(target IN LISTS ktir_imported)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  if(target MATCHES "^MLIR" AND libraries)
    list(TRANSFORM libraries REPLACE "^LLVM$" "LLVMSupport")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endforeach()

# Names the MLIR libraries of a target. Archives, also natively: the shared
# libraries of everything take longer to load than most kernels to run.
function(ktir_link_mlir target)
  if(EMSCRIPTEN)
    foreach(library IN LISTS ARGN)
      ktir_require_archive(${library})
    endforeach()
  endif()
  target_link_libraries(${target} PUBLIC ${ARGN})
endfunction()

# ktir_add_library(NAME SOURCES... [DEPENDS tablegen targets]
#                  [LINK project libraries] [MLIR MLIR archives])
function(ktir_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;MLIR" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  # Embind needs RTTI; the core does without, as MLIR's own archives do.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  target_link_libraries(${name} PUBLIC ktir_options ${ARG_LINK})
  ktir_link_mlir(${name} ${ARG_MLIR})
  if(ARG_MLIR MATCHES "MLIR")
    ktir_use_precompiled(${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# Generates the declarations and definitions of one dialect from
# <Name>Ops.td in the current directory, as
# <Name>{Dialect,Types,Attributes,Enums,Ops}.{h,cpp}.inc. The dialect's C++
# and assembly prefix is MNEMONIC.
function(ktir_add_dialect name mnemonic)
  set(LLVM_TARGET_DEFINITIONS ${name}Ops.td)
  mlir_tablegen(${name}Dialect.h.inc -gen-dialect-decls -dialect=${mnemonic})
  mlir_tablegen(${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${mnemonic})
  mlir_tablegen(${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${mnemonic})
  mlir_tablegen(${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${mnemonic})
  mlir_tablegen(${name}Attributes.h.inc -gen-attrdef-decls -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${name}Attributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${name}Enums.h.inc -gen-enum-decls)
  mlir_tablegen(${name}Enums.cpp.inc -gen-enum-defs)
  mlir_tablegen(${name}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${name}Ops.cpp.inc -gen-op-defs)
  add_public_tablegen_target(Ktir${name}IncGen)
endfunction()
