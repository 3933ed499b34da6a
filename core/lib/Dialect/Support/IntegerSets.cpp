//===- IntegerSets.cpp - Sets of integer points ---------------------------===//

#include "ktir/Dialect/Support/IntegerSets.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using ktir::IntegerBox;

namespace {

/// Most points that countPoints() is willing to try one by one.
constexpr int64_t maxTriedPoints = int64_t(1) << 20;

/// An affine expression without divisions: sum of coefficient times dimension,
/// plus a constant.
struct LinearForm {
  SmallVector<int64_t, 4> coefficients;
  int64_t constant = 0;

  explicit LinearForm(unsigned numDims) : coefficients(numDims, 0) {}

  bool isConstant() const {
    return llvm::all_of(coefficients, [](int64_t c) { return c == 0; });
  }
};

} // namespace

/// Division and remainder as affine expressions define them, for a positive
/// divisor.
static std::optional<int64_t> divideOrRemain(AffineExprKind kind, int64_t lhs,
                                             int64_t rhs) {
  if (rhs <= 0)
    return std::nullopt;
  switch (kind) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    return llvm::mod(lhs, rhs);
  }
}

/// Value of `expr` at a point; nullopt on overflow or division by a value that
/// is not positive.
static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> point,
                                       ArrayRef<int64_t> symbols) {
  // The walk is in postorder: operands are on the stack when their operator
  // comes by.
  SmallVector<int64_t, 8> stack;
  bool valid = true;
  expr.walk([&](AffineExpr e) {
    if (!valid)
      return;
    if (auto constant = llvm::dyn_cast<AffineConstantExpr>(e)) {
      stack.push_back(constant.getValue());
      return;
    }
    if (auto dim = llvm::dyn_cast<AffineDimExpr>(e)) {
      valid = dim.getPosition() < point.size();
      stack.push_back(valid ? point[dim.getPosition()] : 0);
      return;
    }
    if (auto symbol = llvm::dyn_cast<AffineSymbolExpr>(e)) {
      valid = symbol.getPosition() < symbols.size();
      stack.push_back(valid ? symbols[symbol.getPosition()] : 0);
      return;
    }
    int64_t rhs = stack.pop_back_val();
    int64_t lhs = stack.pop_back_val();
    int64_t result = 0;
    if (e.getKind() == AffineExprKind::Add) {
      valid = !llvm::AddOverflow(lhs, rhs, result);
    } else if (e.getKind() == AffineExprKind::Mul) {
      valid = !llvm::MulOverflow(lhs, rhs, result);
    } else {
      std::optional<int64_t> quotient = divideOrRemain(e.getKind(), lhs, rhs);
      valid = quotient.has_value();
      result = quotient.value_or(0);
    }
    stack.push_back(result);
  });
  if (!valid)
    return std::nullopt;
  return stack.back();
}

/// `expr` as a linear form over `numDims` dimensions; nullopt if it has
/// symbols, divides a dimension, or overflows.
static std::optional<LinearForm> getLinearForm(AffineExpr expr,
                                               unsigned numDims) {
  SmallVector<LinearForm, 8> stack;
  bool valid = true;
  expr.walk([&](AffineExpr e) {
    if (!valid)
      return;
    if (auto constant = llvm::dyn_cast<AffineConstantExpr>(e)) {
      stack.emplace_back(numDims).constant = constant.getValue();
      return;
    }
    if (auto dim = llvm::dyn_cast<AffineDimExpr>(e)) {
      stack.emplace_back(numDims).coefficients[dim.getPosition()] = 1;
      return;
    }
    if (llvm::isa<AffineSymbolExpr>(e)) {
      valid = false;
      return;
    }
    LinearForm rhs = stack.pop_back_val();
    LinearForm &lhs = stack.back();
    if (e.getKind() == AffineExprKind::Add) {
      for (auto [l, r] : llvm::zip_equal(lhs.coefficients, rhs.coefficients))
        valid &= !llvm::AddOverflow(l, r, l);
      valid &= !llvm::AddOverflow(lhs.constant, rhs.constant, lhs.constant);
      return;
    }
    if (!rhs.isConstant()) {
      if (e.getKind() != AffineExprKind::Mul || !lhs.isConstant()) {
        valid = false;
        return;
      }
      std::swap(lhs, rhs);
    }
    if (e.getKind() == AffineExprKind::Mul) {
      for (int64_t &c : lhs.coefficients)
        valid &= !llvm::MulOverflow(c, rhs.constant, c);
      valid &= !llvm::MulOverflow(lhs.constant, rhs.constant, lhs.constant);
      return;
    }
    std::optional<int64_t> quotient =
        divideOrRemain(e.getKind(), lhs.constant, rhs.constant);
    valid = lhs.isConstant() && quotient;
    lhs.constant = quotient.value_or(0);
  });
  if (!valid)
    return std::nullopt;
  return stack.back();
}

/// Bounds from the constraints over at most one dimension. `exact` is cleared
/// when there are others.
static std::optional<IntegerBox> computeBox(IntegerSet set, bool &exact) {
  if (set.getNumSymbols() != 0)
    return std::nullopt;
  constexpr int64_t unboundedBelow = std::numeric_limits<int64_t>::min();
  constexpr int64_t unboundedAbove = std::numeric_limits<int64_t>::max();
  unsigned numDims = set.getNumDims();
  SmallVector<int64_t, 4> lower(numDims, unboundedBelow);
  SmallVector<int64_t, 4> upper(numDims, unboundedAbove);
  bool empty = false;
  exact = true;

  for (auto [expr, isEquality] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    std::optional<LinearForm> form = getLinearForm(expr, numDims);
    if (!form || form->constant == unboundedBelow) {
      exact = false;
      continue;
    }
    int64_t dim = -1;
    bool single = true;
    for (auto [i, coefficient] : llvm::enumerate(form->coefficients)) {
      if (coefficient == 0)
        continue;
      single &= dim < 0 && coefficient != unboundedBelow;
      dim = i;
    }
    if (!single) {
      exact = false;
      continue;
    }
    int64_t constant = form->constant;
    if (dim < 0) {
      empty |= isEquality ? constant != 0 : constant < 0;
      continue;
    }
    int64_t coefficient = form->coefficients[dim];
    if (isEquality) {
      if (constant % coefficient != 0) {
        empty = true;
        continue;
      }
      lower[dim] = std::max(lower[dim], -constant / coefficient);
      upper[dim] = std::min(upper[dim], -constant / coefficient);
    } else if (coefficient > 0) {
      lower[dim] =
          std::max(lower[dim], llvm::divideCeilSigned(-constant, coefficient));
    } else {
      upper[dim] =
          std::min(upper[dim], llvm::divideFloorSigned(constant, -coefficient));
    }
  }

  IntegerBox box;
  for (auto [low, high] : llvm::zip_equal(lower, upper)) {
    if (low == unboundedBelow || high == unboundedAbove)
      return std::nullopt;
    int64_t extent = 0;
    if (high >= low && (llvm::SubOverflow(high, low, extent) ||
                        llvm::AddOverflow(extent, int64_t(1), extent)))
      return std::nullopt;
    box.lower.push_back(low);
    box.extent.push_back(empty ? 0 : extent);
  }
  // A contradiction between constants has no dimension to show in.
  if (empty && numDims == 0)
    return std::nullopt;
  return box;
}

std::optional<int64_t> IntegerBox::getNumPoints() const {
  int64_t product = 1;
  if (llvm::is_contained(extent, 0))
    return 0;
  for (int64_t e : extent)
    if (llvm::MulOverflow(product, e, product))
      return std::nullopt;
  return product;
}

std::optional<IntegerBox> ktir::getAsBox(IntegerSet set) {
  bool exact = false;
  std::optional<IntegerBox> box = computeBox(set, exact);
  if (!exact)
    return std::nullopt;
  return box;
}

std::optional<IntegerBox> ktir::getBoundingBox(IntegerSet set) {
  bool exact = false;
  return computeBox(set, exact);
}

bool ktir::containsPoint(IntegerSet set, ArrayRef<int64_t> point,
                         ArrayRef<int64_t> symbols) {
  for (auto [expr, isEquality] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    std::optional<int64_t> value = evaluate(expr, point, symbols);
    if (!value || (isEquality ? *value != 0 : *value < 0))
      return false;
  }
  return true;
}

std::optional<int64_t> ktir::countPoints(IntegerSet set) {
  bool exact = false;
  std::optional<IntegerBox> box = computeBox(set, exact);
  if (!box)
    return std::nullopt;
  std::optional<int64_t> numPoints = box->getNumPoints();
  if (exact || !numPoints || *numPoints == 0)
    return numPoints;
  if (*numPoints > maxTriedPoints)
    return std::nullopt;

  int64_t count = 0;
  SmallVector<int64_t, 4> point(box->lower.begin(), box->lower.end());
  for (int64_t i = 0; i < *numPoints; ++i) {
    count += containsPoint(set, point);
    // Advance to the next point, last dimension fastest.
    for (int64_t dim = point.size() - 1; dim >= 0; --dim) {
      if (++point[dim] < box->lower[dim] + box->extent[dim])
        break;
      point[dim] = box->lower[dim];
    }
  }
  return count;
}
