//===- Captures.cpp - Values that a launch shows --------------------------===//

#include "Captures.h"

#include "Context.h"
#include "Diagnostics.h"
#include "LanguageIndex.h"

#include "ktir/Exec/Numerics/Float16.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace ktir {

//===----------------------------------------------------------------------===//
// From names to values
//===----------------------------------------------------------------------===//

namespace {
/// The names of the text, read anew: only a launch that shows values needs
/// them.
class NamedValues {
public:
  NamedValues(const SourceText &source, const std::string &kernel)
      : source(source), kernel(kernel),
        collector(&processContext(), source, ignored),
        read(source, /*strict=*/false, ignored),
        module(parseUnverified(read, state, processContext(), collector)) {
    if (module)
      index.emplace(read, state, *module);
  }

  /// The value that `asked` means and its name; null after an error.
  mlir::Value find(const Capture &asked, ResolvedCapture &found,
                   std::vector<Diagnostic> &problems) const;

private:
  mlir::Value findByName(llvm::StringRef name, ResolvedCapture &found,
                         std::vector<Diagnostic> &problems) const;
  mlir::Value findAt(unsigned line, unsigned column, ResolvedCapture &found,
                     std::vector<Diagnostic> &problems) const;
  /// Value `number` of those that `entity` names.
  mlir::Value take(const Entity &entity, unsigned number,
                   ResolvedCapture &found) const;
  bool isInKernel(const Entity &entity) const {
    auto function = llvm::dyn_cast<mlir::func::FuncOp>(entity.op);
    if (!function)
      function = entity.op->getParentOfType<mlir::func::FuncOp>();
    return function && function.getSymName() == kernel;
  }

  const SourceText &source;
  const std::string &kernel;
  std::vector<Diagnostic> ignored;
  DiagnosticCollector collector;
  ReadText read;
  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<LanguageIndex> index;
};
} // namespace

mlir::Value NamedValues::take(const Entity &entity, unsigned number,
                              ResolvedCapture &found) const {
  mlir::Value value = entity.value;
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value))
    value = result.getOwner()->getResult(result.getResultNumber() + number);
  found.name = index->nameOf(value);
  if (!entity.occurrences.empty()) {
    const syntax::ByteRange range =
        index->occurrences()[entity.occurrences.front()].range;
    found.range = source.rangeOf(range.begin, range.end);
  }
  llvm::raw_string_ostream(found.type) << value.getType();
  return value;
}

mlir::Value NamedValues::findByName(llvm::StringRef name,
                                    ResolvedCapture &found,
                                    std::vector<Diagnostic> &problems) const {
  auto [base, digits] = name.split('#');
  const std::string spelled = ("%" + base.ltrim('%')).str();
  unsigned number = 0;
  if (!digits.empty() && digits.getAsInteger(10, number)) {
    problems.push_back(plainError("expected the number of a result after '#' "
                                  "in '" +
                                  name.str() + "'"));
    return {};
  }
  // Of the kernel, or else of the functions that it may call.
  std::vector<const Entity *> inKernel, elsewhere;
  std::vector<std::string> names;
  for (const Entity &entity : index->entities()) {
    if (!entity.value)
      continue;
    const bool isHere = isInKernel(entity);
    if (isHere)
      names.push_back(entity.name);
    if (entity.name == spelled)
      (isHere ? inKernel : elsewhere).push_back(&entity);
  }
  const std::vector<const Entity *> &matches =
      inKernel.empty() ? elsewhere : inKernel;
  if (matches.empty()) {
    std::string message =
        "there is no value '" + spelled + "' in kernel '" + kernel + "'";
    if (std::optional<std::string> near = nearestName(spelled, names))
      message += "; did you mean '" + *near + "'?";
    problems.push_back(plainError(message));
    return {};
  }
  if (number >= matches.front()->count) {
    problems.push_back(plainError(
        "'" + spelled + "' has " + std::to_string(matches.front()->count) +
        " results, expected a number below that after '#', found " +
        std::to_string(number)));
    return {};
  }
  if (matches.size() == 1)
    return take(*matches.front(), number, found);
  // Regions beside each other may give one name several meanings.
  Diagnostic problem;
  std::vector<std::string> places;
  for (const Entity *match : matches) {
    ResolvedCapture one;
    take(*match, 0, one);
    places.push_back(std::to_string(one.range.line) + ":" +
                     std::to_string(one.range.column));
    problem.notes.push_back({one.range, "defined here"});
  }
  problem.message =
      "'" + spelled + "' is the name of " + std::to_string(matches.size()) +
      " values; name one by its line and column: " + llvm::join(places, ", ");
  problems.push_back(std::move(problem));
  return {};
}

mlir::Value NamedValues::findAt(unsigned line, unsigned column,
                                ResolvedCapture &found,
                                std::vector<Diagnostic> &problems) const {
  std::optional<size_t> offset = source.offsetOf(line, column);
  const Occurrence *occurrence = offset ? index->find(*offset) : nullptr;
  if (!occurrence || !index->entities()[occurrence->entity].value) {
    problems.push_back(plainError("there is no name of a value at line " +
                                  std::to_string(line) + ", column " +
                                  std::to_string(column)));
    return {};
  }
  const Entity &entity = index->entities()[occurrence->entity];
  unsigned number = 0;
  llvm::StringRef(source.text())
      .slice(occurrence->range.begin, occurrence->range.end)
      .split('#')
      .second.getAsInteger(10, number);
  return take(entity, std::min(number, entity.count - 1), found);
}

mlir::Value NamedValues::find(const Capture &asked, ResolvedCapture &found,
                              std::vector<Diagnostic> &problems) const {
  if (!index) {
    problems.push_back(plainError("the text cannot be read"));
    return {};
  }
  return asked.name.empty() ? findAt(asked.line, asked.column, found, problems)
                            : findByName(asked.name, found, problems);
}

/// The values of `module` that stand where `value` stands in the module of the
/// text.
static llvm::SmallVector<mlir::Value> correspondingValues(mlir::Value value,
                                                          mlir::ModuleOp to) {
  llvm::SmallVector<mlir::Value> values;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  mlir::Operation *like =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  unsigned region = 0, block = 0;
  if (argument) {
    region = argument.getOwner()->getParent()->getRegionNumber();
    block = std::distance(argument.getOwner()->getParent()->begin(),
                          argument.getOwner()->getIterator());
  }
  to.walk([&](mlir::Operation *op) {
    if (op->getLoc() != like->getLoc() || op->getName() != like->getName())
      return;
    if (!argument) {
      const unsigned number =
          llvm::cast<mlir::OpResult>(value).getResultNumber();
      if (number < op->getNumResults())
        values.push_back(op->getResult(number));
      return;
    }
    if (region >= op->getNumRegions() ||
        block >= op->getRegion(region).getBlocks().size())
      return;
    mlir::Block &owner = *std::next(op->getRegion(region).begin(), block);
    if (argument.getArgNumber() < owner.getNumArguments())
      values.push_back(owner.getArgument(argument.getArgNumber()));
  });
  return values;
}

std::vector<ResolvedCapture>
resolveCaptures(const std::vector<Capture> &asked, const SourceText &source,
                mlir::ModuleOp module, const std::string &kernel, Level level,
                std::vector<exec::Probe> &probes,
                std::vector<Diagnostic> &problems) {
  std::vector<ResolvedCapture> captures;
  if (asked.empty())
    return captures;
  const NamedValues names(source, kernel);
  for (const Capture &one : asked) {
    ResolvedCapture capture;
    capture.request.probe = captures.size();
    capture.request.execution = one.execution;
    if (one.execution == uint64_t(0))
      problems.push_back(plainError("executions are counted from 1, found 0"));
    if (level == Level::Dataflow) {
      capture.request.unit = one.instance;
      capture.instance = one.instance.empty() ? "host" : one.instance;
    } else {
      if (!one.instance.empty() &&
          llvm::StringRef(one.instance).getAsInteger(10, capture.request.tile))
        problems.push_back(plainError("expected the number of a tile, found '" +
                                      one.instance + "'"));
      capture.instance = "tile " + std::to_string(capture.request.tile);
    }
    if (mlir::Value value = names.find(one, capture, problems)) {
      const auto values = correspondingValues(value, module);
      for (mlir::Value there : values)
        probes.push_back({there, capture.request.probe});
      if (values.empty()) {
        Diagnostic problem = plainError(
            "'" + capture.name + "' is no value of the program at level '" +
            toString(level) + "' any more");
        problem.range = capture.range;
        problems.push_back(std::move(problem));
      }
    }
    captures.push_back(std::move(capture));
  }
  return captures;
}

void checkCaptures(const std::vector<ResolvedCapture> &captures,
                   const exec::Program &program,
                   std::vector<Diagnostic> &problems) {
  const std::vector<std::string> units = program.units();
  for (const ResolvedCapture &capture : captures) {
    auto fail = [&](const std::string &message) {
      problems.push_back(plainError(message));
      problems.back().range = capture.range;
    };
    if (!program.isProbed(capture.request.probe))
      fail("'" + capture.name +
           "' has no value to show: it is not reached, is computed element by "
           "element inside another operation, or has the type '" +
           capture.type + "', which has no run-time form");
    const unsigned tile = capture.request.tile;
    if (program.tiles() && tile >= program.tiles())
      problems.push_back(plainError(
          "the kernel runs on " + counted(program.tiles(), "tile") +
          ", expected a number below that, found " + std::to_string(tile)));
    const std::string &unit = capture.request.unit;
    if (!unit.empty() && !llvm::is_contained(units, unit)) {
      std::string message = "there is no unit '" + unit + "'";
      if (std::optional<std::string> near = nearestName(unit, units))
        message += "; did you mean '" + *near + "'?";
      problems.push_back(plainError(message));
    }
  }
}

//===----------------------------------------------------------------------===//
// From the engine's form to the host's
//===----------------------------------------------------------------------===//

/// Name of `type` as an element type of the host; empty when it has none.
static std::string hostDtype(mlir::Type type, numerics::DType element) {
  using numerics::DType;
  if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
    type = shaped.getElementType();
  std::string printed;
  llvm::raw_string_ostream(printed) << type;
  if (dtypeBytes(printed))
    return printed;
  switch (element) {
  case DType::I1:
    return "i1";
  case DType::I4:
  case DType::I8:
    return "i8";
  case DType::I16:
    return "i16";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  case DType::F16:
  case DType::DF16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::F64:
    return "f64";
  case DType::F16Pair:
  case DType::DF16Pair:
  case DType::F32Pair:
    return "";
  }
  return "";
}

static std::optional<Tensor> hostTensor(const exec::CapturedValue &value,
                                        Numerics numerics) {
  using numerics::DType;
  if (!value.element)
    return std::nullopt;
  const DType element = *value.element;
  Tensor tensor;
  tensor.dtype = hostDtype(value.type, element);
  if (tensor.dtype.empty())
    return std::nullopt;
  tensor.shape.assign(value.shape.begin(), value.shape.end());
  tensor.data = value.data;
  if (value.kind == exec::CapturedValue::Kind::Scalar)
    tensor.data.resize(dtypeBytes(tensor.dtype)); // a little-endian slot
  if (element == DType::I4)
    for (uint8_t &byte : tensor.data)
      byte = uint8_t(int8_t(byte << 4) >> 4);
  if (element == DType::DF16 ||
      (element == DType::F16 && numerics == Numerics::Device)) {
    std::vector<uint16_t> codes(tensor.data.size() / 2);
    std::memcpy(codes.data(), tensor.data.data(), tensor.data.size());
    ktir::numerics::dl16ToHalf(codes.data(), codes.data(), codes.size());
    std::memcpy(tensor.data.data(), codes.data(), tensor.data.size());
  }
  return tensor;
}

CapturedValue hostValue(const ResolvedCapture &capture,
                        const exec::CapturedValue &value, Numerics numerics) {
  using Kind = exec::CapturedValue::Kind;
  CapturedValue result;
  result.name = capture.name;
  result.range = capture.range;
  result.type = capture.type;
  result.instance = capture.instance;
  result.executions = value.executions;
  switch (value.kind) {
  case Kind::None:
    result.text = "never defined";
    if (value.executions)
      result.text =
          (value.executions == 1
               ? std::string("defined once")
               : "defined " + std::to_string(value.executions) + " times") +
          ", not as often as asked for";
    break;
  case Kind::Scalar:
  case Kind::Tensor:
    result.tensor = hostTensor(value, numerics);
    if (!result.tensor)
      result.text = "elements of a type that the host has not";
    break;
  case Kind::Undefined:
    result.text = "undefined elements, which nothing has written";
    break;
  case Kind::ForOthers:
    result.text = "what a delivery gives a tile that it does not serve";
    break;
  case Kind::Words:
    result.text = value.words;
    break;
  }
  return result;
}

} // namespace ktir
