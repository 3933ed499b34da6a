//===- JsonWriter.h - How JSON text is written ------------------*- C++ -*-===//

#ifndef KTIR_WASM_JSONWRITER_H
#define KTIR_WASM_JSONWRITER_H

#include "ktir/Driver/Driver.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ktir::wasm {

/// The text of one value, which `write` writes to a `json::OStream`.
template <typename Write> std::string toText(Write write) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream.SetBufferSize(4096); // most parts are a few characters
  llvm::json::OStream out(stream);
  write(out);
  stream.flush();
  return text;
}

/// Bytes that are not UTF-8 become U+FFFD.
inline void writeString(llvm::json::OStream &out, llvm::StringRef name,
                        const std::string &text) {
  if (llvm::json::isUTF8(text))
    out.attribute(name, text);
  else
    out.attribute(name, llvm::json::fixUTF8(text));
}

/// The fields of a range.
inline void writeRangeValue(llvm::json::OStream &out,
                            const SourceRange &range) {
  out.object([&] {
    writeString(out, "file", range.file);
    out.attribute("line", range.line);
    out.attribute("column", range.column);
    out.attribute("endLine", range.endLine);
    out.attribute("endColumn", range.endColumn);
  });
}

inline void writeRange(llvm::json::OStream &out, const SourceRange &range,
                       llvm::StringRef name = "range") {
  out.attributeBegin(name);
  writeRangeValue(out, range);
  out.attributeEnd();
}

} // namespace ktir::wasm

#endif // KTIR_WASM_JSONWRITER_H
