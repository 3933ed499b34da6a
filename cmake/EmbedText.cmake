# Run as a script: writes OUTPUT, a C++ file that defines the function
# `llvm::StringRef SYMBOL()` of namespace ktir, which returns the text of INPUT.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "#include \"llvm/ADT/StringRef.h\"

namespace ktir {
llvm::StringRef ${SYMBOL}();
} // namespace ktir

llvm::StringRef ktir::${SYMBOL}() {
  static constexpr char text[] = R\"ktir_text(${text})ktir_text\";
  return llvm::StringRef(text, sizeof(text) - 1);
}
")
