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
    return constraint.holdsAt(point, symbolValues);
  });
}

bool CompiledSet::isOrderedBox() const {
  return box && permutation && llvm::is_sorted(*permutation);
}

/// Whether sums of a few products of two such numbers fit 64 bits.
static bool isSmall(int64_t value) {
  constexpr int64_t limit = int64_t(1) << 28;
  return -limit < value && value < limit;
}

void CompiledSet::listPoints(llvm::ArrayRef<unsigned> order,
                             llvm::ArrayRef<int64_t> symbolValues,
                             Points &points) const {
  if (dims == 0) {
    points.count = contains({}, symbolValues);
    return;
  }
  if (llvm::is_contained(points.extent, 0))
    return;
  // Along the fastest dimension, linear constraints leave a range of each row;
  // the others are looked at for each of its points.
  const unsigned fastest = order.back();
  llvm::SmallVector<const Constraint *, 8> bounding, checked;
  const bool isNear = llvm::all_of(points.lower, isSmall) &&
                      llvm::all_of(symbolValues, isSmall);
  for (const Constraint &constraint : constraints) {
    const bool bounds = isNear && constraint.expr.isLinear() &&
                        isSmall(constraint.expr.getConstant()) &&
                        llvm::all_of(constraint.expr.getTerms(),
                                     [](const CompiledExpr::Term &term) {
                                       return isSmall(term.factor);
                                     });
    (bounds ? bounding : checked).push_back(&constraint);
  }
  // Rows are visited twice where that tells how many points there are: lists
  // that grow take twice the memory.
  llvm::SmallVector<int64_t, 4> point(points.lower);
  bool isCounting = checked.empty();
  uint64_t counted = 0;
  while (true) {
    int64_t first = points.lower[fastest];
    int64_t last = first + points.extent[fastest] - 1;
    point[fastest] = 0;
    for (const Constraint *constraint : bounding) {
      const int64_t rest = *constraint->valueAt(point, symbolValues);
      const int64_t factor = constraint->expr.getFactor(fastest);
      // factor * x + rest >= 0, and for an equality <= 0, too.
      auto bound = [&](int64_t factor, int64_t rest) {
        if (factor > 0)
          first = std::max(first, llvm::divideCeilSigned(-rest, factor));
        else if (factor < 0)
          last = std::min(last, llvm::divideFloorSigned(rest, -factor));
        else if (rest < 0)
          last = first - 1;
      };
      bound(factor, rest);
      if (constraint->equality)
        bound(-factor, -rest);
    }
    if (isCounting)
      counted += std::max<int64_t>(last - first + 1, 0);
    else
      for (point[fastest] = first; point[fastest] <= last; ++point[fastest])
        if (llvm::all_of(checked, [&](const Constraint *constraint) {
              return constraint->holdsAt(point, symbolValues);
            }))
          points.list.insert(points.list.end(), point.begin(), point.end());
    size_t j = order.size() - 1;
    for (; j > 0; --j) {
      const unsigned d = order[j - 1];
      if (++point[d] < points.lower[d] + points.extent[d])
        break;
      point[d] = points.lower[d];
    }
    if (j > 0)
      continue;
    // All are at their lower bounds again.
    if (!isCounting)
      break;
    isCounting = false;
    points.list.reserve(counted * dims);
  }
  points.count = points.list.size() / dims;
}

bool CompiledSet::sortByKey(llvm::ArrayRef<int64_t> symbolValues,
                            Points &points, std::string &error) const {
  const size_t length = key.size();
  std::vector<int64_t> keys;
  keys.reserve(points.count * length);
  for (int64_t i = 0; i < points.count; ++i)
    for (const CompiledExpr &expr : key) {
      std::optional<int64_t> value = expr.evaluateOn([&](unsigned input) {
        return input < dims ? points.list[i * dims + input]
                            : symbolValues[input - dims];
      });
      if (!value) {
        error = "the order divides by zero";
        return false;
      }
      keys.push_back(*value);
    }
  auto keyOf = [&](uint32_t i) {
    return llvm::ArrayRef<int64_t>(keys).slice(i * length, length);
  };
  std::vector<uint32_t> sorted(points.count);
  std::iota(sorted.begin(), sorted.end(), 0u);
  llvm::sort(sorted, [&](uint32_t a, uint32_t b) {
    return std::lexicographical_compare(keyOf(a).begin(), keyOf(a).end(),
                                        keyOf(b).begin(), keyOf(b).end());
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (keyOf(sorted[i]) == keyOf(sorted[i - 1])) {
      error = "the order gives two points of the set one key";
      return false;
    }
  std::vector<int64_t> list;
  list.reserve(points.list.size());
  for (uint32_t i : sorted)
    list.insert(list.end(), points.list.begin() + i * dims,
                points.list.begin() + (i + 1) * dims);
  points.list = std::move(list);
  return true;
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
  if (!permutation && tried > maxSorted) {
    error = "the set has an order that is no permutation and lies within " +
            std::to_string(tried) + " points, more than the " +
            std::to_string(maxSorted) + " that are sorted";
    return std::nullopt;
  }
  // Constraints that divide are looked at for every point, linear ones for
  // every row, where they cost most.
  const uint64_t dividing =
      llvm::count_if(constraints, [](const Constraint &constraint) {
        return !constraint.expr.isLinear();
      });
  uint64_t rows = 1;
  if (dims > 0) {
    const unsigned fastest = permutation ? permutation->back() : dims - 1;
    rows = tried / std::max<int64_t>(points.extent[fastest], 1);
  }
  if (uint64_t(tried) * (1 + 4 * dividing) +
          8 * rows * (constraints.size() - dividing) >
      maxEffort) {
    error = "the set is no box, and trying its " +
            std::to_string(constraints.size()) + " constraints on the " +
            std::to_string(tried) +
            " points within its bounds would take too long";
    return std::nullopt;
  }
  llvm::SmallVector<unsigned, 4> natural(dims);
  std::iota(natural.begin(), natural.end(), 0u);
  listPoints(permutation ? *permutation : natural, symbolValues, points);
  if (!permutation && !sortByKey(symbolValues, points, error))
    return std::nullopt;
  return points;
}
