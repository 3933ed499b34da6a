//===- LinearForm.cpp - Values as sums over names -------------------------===//

#include "ktir/Dialect/Ktdp/LinearForm.h"

#include "ktir/Dialect/Ktdp/KtdpDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

namespace ktir::ktdp {

/// A text with more terms explains nothing.
static constexpr unsigned mostTerms = 6;
/// Shared parts can make a sum exponentially long.
static constexpr unsigned mostSteps = 256;

bool LinearForm::add(int64_t number) {
  return !llvm::AddOverflow(constant, number, constant);
}

bool LinearForm::add(mlir::Value value, int64_t factor) {
  auto term = llvm::find_if(
      terms, [&](const auto &entry) { return entry.first == value; });
  if (term == terms.end()) {
    if (factor)
      terms.push_back({value, factor});
    return terms.size() <= mostTerms;
  }
  if (llvm::AddOverflow(term->second, factor, term->second))
    return false;
  if (term->second == 0)
    terms.erase(term);
  return true;
}

bool LinearForm::add(const LinearForm &form, int64_t factor) {
  int64_t product;
  for (const auto &[value, own] : form.terms)
    if (llvm::MulOverflow(own, factor, product) || !add(value, product))
      return false;
  return !llvm::MulOverflow(form.constant, factor, product) && add(product);
}

/// What `value` is a cast of.
static mlir::Value withoutCasts(mlir::Value value) {
  for (unsigned step = 0; step < mostSteps; ++step) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || !llvm::isa<mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp,
                          mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<int64_t> constantOf(mlir::Value value) {
  auto constant = withoutCasts(value).getDefiningOp<mlir::arith::ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
  // Truth values are no numbers to count with.
  if (!integer || integer.getType().isInteger(1) ||
      integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return integer.getValue().getSExtValue();
}

std::optional<LinearForm> linearForm(mlir::Value value) {
  LinearForm form;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> pending = {{value, 1}};
  for (unsigned step = 0; !pending.empty(); ++step) {
    if (step == mostSteps)
      return std::nullopt;
    auto [uncast, factor] = pending.pop_back_val();
    const mlir::Value part = withoutCasts(uncast);
    if (!part.getType().isIntOrIndex() || part.getType().isInteger(1))
      return std::nullopt;
    if (std::optional<int64_t> number = constantOf(part)) {
      int64_t product;
      if (llvm::MulOverflow(*number, factor, product) || !form.add(product))
        return std::nullopt;
      continue;
    }
    mlir::Operation *op = part.getDefiningOp();
    if (!op || llvm::isa<GetComputeTileIdOp>(op)) {
      if (!form.add(part, factor))
        return std::nullopt;
    } else if (llvm::isa<mlir::arith::AddIOp>(op)) {
      pending.push_back({op->getOperand(1), factor});
      pending.push_back({op->getOperand(0), factor});
    } else if (llvm::isa<mlir::arith::SubIOp>(op)) {
      if (factor == std::numeric_limits<int64_t>::min())
        return std::nullopt;
      pending.push_back({op->getOperand(1), -factor});
      pending.push_back({op->getOperand(0), factor});
    } else if (llvm::isa<mlir::arith::MulIOp>(op)) {
      mlir::Value other = op->getOperand(0);
      std::optional<int64_t> number = constantOf(op->getOperand(1));
      if (!number) {
        other = op->getOperand(1);
        number = constantOf(op->getOperand(0));
      }
      int64_t product;
      if (!number || llvm::MulOverflow(*number, factor, product))
        return std::nullopt;
      pending.push_back({other, product});
    } else {
      return std::nullopt;
    }
  }
  return form;
}

std::optional<LinearRange>
linearRange(mlir::AffineExpr expression,
            llvm::ArrayRef<SubscriptDimension> dimensions) {
  LinearRange range;
  llvm::SmallVector<int64_t> factors(dimensions.size(), 0);
  llvm::SmallVector<std::pair<mlir::AffineExpr, int64_t>> pending = {
      {expression, 1}};
  for (unsigned step = 0; !pending.empty(); ++step) {
    if (step == mostSteps)
      return std::nullopt;
    auto [part, factor] = pending.pop_back_val();
    int64_t product;
    if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(part)) {
      if (llvm::MulOverflow(constant.getValue(), factor, product) ||
          !range.first.add(product))
        return std::nullopt;
    } else if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(part)) {
      if (dimension.getPosition() >= dimensions.size())
        return std::nullopt;
      int64_t &sum = factors[dimension.getPosition()];
      if (llvm::AddOverflow(sum, factor, sum))
        return std::nullopt;
    } else if (part.getKind() == mlir::AffineExprKind::Add) {
      auto sum = llvm::cast<mlir::AffineBinaryOpExpr>(part);
      pending.push_back({sum.getRHS(), factor});
      pending.push_back({sum.getLHS(), factor});
    } else if (part.getKind() == mlir::AffineExprKind::Mul) {
      auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(part);
      auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
      if (!constant || llvm::MulOverflow(constant.getValue(), factor, product))
        return std::nullopt;
      pending.push_back({binary.getLHS(), product});
    } else {
      return std::nullopt;
    }
  }
  for (auto [dimension, factor] : llvm::zip_equal(dimensions, factors))
    if (factor && dimension.value) {
      std::optional<LinearForm> form = linearForm(dimension.value);
      if (!form || !range.first.add(*form, factor))
        return std::nullopt;
    }
  range.last = range.first;
  unsigned running = 0;
  for (auto [dimension, factor] : llvm::zip_equal(dimensions, factors)) {
    if (!factor || dimension.value)
      continue;
    if (dimension.extent > 1 &&
        (++running > 1 || (factor != 1 && factor != -1)))
      range.isDense = false;
    int64_t low, high, upper;
    if (dimension.extent <= 0 ||
        llvm::AddOverflow(dimension.lower, dimension.extent - 1, upper) ||
        llvm::MulOverflow(dimension.lower, factor, low) ||
        llvm::MulOverflow(upper, factor, high))
      return std::nullopt;
    if (!range.first.add(std::min(low, high)) ||
        !range.last.add(std::max(low, high)))
      return std::nullopt;
  }
  return range;
}

std::string formText(const LinearForm &form,
                     llvm::function_ref<std::string(mlir::Value)> nameOf) {
  std::string text;
  for (const auto &[value, factor] : form.terms) {
    const std::string name = nameOf(value);
    if (factor < 0)
      text += "-";
    else if (!text.empty())
      text += "+";
    const uint64_t magnitude = factor < 0 ? -uint64_t(factor) : factor;
    // `3t`, but not `3row`.
    if (magnitude != 1)
      text += std::to_string(magnitude) + (name.size() > 1 ? "·" : "");
    text += name;
  }
  if (text.empty())
    return std::to_string(form.constant);
  if (form.constant > 0)
    text += "+";
  if (form.constant)
    text += std::to_string(form.constant);
  return text;
}

} // namespace ktir::ktdp
