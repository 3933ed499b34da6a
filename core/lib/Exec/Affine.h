//===- Affine.h - Affine maps and sets, decoded -----------------*- C++ -*-===//
//
// Affine expressions as coefficient lists (or a postfix program where they
// divide), and integer sets with an order as boxes (or points where they are
// none).
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_LIB_EXEC_AFFINE_H
#define KTIR_LIB_EXEC_AFFINE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ktir::exec {

/// One affine expression over inputs: the dimensions, then the symbols.
class CompiledExpr {
public:
  struct Term {
    unsigned input;
    int64_t factor;
  };

  static CompiledExpr get(mlir::AffineExpr expr, unsigned numDims);

  /// True when the expression is `constant + sum(factor * input)`.
  bool isLinear() const { return code.empty(); }
  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// Factor of one input of a linear expression, 0 when it does not occur.
  int64_t getFactor(unsigned input) const;

  /// The value for `input(i)`, or nullopt where it divides by zero. Wraps on
  /// overflow.
  template <typename Input>
  std::optional<int64_t> evaluateOn(Input &&input) const {
    if (!isLinear())
      return evaluateCode(
          [](const void *context, unsigned index) -> int64_t {
            return (*static_cast<const std::remove_reference_t<Input> *>(
                context))(index);
          },
          &input);
    uint64_t sum = constant;
    for (const Term &term : terms)
      sum += uint64_t(term.factor) * uint64_t(int64_t(input(term.input)));
    return int64_t(sum);
  }
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> inputs) const {
    return evaluateOn([&](unsigned i) { return inputs[i]; });
  }

private:
  enum class Kind : uint8_t {
    Constant,
    Input,
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv
  };
  struct Step {
    Kind kind;
    int64_t value;
  };
  std::optional<int64_t> evaluateCode(int64_t (*input)(const void *, unsigned),
                                      const void *context) const;

  int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms;
  std::vector<Step> code;
};

/// One expression per result of an affine map.
llvm::SmallVector<CompiledExpr, 4> compileMap(mlir::AffineMap map);

/// An integer set together with the order in which its points are enumerated
/// (ktir.md §4.5, dataflow-ir.md §2.4): points sorted by `order(point)`.
class CompiledSet {
public:
  /// Most points of a set that is not a box that may be tried.
  static constexpr int64_t maxTried = int64_t(1) << 22;
  /// Most points with their constraints, in the time that a point takes.
  static constexpr uint64_t maxEffort = uint64_t(1) << 24;
  /// Most points of a set whose order is no permutation.
  static constexpr int64_t maxSorted = int64_t(1) << 19;

  /// A null order is the identity.
  static CompiledSet get(mlir::IntegerSet set, mlir::AffineMap order);

  unsigned getNumDims() const { return dims; }
  unsigned getNumSymbols() const { return symbols; }

  /// True when `point` is in the set with its symbols bound.
  bool contains(llvm::ArrayRef<int64_t> point,
                llvm::ArrayRef<int64_t> symbolValues) const;

  /// True when the points are a box for any symbols, and in the order of its
  /// dimensions.
  bool isOrderedBox() const;

  /// The points once the symbols are bound.
  struct Points {
    llvm::SmallVector<int64_t, 4> lower, extent;
    /// Dimensions of the box from slowest to fastest; empty unless isBox.
    llvm::SmallVector<unsigned, 4> order;
    bool isBox = false;
    /// Otherwise all points, getNumDims() coordinates each, in order.
    std::vector<int64_t> list;
    int64_t count = 0;
  };
  /// Enumerates; on failure `error` says why (unbounded, too large, two points
  /// with one key).
  std::optional<Points> enumerate(llvm::ArrayRef<int64_t> symbolValues,
                                  std::string &error) const;

private:
  unsigned dims = 0, symbols = 0;
  /// Every constraint bounds one dimension by an expression of symbols.
  bool box = true;
  struct Constraint {
    CompiledExpr expr;
    bool equality;

    std::optional<int64_t> valueAt(llvm::ArrayRef<int64_t> point,
                                   llvm::ArrayRef<int64_t> symbolValues) const {
      return expr.evaluateOn([&](unsigned i) {
        return i < point.size() ? point[i] : symbolValues[i - point.size()];
      });
    }
    bool holdsAt(llvm::ArrayRef<int64_t> point,
                 llvm::ArrayRef<int64_t> symbolValues) const {
      std::optional<int64_t> value = valueAt(point, symbolValues);
      return value && (equality ? *value == 0 : *value >= 0);
    }
  };
  /// Fills `points`, whose bounds are known, with the points of the set by
  /// dimensions from slowest to fastest.
  void listPoints(llvm::ArrayRef<unsigned> order,
                  llvm::ArrayRef<int64_t> symbolValues, Points &points) const;
  /// Sorts them by the order's keys; on failure `error` says why.
  bool sortByKey(llvm::ArrayRef<int64_t> symbolValues, Points &points,
                 std::string &error) const;
  std::vector<Constraint> constraints;
  /// The dimension order when `order` permutes dimensions.
  std::optional<llvm::SmallVector<unsigned, 4>> permutation;
  llvm::SmallVector<CompiledExpr, 4> key;
};

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_AFFINE_H
