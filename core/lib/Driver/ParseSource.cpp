//===- ParseSource.cpp - From text to a verified module -------------------===//

#include "ParseSource.h"

#include "DeviceSource.h"
#include "Diagnostics.h"

#include "ktir/Syntax/Tokenizer.h"

#include "ktir/Dialect/Ktdp/Legality.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <map>
#include <tuple>

namespace ktir {

//===----------------------------------------------------------------------===//
// ReadText
//===----------------------------------------------------------------------===//

/// What happens to the legacy forms of a text.
static std::vector<syntax::Fix> takeForms(const SourceText &source, bool strict,
                                          std::vector<Diagnostic> &diagnostics,
                                          bool &refused) {
  std::vector<syntax::Fix> taken;
  std::vector<syntax::Fix> forms = syntax::findLegacyForms(source.text());
  // What does away with one form of a chain does away with all of it. Of a long
  // chain only the first finding holds that, since all would be very much.
  constexpr unsigned longChain = 64;
  struct Chain {
    std::vector<syntax::Edit> edits;
    unsigned forms = 0, reported = 0;
  };
  std::map<unsigned, Chain> chains;
  for (const syntax::Fix &fix : forms)
    if (fix.chain) {
      llvm::append_range(chains[*fix.chain].edits, fix.edits);
      ++chains[*fix.chain].forms;
    }
  for (auto &[number, chain] : chains)
    llvm::sort(chain.edits, [](const syntax::Edit &a, const syntax::Edit &b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
  for (syntax::Fix &fix : forms) {
    // The strict language gives these a meaning, if not the writer's.
    if (strict && fix.standing == syntax::Standing::Reinterpreted)
      continue;
    const bool isError = strict || fix.standing == syntax::Standing::Refused;
    refused = refused || isError;
    Diagnostic diagnostic;
    diagnostic.severity = isError ? Severity::Error : Severity::Warning;
    diagnostic.range = source.rangeOf(fix.begin, fix.end);
    diagnostic.message = fix.message;
    diagnostic.rule = fix.id;
    llvm::ArrayRef<syntax::Edit> edits = fix.edits;
    if (fix.chain) {
      Chain &chain = chains[*fix.chain];
      const bool holds = ++chain.reported == 1 || chain.forms <= longChain;
      edits = holds ? llvm::ArrayRef(chain.edits)
                    : llvm::ArrayRef(edits).take_front(0);
    }
    for (const syntax::Edit &edit : edits)
      diagnostic.edits.push_back(
          {source.rangeOf(edit.begin, edit.end), edit.text});
    diagnostics.push_back(std::move(diagnostic));
    taken.push_back(std::move(fix));
  }
  // Errors are reported; what follows is checked as if the forms were right.
  return taken;
}

ReadText::ReadText(const SourceText &original, bool strict,
                   std::vector<Diagnostic> &diagnostics)
    : source(original),
      fixed(original.text(), takeForms(original, strict, diagnostics, refused)),
      read(original.file(), fixed.text()) {}

llvm::StringRef textOf(llvm::SMRange range) {
  if (!range.isValid())
    return {};
  return llvm::StringRef(range.Start.getPointer(),
                         range.End.getPointer() - range.Start.getPointer());
}

SourceRange ReadText::originalRange(llvm::SMRange range) const {
  const char *base = read.text().data();
  const syntax::ByteRange bytes = fixed.originalRange(
      range.Start.getPointer() - base, range.End.getPointer() - base);
  return source.rangeOf(bytes.begin, bytes.end);
}

SourceRange ReadText::originalRange(const SourceRange &range) const {
  std::optional<size_t> begin = read.offsetOf(range.line, range.column);
  std::optional<size_t> end = read.offsetOf(range.endLine, range.endColumn);
  if (range.file != read.file() || !begin || !end)
    return range;
  const syntax::ByteRange bytes = fixed.originalRange(*begin, *end);
  return source.rangeOf(bytes.begin, bytes.end);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The place of an argument of a block that the text does not show, which its
/// operation's parser has set.
static std::optional<mlir::Location> hiddenArgument(mlir::Location location,
                                                    const ReadText &text) {
  auto position = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  if (!position || position.getFilename() != text.text().file())
    return std::nullopt;
  const SourceRange place =
      text.originalRange(sourceRange(location, text.text()));
  return mlir::FileLineColRange::get(position.getFilename(), place.line,
                                     place.column, place.endLine,
                                     place.endColumn);
}

/// Gives every operation and block argument its place in the user's text.
static void relocate(mlir::ModuleOp module, const mlir::AsmParserState &state,
                     const ReadText &text) {
  mlir::MLIRContext *context = module.getContext();
  auto file = mlir::StringAttr::get(context, text.original().file());
  auto locationOf = [&](llvm::SMRange range) -> mlir::Location {
    const SourceRange place = text.originalRange(range);
    return mlir::FileLineColRange::get(file, place.line, place.column,
                                       place.endLine, place.endColumn);
  };
  module->setLoc(mlir::FileLineColRange::get(file, 1, 1));
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (const auto *definition = state.getOpDef(op))
      op->setLoc(locationOf(definition->loc));
    else if (op != module)
      op->setLoc(op->getParentOp()->getLoc()); // implicit terminators
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        const auto *definition = state.getBlockDef(&block);
        for (mlir::BlockArgument argument : block.getArguments()) {
          const unsigned number = argument.getArgNumber();
          if (definition && number < definition->arguments.size() &&
              definition->arguments[number].loc.isValid())
            argument.setLoc(locationOf(definition->arguments[number].loc));
          else
            argument.setLoc(
                hiddenArgument(argument.getLoc(), text).value_or(op->getLoc()));
        }
      }
  });
}

/// The only module of `block`, or a new one around everything in it.
static mlir::OwningOpRef<mlir::ModuleOp>
takeModule(mlir::Block &block, mlir::MLIRContext *context) {
  if (llvm::hasSingleElement(block))
    if (auto module = llvm::dyn_cast<mlir::ModuleOp>(&block.front())) {
      module->remove();
      return module;
    }
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  mlir::Block *body = module->getBody();
  body->getOperations().splice(body->end(), block.getOperations());
  return module;
}

namespace {
/// Finds lists in the text of `linalg` operations that MLIR's parser takes for
/// ones of the right kind without looking, and does not survive if they are
/// not.
class ListChecker {
public:
  explicit ListChecker(llvm::StringRef text)
      : text(text), tokens(syntax::tokenize(text, /*withComments=*/false)) {}

  std::optional<TextProblem> find() const;

private:
  llvm::StringRef spelling(size_t index) const {
    return index < tokens.size()
               ? text.slice(tokens[index].begin, tokens[index].end)
               : llvm::StringRef();
  }
  size_t offset(size_t index) const {
    return index < tokens.size() ? tokens[index].begin : text.size();
  }
  /// The first token of the list from `open` on that is neither an element of
  /// kind `kind` nor between two; absent when there is none.
  std::optional<size_t> wrongToken(size_t open, syntax::TokenKind kind) const;

  llvm::StringRef text;
  std::vector<syntax::Token> tokens;
};
} // namespace

std::optional<size_t> ListChecker::wrongToken(size_t open,
                                              syntax::TokenKind kind) const {
  if (spelling(open) != "[")
    return open;
  if (spelling(open + 1) == "]")
    return std::nullopt;
  size_t at = open;
  do {
    ++at; // the bracket or a comma
    if (kind == syntax::TokenKind::Integer && spelling(at) == "-")
      ++at;
    if (at >= tokens.size() || tokens[at].kind != kind)
      return at;
    ++at;
  } while (spelling(at) == ",");
  return spelling(at) == "]" ? std::nullopt : std::optional(at);
}

std::optional<TextProblem> ListChecker::find() const {
  bool inCustomGeneric = false;
  for (size_t i = 1; i < tokens.size(); ++i) {
    const llvm::StringRef name = spelling(i);
    if (name == "linalg.generic")
      inCustomGeneric = true;
    else if (name == "\"linalg.generic\"")
      inCustomGeneric = false;
    if (spelling(i + 1) != "=")
      continue;
    // Behind the operands: `outs(...) permutation = [1, 0]`. In a dictionary an
    // attribute of the same name may be anything.
    if ((name == "permutation" || name == "dimensions") &&
        spelling(i - 1) == ")")
      if (auto wrong = wrongToken(i + 2, syntax::TokenKind::Integer))
        return TextProblem{offset(*wrong),
                           "expected a list of integers, as '[1, 0]'"};
    if (name == "iterator_types" && inCustomGeneric && spelling(i + 2) == "[")
      if (auto wrong = wrongToken(i + 2, syntax::TokenKind::String))
        return TextProblem{
            offset(*wrong),
            "expected a list of strings, as '[\"parallel\", \"reduction\"]'"};
  }
  return std::nullopt;
}

mlir::OwningOpRef<mlir::ModuleOp>
parseUnverified(const ReadText &text, mlir::AsmParserState &state,
                mlir::MLIRContext &context, DiagnosticCollector &collector) {
  const SourceText &source = text.text();
  std::optional<TextProblem> problem = findUnreadableByte(source.text());
  if (!problem)
    problem = findExcessiveNesting(source.text());
  if (!problem)
    problem = ListChecker(source.text()).find();
  if (problem) {
    Diagnostic diagnostic = plainError(std::move(problem->message));
    const size_t end =
        std::max(source.tokenEnd(problem->offset), problem->offset + 1);
    diagnostic.range = text.originalRange(
        source.rangeOf(problem->offset, std::min(end, source.text().size())));
    collector.add(std::move(diagnostic));
    return {};
  }
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.text(), source.file()),
      llvm::SMLoc());
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  mlir::Block block;
  {
    // Until operations have places of the user's text, positions are those of
    // the text that is read.
    DiagnosticCollector::ReadingScope reading(collector, text);
    if (mlir::failed(mlir::parseAsmSourceFile(manager, &block, config, &state)))
      return {};
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = takeModule(block, &context);
  relocate(*module, state, text);
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> parseSource(const ReadText &text,
                                              mlir::AsmParserState &state,
                                              mlir::MLIRContext &context,
                                              DiagnosticCollector &collector) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseUnverified(text, state, context, collector);
  if (module && mlir::failed(mlir::verify(*module)))
    return {};
  return module;
}

bool isLegal(mlir::ModuleOp module, bool strict, const DeviceSource &source) {
  ktdp::LegalityOptions options;
  options.strict = strict;
  mlir::FailureOr<Device> device = findDevice(module, "", source);
  if (mlir::failed(device))
    return false;
  if (!device->hasOpenCoreCount())
    options.maxTiles = device->getNumCores();
  return mlir::succeeded(ktdp::checkLegality(module, options));
}

} // namespace ktir
