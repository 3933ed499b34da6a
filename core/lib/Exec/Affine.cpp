//===- Affine.cpp - Affine maps and sets, decoded -------------------------===//

#include "Affine.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace ktir::exec;
using namespace mlir;

//===----------------------------------------------------------------------===//
// CompiledExpr
//===----------------------------------------------------------------------===//

static int64_t wrapAdd(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
static int64_t wrapMul(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}

CompiledExpr CompiledExpr::get(AffineExpr expr, unsigned numDims) {
  // Postfix order without recursion: an entry is expanded when it is first
  // seen and emitted when it comes back.
  std::vector<Step> steps;
  llvm::SmallVector<std::pair<AffineExpr, bool>> stack = {{expr, false}};
  while (!stack.empty()) {
    auto [current, expanded] = stack.pop_back_val();
    if (auto value = dyn_cast<AffineConstantExpr>(current)) {
      steps.push_back({Kind::Constant, value.getValue()});
      continue;
    }
    if (auto dim = dyn_cast<AffineDimExpr>(current)) {
      steps.push_back({Kind::Input, dim.getPosition()});
      continue;
    }
    if (auto symbol = dyn_cast<AffineSymbolExpr>(current)) {
      steps.push_back({Kind::Input, symbol.getPosition() + numDims});
      continue;
    }
    auto binary = cast<AffineBinaryOpExpr>(current);
    if (!expanded) {
      stack.push_back({current, true});
      stack.push_back({binary.getRHS(), false});
      stack.push_back({binary.getLHS(), false});
      continue;
    }
    switch (current.getKind()) {
    case AffineExprKind::Add:
      steps.push_back({Kind::Add, 0});
      break;
    case AffineExprKind::Mul:
      steps.push_back({Kind::Mul, 0});
      break;
    case AffineExprKind::Mod:
      steps.push_back({Kind::Mod, 0});
      break;
    case AffineExprKind::FloorDiv:
      steps.push_back({Kind::FloorDiv, 0});
      break;
    default:
      steps.push_back({Kind::CeilDiv, 0});
      break;
    }
  }

  // Run the steps on linear forms; where that fails, keep the steps.
  struct Linear {
    int64_t constant = 0;
    llvm::SmallVector<Term, 2> terms;
  };
  CompiledExpr result;
  llvm::SmallVector<Linear> forms;
  for (const Step &step : steps) {
    if (step.kind == Kind::Constant) {
      forms.push_back({step.value, {}});
      continue;
    }
    if (step.kind == Kind::Input) {
      forms.push_back({0, {{unsigned(step.value), 1}}});
      continue;
    }
    Linear rhs = forms.pop_back_val();
    Linear &lhs = forms.back();
    if (step.kind == Kind::Add) {
      lhs.constant = wrapAdd(lhs.constant, rhs.constant);
      for (const Term &term : rhs.terms) {
        auto *same = llvm::find_if(
            lhs.terms, [&](const Term &t) { return t.input == term.input; });
        if (same == lhs.terms.end())
          lhs.terms.push_back(term);
        else
          same->factor = wrapAdd(same->factor, term.factor);
      }
      continue;
    }
    if (step.kind == Kind::Mul && (lhs.terms.empty() || rhs.terms.empty())) {
      if (!rhs.terms.empty())
        std::swap(lhs, rhs);
      lhs.constant = wrapMul(lhs.constant, rhs.constant);
      for (Term &term : lhs.terms)
        term.factor = wrapMul(term.factor, rhs.constant);
      continue;
    }
    result.code = std::move(steps);
    return result;
  }
  result.constant = forms.back().constant;
  for (const Term &term : forms.back().terms)
    if (term.factor != 0)
      result.terms.push_back(term);
  return result;
}

int64_t CompiledExpr::getFactor(unsigned input) const {
  for (const Term &term : terms)
    if (term.input == input)
      return term.factor;
  return 0;
}

std::optional<int64_t> CompiledExpr::evaluateCode(int64_t (*input)(const void *,
                                                                   unsigned),
                                                  const void *context) const {
  llvm::SmallVector<int64_t, 8> stack;
  for (const Step &step : code) {
    if (step.kind == Kind::Constant) {
      stack.push_back(step.value);
      continue;
    }
    if (step.kind == Kind::Input) {
      stack.push_back(input(context, step.value));
      continue;
    }
    int64_t rhs = stack.pop_back_val();
    int64_t &lhs = stack.back();
    if (step.kind == Kind::Add) {
      lhs = wrapAdd(lhs, rhs);
      continue;
    }
    if (step.kind == Kind::Mul) {
      lhs = wrapMul(lhs, rhs);
      continue;
    }
    if (rhs == 0)
      return std::nullopt;
    if (rhs == -1) {
      lhs = step.kind == Kind::Mod ? 0 : wrapMul(lhs, -1);
      continue;
    }
    if (step.kind == Kind::Mod)
      lhs = rhs < 0 ? lhs % rhs : llvm::mod(lhs, rhs);
    else if (step.kind == Kind::FloorDiv)
      lhs = llvm::divideFloorSigned(lhs, rhs);
    else
      lhs = llvm::divideCeilSigned(lhs, rhs);
  }
  return stack.back();
}

llvm::SmallVector<CompiledExpr, 4> ktir::exec::compileMap(AffineMap map) {
  llvm::SmallVector<CompiledExpr, 4> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(CompiledExpr::get(expr, map.getNumDims()));
  return results;
}

//===----------------------------------------------------------------------===//
// CompiledSet
//===----------------------------------------------------------------------===//

CompiledSet CompiledSet::get(IntegerSet set, AffineMap order) {
  CompiledSet result;
  result.dims = set.getNumDims();
  result.symbols = set.getNumSymbols();
  for (unsigned i = 0, e = set.getNumConstraints(); i < e; ++i) {
    Constraint constraint{CompiledExpr::get(set.getConstraint(i), result.dims),
                          set.isEq(i)};
    unsigned dimsUsed = 0;
    for (const CompiledExpr::Term &term : constraint.expr.getTerms())
      dimsUsed += term.input < result.dims;
    if (!constraint.expr.isLinear() || dimsUsed > 1)
      result.box = false;
    result.constraints.push_back(std::move(constraint));
  }
  if (!order || order.isIdentity()) {
    result.permutation.emplace(result.dims);
    std::iota(result.permutation->begin(), result.permutation->end(), 0u);
  } else if (order.isPermutation()) {
    result.permutation.emplace();
    for (AffineExpr expr : order.getResults())
      result.permutation->push_back(cast<AffineDimExpr>(expr).getPosition());
  } else {
    result.key = compileMap(order);
  }
  return result;
}

bool CompiledSet::contains(llvm::ArrayRef<int64_t> point,
                           llvm::ArrayRef<int64_t> symbolValues) const {
  return llvm::all_of(constraints, [&](const Constraint &constraint) {
    std::optional<int64_t> value = constraint.expr.evaluateOn([&](unsigned i) {
      return i < dims ? point[i] : symbolValues[i - dims];
    });
    return value && (constraint.equality ? *value == 0 : *value >= 0);
  });
}

bool CompiledSet::isOrderedBox() const {
  return box && permutation && llvm::is_sorted(*permutation);
}

std::optional<CompiledSet::Points>
CompiledSet::enumerate(llvm::ArrayRef<int64_t> symbolValues,
                       std::string &error) const {
  // Bounds within which differences still fit 64 bits.
  constexpr int64_t low = std::numeric_limits<int64_t>::min() / 4;
  constexpr int64_t high = std::numeric_limits<int64_t>::max() / 4;
  Points points;
  llvm::SmallVector<int64_t, 4> lower(dims, low), upper(dims, high);

  // Tighten the bounds of each dimension with those of the others until they
  // stay; a box needs one pass, and each dependent dimension one more.
  bool empty = false;
  for (unsigned pass = 0; pass <= dims; ++pass) {
    bool changed = false;
    for (const Constraint &constraint : constraints) {
      if (!constraint.expr.isLinear())
        continue;
      int64_t fixed = constraint.expr.getConstant();
      for (const CompiledExpr::Term &term : constraint.expr.getTerms())
        if (term.input >= dims)
          fixed = wrapAdd(
              fixed, wrapMul(term.factor, symbolValues[term.input - dims]));
      bool anyDim = false;
      for (const CompiledExpr::Term &term : constraint.expr.getTerms()) {
        if (term.input >= dims)
          continue;
        anyDim = true;
        // term.factor * d + rest >= 0, with the largest value of the rest (and
        // the smallest too, for an equality).
        int64_t most = fixed, least = fixed;
        bool mostKnown = true, leastKnown = true;
        for (const CompiledExpr::Term &other : constraint.expr.getTerms()) {
          if (other.input >= dims || other.input == term.input)
            continue;
          int64_t top =
              other.factor > 0 ? upper[other.input] : lower[other.input];
          int64_t bottom =
              other.factor > 0 ? lower[other.input] : upper[other.input];
          mostKnown &= top != low && top != high;
          leastKnown &= bottom != low && bottom != high;
          most = wrapAdd(most, wrapMul(other.factor, top));
          least = wrapAdd(least, wrapMul(other.factor, bottom));
        }
        int64_t &lo = lower[term.input], &hi = upper[term.input];
        int64_t oldLo = lo, oldHi = hi;
        if (term.factor > 0) {
          if (mostKnown)
            lo = std::max(lo, llvm::divideCeilSigned(-most, term.factor));
          if (constraint.equality && leastKnown)
            hi = std::min(hi, llvm::divideFloorSigned(-least, term.factor));
        } else {
          if (mostKnown)
            hi = std::min(hi, llvm::divideFloorSigned(most, -term.factor));
          if (constraint.equality && leastKnown)
            lo = std::max(lo, llvm::divideCeilSigned(least, -term.factor));
        }
        changed |= lo != oldLo || hi != oldHi;
      }
      if (!anyDim && (fixed < 0 || (constraint.equality && fixed != 0)))
        empty = true;
    }
    if (!changed)
      break;
  }

  int64_t tried = 1;
  for (unsigned d = 0; d < dims; ++d) {
    if (lower[d] == low || upper[d] == high) {
      error = "the set does not bound dimension " + std::to_string(d);
      return std::nullopt;
    }
    int64_t extent = empty ? 0 : std::max<int64_t>(0, upper[d] - lower[d] + 1);
    points.lower.push_back(lower[d]);
    points.extent.push_back(extent);
    if (llvm::MulOverflow(tried, extent, tried)) {
      error = "the set has too many points";
      return std::nullopt;
    }
  }

  if (box && permutation) {
    points.isBox = true;
    points.order = *permutation;
    points.count = tried;
    return points;
  }

  if (tried > maxTried) {
    error = "the set is no box and lies within " + std::to_string(tried) +
            " points, more than the " + std::to_string(maxTried) +
            " that are tried";
    return std::nullopt;
  }
  // All points in lexicographic order, each behind its key.
  unsigned keyLength = permutation ? dims : key.size();
  std::vector<std::vector<int64_t>> found;
  llvm::SmallVector<int64_t, 4> point(points.lower);
  for (int64_t n = 0; n < tried; ++n) {
    if (contains(point, symbolValues)) {
      std::vector<int64_t> entry;
      for (unsigned k = 0; k < keyLength; ++k) {
        std::optional<int64_t> value =
            permutation ? point[(*permutation)[k]]
                        : key[k].evaluateOn([&](unsigned i) {
                            return i < dims ? point[i] : symbolValues[i - dims];
                          });
        if (!value) {
          error = "the order divides by zero";
          return std::nullopt;
        }
        entry.push_back(*value);
      }
      entry.insert(entry.end(), point.begin(), point.begin() + dims);
      found.push_back(std::move(entry));
    }
    for (unsigned d = dims; d-- > 0;) {
      if (++point[d] < points.lower[d] + points.extent[d])
        break;
      point[d] = points.lower[d];
    }
  }
  std::sort(found.begin(), found.end());
  for (size_t i = 1; i < found.size(); ++i)
    if (std::equal(found[i].begin(), found[i].begin() + keyLength,
                   found[i - 1].begin())) {
      error = "the order gives two points of the set one key";
      return std::nullopt;
    }
  points.count = found.size();
  for (const std::vector<int64_t> &entry : found)
    points.list.insert(points.list.end(), entry.begin() + keyLength,
                       entry.end());
  return points;
}
