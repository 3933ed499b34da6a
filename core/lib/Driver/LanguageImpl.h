//===- LanguageImpl.h - What a language service keeps -----------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_LANGUAGEIMPL_H
#define KTIR_LIB_DRIVER_LANGUAGEIMPL_H

#include "DeviceSource.h"
#include "KeptText.h"
#include "LanguageIndex.h"

#include "ktir/Driver/LanguageService.h"
#include "ktir/Syntax/Outline.h"

namespace ktir {

/// A text that parsed. Its parts refer to each other, so it does not move.
struct ParsedText {
  SourceText source;
  std::optional<ReadText> read;
  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<LanguageIndex> index;
  /// No verifier complained, so accessors of operations can be called.
  bool isVerified = false;
  Level level = Level::Ktir;
  std::vector<KernelInfo> kernels;
};

struct LanguageService::Impl {
  CompileOptions options;
  DeviceSource device;
  SourceText source;
  std::vector<Diagnostic> diagnostics;
  std::unique_ptr<ParsedText> parsed;
  /// What the current text has in common with the parsed one.
  KeptText kept;
  unsigned parses = 0;

  void update(const std::string &text);

  /// The byte at a position of the current text.
  std::optional<size_t> offsetOf(TextPosition position) const {
    return source.offsetOf(position.line, position.column);
  }

  /// A name of the current text that the parsed one has, too.
  struct Found {
    const Occurrence *occurrence;
    syntax::ByteRange range; ///< in the current text
  };
  std::optional<Found> find(TextPosition position) const;

  const Entity &entityOf(const Occurrence &occurrence) const {
    return parsed->index->entities()[occurrence.entity];
  }
};

/// Markdown about what a name stands for.
std::string hoverText(const Entity &entity, llvm::StringRef spelling,
                      const ParsedText &parsed);
/// Markdown about a word that needs no parse: an operation, type or attribute
/// of the reference. Empty without one.
std::string referenceText(llvm::StringRef name);

CompletionList complete(const LanguageService::Impl &service, size_t offset);

std::vector<SemanticToken> colour(const LanguageService::Impl &service);

} // namespace ktir

#endif // KTIR_LIB_DRIVER_LANGUAGEIMPL_H
