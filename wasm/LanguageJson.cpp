//===- LanguageJson.cpp - Answers of the language service as JSON ---------===//

#include "LanguageJson.h"

#include "JsonWriter.h"

using namespace ktir;
namespace json = llvm::json;

static const char *kindName(SymbolKind kind) {
  static const char *const names[] = {"module", "function", "operation",
                                      "value", "alias"};
  return names[unsigned(kind)];
}

static const char *kindName(CompletionKind kind) {
  static const char *const names[] = {"operation", "value", "type",
                                      "attribute", "alias", "constant",
                                      "symbol",    "block"};
  return names[unsigned(kind)];
}

static void writeRanges(json::OStream &out,
                        const std::vector<SourceRange> &ranges) {
  out.array([&] {
    for (const SourceRange &range : ranges)
      wasm::writeRangeValue(out, range);
  });
}

static void writeSymbols(json::OStream &out,
                         const std::vector<DocumentSymbol> &symbols) {
  out.array([&] {
    for (const DocumentSymbol &symbol : symbols)
      out.object([&] {
        wasm::writeString(out, "name", symbol.name);
        wasm::writeString(out, "detail", symbol.detail);
        out.attribute("kind", kindName(symbol.kind));
        wasm::writeRange(out, symbol.range);
        wasm::writeRange(out, symbol.nameRange, "nameRange");
        out.attribute("parent", symbol.parent);
      });
  });
}

static void writeCompletion(json::OStream &out, const CompletionList &list) {
  out.object([&] {
    wasm::writeRange(out, list.range);
    out.attributeArray("items", [&] {
      for (const CompletionItem &item : list.items)
        out.object([&] {
          wasm::writeString(out, "label", item.label);
          out.attribute("kind", kindName(item.kind));
          wasm::writeString(out, "detail", item.detail);
          wasm::writeString(out, "documentation", item.documentation);
        });
    });
  });
}

static void writeTokens(json::OStream &out,
                        const std::vector<SemanticToken> &tokens) {
  out.array([&] {
    for (const SemanticToken &token : tokens) {
      out.value(token.line);
      out.value(token.column);
      out.value(token.length);
      out.value(unsigned(token.type));
      out.value(token.isDefinition ? 1 : 0);
    }
  });
}

std::string wasm::languageAnswer(const LanguageService &service,
                                 const std::string &question,
                                 TextPosition position) {
  return toText([&](json::OStream &out) {
    if (question == "definition")
      return writeRanges(out, service.definition(position));
    if (question == "references")
      return writeRanges(out, service.references(position));
    if (question == "symbols")
      return writeSymbols(out, service.symbols());
    if (question == "completion")
      return writeCompletion(out, service.completion(position));
    if (question == "tokens")
      return writeTokens(out, service.semanticTokens());
    std::optional<HoverInfo> hover;
    if (question == "hover")
      hover = service.hover(position);
    if (!hover)
      return out.value(nullptr);
    out.object([&] {
      writeRange(out, hover->range);
      writeString(out, "text", hover->text);
    });
  });
}
