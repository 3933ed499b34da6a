//===- StickGrid.cpp - Where accesses meet the sticks of memory -----------===//

#include "StickGrid.h"

#include "ktir/Dialect/Ktdp/Legality.h"
#include "ktir/Dialect/Ktdp/LinearForm.h"
#include "ktir/Dialect/Ktdp/Stick.h"
#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"
#include "ktir/Dialect/Support/IntegerSets.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace ktir::ktdp {

static constexpr int64_t stickBits = 8 * stickBytes;

/// Elements of `type` in a stick; absent where they do not fill one (§1.4).
static std::optional<int64_t> elementsPerStick(Type type) {
  const int64_t bits =
      llvm::TypeSwitch<Type, int64_t>(type)
          .Case([](IndexType) { return 64; })
          .Case([](IntegerType integer) {
            return integer.getWidth() == 1 ? 8 : integer.getWidth();
          })
          .Case([](FloatType real) { return real.getWidth(); })
          .Case([](spyreop::DF16Type) { return 16; })
          .Case<spyreop::DF16FusedType, spyreop::FP16FusedType>(
              [](Type) { return 32; })
          .Case([](spyreop::FP32FusedType) { return 64; })
          .Default([](Type) { return 0; });
  if (bits == 0 || bits > stickBits || stickBits % bits != 0)
    return std::nullopt;
  return stickBits / bits;
}

namespace {
/// Where the contiguous runs of a tile start, in elements from a stick.
struct RunStarts {
  /// Where the first one does.
  LinearForm first;
  /// The distance from one to the next along a dimension of the view.
  SmallVector<std::pair<unsigned, int64_t>> steps;
  /// Distances by which they lie apart an unknown number of times.
  SmallVector<int64_t> unknown;
};

/// Collects the starts of the runs of a tile, one dimension of its view after
/// the other.
class RunFinder {
public:
  explicit RunFinder(ConstructMemoryViewOp view) : view(view) {}

  /// False when the place of the view is not known.
  bool start();
  /// Adds subscript `form` of `dimension`, which the tile's points increase by
  /// each of `factors` (of its variables) at least once. False when the stride
  /// is not known or the sum does not fit.
  bool add(unsigned dimension, const LinearForm &form,
           ArrayRef<int64_t> factors);
  /// Adds a looked-up subscript.
  bool addLookup(unsigned dimension);
  const RunStarts &getStarts() const { return starts; }

private:
  bool isInnermost(unsigned dimension) {
    return dimension + 1 == view.getStaticStrides().size();
  }

  ConstructMemoryViewOp view;
  RunStarts starts;
};
} // namespace

bool RunFinder::start() {
  // Without a contiguous dimension there are no runs.
  ArrayRef<int64_t> strides = view.getStaticStrides();
  if (!strides.empty() && strides.back() != 1)
    return false;
  std::optional<LinearForm> offset = linearForm(view.getOffset());
  if (!offset)
    return false;
  for (auto [value, factor] : offset->terms) {
    auto argument = dyn_cast<BlockArgument>(value);
    const bool isPointer =
        argument && factor == 1 &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (!isPointer && !starts.first.add(value, factor))
      return false;
  }
  return starts.first.add(offset->constant);
}

bool RunFinder::add(unsigned dimension, const LinearForm &form,
                    ArrayRef<int64_t> factors) {
  const int64_t stride = view.getStaticStrides()[dimension];
  if (ShapedType::isDynamic(stride))
    return form.isConstant() && form.constant == 0 && factors.empty();
  // The run itself goes on along the innermost dimension.
  if (!isInnermost(dimension))
    for (int64_t factor : factors) {
      int64_t step;
      if (llvm::MulOverflow(factor, stride, step))
        return false;
      starts.steps.push_back({dimension, step});
    }
  return starts.first.add(form, stride);
}

bool RunFinder::addLookup(unsigned dimension) {
  const int64_t stride = view.getStaticStrides()[dimension];
  if (ShapedType::isDynamic(stride))
    return false;
  starts.unknown.push_back(stride);
  return true;
}

/// The smallest distance between two values that `value` surely takes in one
/// run of the program: of a tile id, or of a loop's variable. Absent where it
/// may have one value only.
static std::optional<int64_t> stepOf(Value value) {
  if (auto id = value.getDefiningOp<GetComputeTileIdOp>()) {
    auto kernel = id->getParentOfType<FunctionOpInterface>();
    auto grid = kernel ? kernel->getAttrOfType<ArrayAttr>("grid") : nullptr;
    const unsigned dimension = cast<OpResult>(value).getResultNumber();
    if (!grid || dimension >= grid.size())
      return std::nullopt;
    auto extent = dyn_cast<IntegerAttr>(grid[dimension]);
    if (!extent || extent.getValue().sle(1))
      return std::nullopt;
    return 1;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast_or_null<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : nullptr;
  if (!loop || loop.getSingleInductionVar() != value)
    return std::nullopt;
  std::optional<APInt> trips = loop.getStaticTripCount();
  std::optional<OpFoldResult> step = loop.getSingleStep();
  if (!trips || trips->ule(1) || !step)
    return std::nullopt;
  return getConstantIntValue(*step);
}

/// `message` behind what is expected of `op`, whose view has `stick` elements
/// in a stick.
static void warn(Operation *op, ConstructMemoryViewOp view, int64_t stick,
                 const Twine &message) {
  Type element = cast<MemRefType>(view.getResult().getType()).getElementType();
  InFlightDiagnostic diag =
      op->emitWarning() << "expected the contiguous runs of a tile of device "
                           "memory to start on a stick, at a multiple of "
                        << stick << " elements of " << element << ", but "
                        << message << " (KL-10)";
  diag.attachNote(view.getLoc()) << "the view with these strides";
}

/// What `value`, of which stepOf() knows a step, numbers.
static std::string successor(Value value) {
  auto coordinate = dyn_cast<OpResult>(value);
  if (!coordinate)
    return "iteration of the loop";
  if (coordinate.getOwner()->getNumResults() == 1)
    return "compute tile";
  return "compute tile along dimension " +
         std::to_string(coordinate.getResultNumber()) + " of the grid";
}

static void judge(Operation *op, ConstructMemoryViewOp view, int64_t stick,
                  const RunStarts &starts) {
  // What is not known moves a start by multiples of the known factors only.
  int64_t grid = stick;
  for (auto [value, factor] : starts.first.terms)
    grid = std::gcd(grid, factor);
  for (int64_t distance : starts.unknown)
    grid = std::gcd(grid, distance);
  if (int64_t past = llvm::mod(starts.first.constant, uint64_t(grid))) {
    if (grid == stick)
      return warn(op, view, stick,
                  "the first starts " + Twine(past) + " past one");
    return warn(op, view, stick,
                "the first starts at a multiple of " + Twine(grid) + " plus " +
                    Twine(past));
  }
  for (auto [dimension, step] : starts.steps)
    if (step % stick != 0)
      return warn(op, view, stick,
                  "they start " + Twine(step) + " apart along dimension " +
                      Twine(dimension) + " of the view");
  for (auto [value, factor] : starts.first.terms) {
    std::optional<int64_t> step = stepOf(value);
    int64_t distance;
    if (step && !llvm::MulOverflow(*step, factor, distance) &&
        distance % stick != 0)
      return warn(op, view, stick,
                  Twine("they move by ") + Twine(distance) + " from one " +
                      successor(value) + " to the next");
  }
}

namespace {
/// What both kinds of tiles need to be judged.
struct BoxOfView {
  ConstructMemoryViewOp view;
  IntegerBox box;
  int64_t stick; ///< elements of the view in a stick
};
} // namespace

/// The points `set` of a view of device memory; absent where `base` is none,
/// where there are no points or they are no box, and where elements do not fill
/// sticks.
static std::optional<BoxOfView> findBox(Value base, IntegerSet set) {
  auto view = base.getDefiningOp<ConstructMemoryViewOp>();
  if (!view || view.getMemorySpace().getKind() != MemorySpaceKind::Global)
    return std::nullopt;
  std::optional<IntegerBox> box = getAsBox(set);
  if (!box || llvm::is_contained(box->extent, 0))
    return std::nullopt;
  std::optional<int64_t> stick = elementsPerStick(
      cast<MemRefType>(view.getResult().getType()).getElementType());
  if (!stick)
    return std::nullopt;
  return BoxOfView{view, std::move(*box), *stick};
}

void warnOffStickGrid(ConstructAccessTileOp op) {
  std::optional<BoxOfView> found = findBox(op.getBase(), op.getAccessTileSet());
  if (!found)
    return;
  auto &[view, box, stick] = *found;
  RunFinder finder(view);
  if (!finder.start())
    return;
  SmallVector<SubscriptDimension> indices;
  for (Value index : op.getIndices())
    indices.push_back({index});
  // Whole rows that lie behind each other are one run.
  int64_t length = 1;
  for (unsigned d = box.extent.size(); d-- > 0;) {
    std::optional<LinearRange> range =
        linearRange(op.getBaseMap().getResult(d), indices);
    if (!range || !range->first.add(box.lower[d]))
      return;
    SmallVector<int64_t, 1> factors;
    if (box.extent[d] > 1 && view.getStaticStrides()[d] != length)
      factors.push_back(1);
    if (llvm::MulOverflow(length, box.extent[d], length) ||
        !finder.add(d, range->first, factors))
      return;
  }
  judge(op, view, stick, finder.getStarts());
}

void warnOffStickGrid(ConstructIndirectAccessTileOp op) {
  std::optional<BoxOfView> found =
      findBox(op.getBase(), op.getVariablesSpaceSet());
  if (!found)
    return;
  auto &[view, box, stick] = *found;
  RunFinder finder(view);
  if (!finder.start())
    return;
  SmallVector<SubscriptDimension> dimensions;
  for (Value captured : op.getCaptured())
    dimensions.push_back({captured});
  for (int64_t lower : box.lower)
    dimensions.push_back({Value(), lower, 1});
  for (unsigned d = 0, rank = op.getPerDimSubscriptMaps().size(); d < rank;
       ++d) {
    if (op.isIndirect(d)) {
      if (!finder.addLookup(d))
        return;
      continue;
    }
    const AffineExpr subscript = op.getSubscriptMap(d).getResult(0);
    std::optional<LinearRange> range = linearRange(subscript, dimensions);
    if (!range)
      return;
    // How far the second value of a variable moves the subscript.
    SmallVector<int64_t> factors;
    for (auto [index, extent] : llvm::enumerate(box.extent)) {
      if (extent <= 1)
        continue;
      SubscriptDimension &variable =
          dimensions[op.getCaptured().size() + index];
      variable.extent = 2;
      std::optional<LinearRange> moved = linearRange(subscript, dimensions);
      variable.extent = 1;
      if (!moved)
        return;
      const int64_t factor = moved->last.constant - moved->first.constant;
      if (factor != 0)
        factors.push_back(factor);
    }
    if (!finder.add(d, range->first, factors))
      return;
  }
  judge(op, view, stick, finder.getStarts());
}

} // namespace ktir::ktdp
