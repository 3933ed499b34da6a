//===- Placement.cpp - How deliveries split and join values ---------------===//

#include "ktir/Dialect/Ktdp/Placement.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ktir::ktdp {

PlacementDimensions getPlacementDimensions(DeliveryOpInterface delivery) {
  PlacementDimensions dimensions;
  llvm::TypeSwitch<Operation *>(delivery.getOperation())
      .Case([&](InterTileReduceScatterOp op) {
        dimensions.split = op.getScatterDimensions();
        dimensions.splitName = "scatter_dimensions";
      })
      .Case([&](InterTileScatterOp op) {
        dimensions.split = op.getScatterDimensions();
        dimensions.splitName = "scatter_dimensions";
      })
      .Case([&](InterTileGatherOp op) {
        dimensions.concat = op.getGatherDimensions();
        dimensions.concatName = "gather_dimensions";
      })
      .Case([&](InterTileAllToAllOp op) {
        dimensions.split = op.getSplitDimensions();
        dimensions.splitName = "split_dimensions";
        dimensions.concat = op.getConcatDimensions();
        dimensions.concatName = "concat_dimensions";
      })
      .Default([](Operation *) {});
  return dimensions;
}

/// PL-1.
static LogicalResult verifyList(Operation *op, StringRef name,
                                ArrayRef<int64_t> list, int64_t rank) {
  if (name.empty())
    return success();
  if (list.empty())
    return op->emitOpError()
           << "expected at least one dimension in `" << name << "`";
  for (auto [index, dimension] : llvm::enumerate(list)) {
    if (dimension < 0 || dimension >= rank)
      return op->emitOpError() << "expected dimensions from 0 to " << rank - 1
                               << " in `" << name << "`, but got " << dimension;
    if (index > 0 && dimension <= list[index - 1])
      return op->emitOpError()
             << "expected ascending dimensions in `" << name << "`, but got "
             << dimension << " after " << list[index - 1];
  }
  return success();
}

LogicalResult verifyPlacement(Operation *op,
                              const PlacementDimensions &dimensions,
                              RankedTensorType partial, RankedTensorType result,
                              unsigned role) {
  if (partial.getRank() != result.getRank()) // PL-2
    return op->emitOpError()
           << "result #" << role << " has rank " << result.getRank()
           << ", but its partial has rank " << partial.getRank();
  if (partial.getElementType() != result.getElementType())
    return op->emitOpError()
           << "result #" << role << " has element type "
           << result.getElementType() << ", but its partial has "
           << partial.getElementType();
  if (verifyList(op, dimensions.splitName, dimensions.split, partial.getRank())
          .failed() ||
      verifyList(op, dimensions.concatName, dimensions.concat,
                 partial.getRank())
          .failed())
    return failure();
  for (int64_t d = 0; d < partial.getRank(); ++d) {
    const int64_t from = partial.getDimSize(d), to = result.getDimSize(d);
    const bool isSplit = llvm::is_contained(dimensions.split, d);
    const bool isJoined = llvm::is_contained(dimensions.concat, d);
    if (ShapedType::isDynamic(from) || ShapedType::isDynamic(to)) {
      if (from != to && !isSplit && !isJoined)
        return op->emitOpError()
               << "result #" << role << " must keep dimension " << d
               << " of its partial";
      continue;
    }
    if (isSplit && isJoined)
      continue; // Which factors, only the numbers of tiles tell.
    if (isSplit && (to == 0 ? from != 0 : from % to != 0)) // R9
      return op->emitOpError()
             << "result #" << role << " has extent " << to << " in dimension "
             << d << ", which does not divide the " << from
             << " of its partial (R9)";
    if (isJoined && (from == 0 ? to != 0 : to % from != 0)) // R12
      return op->emitOpError()
             << "result #" << role << " has extent " << to << " in dimension "
             << d << ", which is no multiple of the " << from
             << " of its partial (R12)";
    if (!isSplit && !isJoined && from != to)
      return op->emitOpError()
             << "result #" << role << " has extent " << to << " in dimension "
             << d << ", which must stay at the " << from << " of its partial";
  }
  return success();
}

namespace {
/// Factors of the dimensions that are both split and joined, chosen one
/// dimension after the other.
struct Choice {
  SmallVector<int64_t, 4> split, concat;
  int64_t splitLeft, concatLeft;
};
} // namespace

/// More choices than this are not tried; real shapes have a handful.
static constexpr size_t kMostChoices = 256;

/// Appends to `next` what `choice` becomes with each pair of factors that
/// dimension `from` -> `to` allows.
static void extend(const Choice &choice, int64_t from, int64_t to,
                   SmallVectorImpl<Choice> &next) {
  for (int64_t split = 1; split <= choice.splitLeft; ++split) {
    if (choice.splitLeft % split || from % split)
      continue;
    const int64_t share = from / split;
    if (share == 0 ? to != 0 : to % share != 0)
      continue;
    const int64_t concat = share == 0 ? 1 : to / share;
    if (concat == 0 || choice.concatLeft % concat)
      continue;
    Choice longer = choice;
    longer.split.push_back(split);
    longer.concat.push_back(concat);
    longer.splitLeft /= split;
    longer.concatLeft /= concat;
    next.push_back(std::move(longer));
    if (next.size() > kMostChoices)
      return;
  }
}

PlacementProblem findPlacementFactors(const PlacementDimensions &dimensions,
                                      RankedTensorType partial,
                                      RankedTensorType result,
                                      int64_t producers, int64_t consumers,
                                      PlacementFactors &factors) {
  int64_t splitLeft = consumers, concatLeft = producers;
  SmallVector<int64_t, 4> shared;
  auto isShared = [&](int64_t d) {
    return llvm::is_contained(dimensions.split, d) &&
           llvm::is_contained(dimensions.concat, d);
  };
  auto extents = [&](int64_t d) {
    return std::pair(partial.getDimSize(d), result.getDimSize(d));
  };
  for (ArrayRef<int64_t> list : {dimensions.split, dimensions.concat})
    for (int64_t d : list)
      if (ShapedType::isDynamic(extents(d).first) ||
          ShapedType::isDynamic(extents(d).second))
        return PlacementProblem::Dynamic;

  // A dimension of one list only has its factor from the types. An extent of
  // zero fits any factor and takes 1.
  auto take = [](int64_t large, int64_t small, int64_t &left) -> int64_t {
    const int64_t factor = small == 0 ? 1 : large / small;
    if (factor == 0 || left % factor)
      return 0;
    left /= factor;
    return factor;
  };
  for (int64_t d : dimensions.split) {
    auto [from, to] = extents(d);
    if (isShared(d))
      shared.push_back(d);
    else if (!take(from, to, splitLeft))
      return PlacementProblem::Split;
  }
  for (int64_t d : dimensions.concat)
    if (auto [from, to] = extents(d);
        !isShared(d) && !take(to, from, concatLeft))
      return PlacementProblem::Concat;

  SmallVector<Choice> choices = {{{}, {}, splitLeft, concatLeft}};
  for (int64_t d : shared) {
    auto [from, to] = extents(d);
    SmallVector<Choice> next;
    for (const Choice &choice : choices) {
      extend(choice, from, to, next);
      if (next.size() > kMostChoices)
        return PlacementProblem::Ambiguous;
    }
    choices = std::move(next);
  }
  const Choice *chosen = nullptr;
  for (const Choice &choice : choices) {
    if (choice.splitLeft != 1 || choice.concatLeft != 1)
      continue;
    if (chosen)
      return PlacementProblem::Ambiguous;
    chosen = &choice;
  }
  if (!chosen) {
    if (!dimensions.split.empty() && splitLeft != 1)
      return PlacementProblem::Split;
    return dimensions.concat.empty() ? PlacementProblem::Split
                                     : PlacementProblem::Concat;
  }

  factors = {};
  for (int64_t d : dimensions.split) {
    auto [from, to] = extents(d);
    const auto *found = llvm::find(shared, d);
    factors.split.push_back(found != shared.end()
                                ? chosen->split[found - shared.begin()]
                            : to == 0 ? 1
                                      : from / to);
  }
  for (int64_t d : dimensions.concat) {
    auto [from, to] = extents(d);
    const auto *found = llvm::find(shared, d);
    factors.concat.push_back(found != shared.end()
                                 ? chosen->concat[found - shared.begin()]
                             : from == 0 ? 1
                                         : to / from);
  }
  return PlacementProblem::None;
}

} // namespace ktir::ktdp
