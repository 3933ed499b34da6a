//===- LanguageHover.cpp - What a name stands for, in words ---------------===//

#include "LanguageImpl.h"
#include "Reference.h"
#include "ValueTexts.h"

#include "llvm/ADT/StringExtras.h"

namespace ktir {

template <typename T> static std::string printed(T entity) {
  std::string text;
  llvm::raw_string_ostream(text) << entity;
  // Constants can be of any size.
  constexpr size_t longest = 2000;
  if (text.size() > longest) {
    text.resize(longest);
    text += "…";
  }
  return text;
}

static std::string codeBlock(const std::string &code) {
  return "```mlir\n" + code + "\n```";
}

static void addParagraph(std::string &text, const std::string &paragraph) {
  if (paragraph.empty())
    return;
  text += (text.empty() ? "" : "\n\n") + paragraph;
}

/// Characters that Markdown would take for marks.
static std::string plainText(const std::string &words) {
  std::string text;
  for (char c : words) {
    if (llvm::StringRef("*_<>[]\\").contains(c))
      text += '\\';
    text += c;
  }
  return text;
}

/// A sentence: the first letter upper case, a full stop.
static std::string sentence(const std::string &words) {
  if (words.empty())
    return {};
  std::string text = plainText(words) + ".";
  text[0] = llvm::toUpper(text[0]);
  return text;
}

std::string referenceText(llvm::StringRef name) {
  const ReferenceEntry *entry = findReference(name);
  if (!entry)
    return {};
  std::string text;
  addParagraph(text, "`" + name.str() + "`: " + entry->summary.str());
  addParagraph(text, entry->description.str());
  return text;
}

/// `ktdp.load`: reads …
static std::string operationLine(mlir::Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  const ReferenceEntry *entry = findReference(name);
  return "`" + name.str() + "`" +
         (entry ? ": " + entry->summary.str() : std::string());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string extents(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : " × ") +
            (extent < 0 ? std::string("?") : std::to_string(extent));
  return text;
}

static const KernelInfo *kernelOf(mlir::Operation *op,
                                  const ParsedText &parsed) {
  auto name = op->getAttrOfType<mlir::StringAttr>("sym_name");
  for (const KernelInfo &kernel : parsed.kernels)
    if (name && kernel.name == name.getValue())
      return &kernel;
  return nullptr;
}

static std::string kernelWords(const KernelInfo &kernel) {
  int64_t tiles = 1;
  for (int64_t extent : kernel.grid)
    tiles *= extent;
  std::string words = "kernel on a grid of " + extents(kernel.grid) +
                      (tiles == 1 ? " tile" : " tiles");
  return words;
}

/// What the kernel does with one of its arguments.
static std::string argumentWords(const ArgumentInfo &argument) {
  switch (argument.role) {
  case ArgumentInfo::Role::Unused:
    return "never read";
  case ArgumentInfo::Role::Scalar:
    return "a scalar";
  case ArgumentInfo::Role::Tensor:
    break;
  }
  std::string words = "base of ";
  if (argument.dtype.empty())
    words += "a tensor";
  else
    words += "a view of " + extents(argument.shape) +
             (argument.shape.empty() ? "" : " ") + argument.dtype;
  switch (argument.access) {
  case ArgumentInfo::Access::None:
    break;
  case ArgumentInfo::Access::Read:
    return words + ", read";
  case ArgumentInfo::Access::Write:
    return words + ", written";
  case ArgumentInfo::Access::ReadWrite:
    return words + ", read and written";
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether a text speaks of the tile's id by its letter.
static bool namesTileId(llvm::StringRef words) {
  for (size_t at = words.find('t'); at != llvm::StringRef::npos;
       at = words.find('t', at + 1)) {
    const bool startsWord = at == 0 || !llvm::isAlpha(words[at - 1]);
    const bool endsWord =
        at + 1 == words.size() ||
        !(llvm::isAlnum(words[at + 1]) || words[at + 1] == '_');
    const bool isName = at > 0 && words[at - 1] == '%';
    if (startsWord && endsWord && !isName)
      return true;
  }
  return false;
}

static std::string valueText(mlir::Value value, const std::string &name,
                             const ParsedText &parsed) {
  std::string text = codeBlock(name + " : " + printed(value.getType()));
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  mlir::Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (parsed.isVerified) {
    const std::string words = ValueTexts(*parsed.index).describe(value);
    addParagraph(text, sentence(words));
    if (namesTileId(words) && words.find("`t`") == std::string::npos)
      addParagraph(text, "`t` is the id of the executing tile.");
    const KernelInfo *kernel = argument ? kernelOf(op, parsed) : nullptr;
    if (kernel && argument.getArgNumber() < kernel->arguments.size())
      addParagraph(text, sentence(argumentWords(
                             kernel->arguments[argument.getArgNumber()])));
  }
  addParagraph(text, argument ? "Argument of `" +
                                    op->getName().getStringRef().str() + "`"
                              : operationLine(op));
  return text;
}

static std::string operationText(mlir::Operation *op,
                                 const ParsedText &parsed) {
  const std::string name = op->getName().getStringRef().str();
  std::string text = referenceText(name);
  if (text.empty())
    text = "`" + name + "`";
  if (parsed.isVerified)
    addParagraph(text, sentence(ValueTexts(*parsed.index).describe(op)));
  std::string results;
  for (mlir::Value result : op->getResults()) {
    const std::string own = parsed.index->nameOf(result);
    results += (results.empty() ? "" : "\n") +
               (own.empty() ? "" : own + " : ") + printed(result.getType());
  }
  if (!results.empty())
    addParagraph(text, codeBlock(results));
  return text;
}

static std::string symbolText(const Entity &entity, const ParsedText &parsed) {
  std::string text =
      codeBlock(entity.op->getName().getStringRef().str() + " " + entity.name);
  const KernelInfo *kernel = kernelOf(entity.op, parsed);
  if (!kernel)
    return text;
  addParagraph(text, sentence(kernelWords(*kernel)));
  std::string arguments;
  for (const ArgumentInfo &argument : kernel->arguments)
    arguments += (arguments.empty() ? "" : "\n") + ("- `%" + argument.name) +
                 "`: " + argument.type + ", " +
                 plainText(argumentWords(argument));
  addParagraph(text, arguments);
  return text;
}

std::string hoverText(const Entity &entity, llvm::StringRef spelling,
                      const ParsedText &parsed) {
  switch (entity.kind) {
  case Entity::Kind::Result: {
    mlir::Value value = entity.value;
    unsigned number = 0;
    const llvm::StringRef digits = spelling.split('#').second;
    const bool isNumbered = !digits.empty() && !digits.getAsInteger(10, number);
    if (isNumbered && number < entity.count)
      value = value.getDefiningOp()->getResult(
          llvm::cast<mlir::OpResult>(value).getResultNumber() + number);
    std::string name = parsed.index->nameOf(value);
    return valueText(value, name.empty() ? entity.name : name, parsed);
  }
  case Entity::Kind::Argument:
    return valueText(entity.value, entity.name, parsed);
  case Entity::Kind::Operation:
    return operationText(entity.op, parsed);
  case Entity::Kind::Symbol:
    return symbolText(entity, parsed);
  case Entity::Kind::Block:
    return codeBlock(entity.name) + "\n\nBlock of `" +
           entity.op->getName().getStringRef().str() + "`";
  case Entity::Kind::Alias:
    if (entity.attribute)
      return codeBlock(entity.name + " = " + printed(entity.attribute));
    if (entity.type)
      return codeBlock(entity.name + " = " + printed(entity.type));
    return codeBlock(entity.name);
  }
  return {};
}

} // namespace ktir
