//===- KtdfArchDialect.cpp - The ktdf_arch dialect, types, attributes -----===//

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ktir::ktdf_arch;

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ktir/Dialect/KtdfArch/KtdfArchTypes.cpp.inc"

void KtdfArchDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ktir/Dialect/KtdfArch/KtdfArchAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ktir/Dialect/KtdfArch/KtdfArchTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ktir/Dialect/KtdfArch/KtdfArchOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Imports
//===----------------------------------------------------------------------===//

/// `./a.mlir` and `a.mlir` are the same file.
static StringRef getPlainPath(StringRef path) {
  return llvm::sys::path::remove_leading_dotslash(path);
}

void KtdfArchDialect::registerDeviceSource(StringRef path, StringRef text) {
  deviceSources[getPlainPath(path)] = text.str();
  ++sourceVersion;
}

bool KtdfArchDialect::hasDeviceSource(StringRef path) const {
  return deviceSources.contains(getPlainPath(path));
}

void KtdfArchDialect::setDeviceFileReader(FileReader reader) {
  deviceFileReader = std::move(reader);
}

std::optional<std::pair<std::string, std::string>>
KtdfArchDialect::readDeviceSource(StringRef path, StringRef importer) const {
  StringRef plain = getPlainPath(path);
  if (auto it = deviceSources.find(plain); it != deviceSources.end())
    return std::make_pair(it->second, plain.str());
  if (!deviceFileReader)
    return std::nullopt;
  llvm::SmallString<128> full;
  bool isStandardInput =
      importer.empty() || importer == "-" || importer == "<stdin>";
  if (!isStandardInput && !llvm::sys::path::is_absolute(path))
    full = llvm::sys::path::parent_path(importer);
  llvm::sys::path::append(full, path);
  if (std::optional<std::string> text = deviceFileReader(full))
    return std::make_pair(std::move(*text), std::string(full));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// MapAttr
//===----------------------------------------------------------------------===//

Attribute MapAttr::lookup(Attribute key) const {
  for (auto [entry, value] : llvm::zip_equal(getKeys(), getValues()))
    if (entry == key)
      return value;
  return {};
}

LogicalResult MapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<Attribute> keys,
                              ArrayRef<Attribute> values) {
  if (keys.size() != values.size())
    return emitError() << "expected as many map values as keys, got "
                       << values.size() << " and " << keys.size();
  llvm::SmallDenseSet<Attribute> seen;
  for (Attribute key : keys)
    if (!seen.insert(key).second)
      return emitError() << "multiple entries for key " << key;
  return success();
}

Attribute MapAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Attribute> keys, values;
  auto parseEntry = [&] {
    return failure(parser.parseAttribute(keys.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseAttribute(values.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    keys, values);
}

void MapAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(
      llvm::zip_equal(getKeys(), getValues()), printer, [&](auto entry) {
        printer << std::get<0>(entry) << " = " << std::get<1>(entry);
      });
  printer << '>';
}
