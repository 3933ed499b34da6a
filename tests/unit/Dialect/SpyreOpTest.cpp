//===- SpyreOpTest.cpp - What passes ask the spyreop dialect --------------===//
//
// The pairs of types are those of the language reference (section 5.1), the
// default of `eps` is that of section 5.5.
//
//===----------------------------------------------------------------------===//

#include "ktir/Dialect/SpyreOp/SpyreOpDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ktir;

namespace {

class SpyreOpTest : public ::testing::Test {
protected:
  SpyreOpTest()
      : dialect(context.getOrLoadDialect<spyreop::SpyreOpDialect>()),
        builder(&context), loc(builder.getUnknownLoc()),
        module(ModuleOp::create(loc)) {
    builder.setInsertionPointToStart(module->getBody());
  }

  /// A value of `type` to use as an operand.
  Value operand(Type type) {
    OperationState state(loc, UnrealizedConversionCastOp::getOperationName());
    state.addTypes(type);
    return builder.create(state)->getResult(0);
  }

  MLIRContext context;
  Dialect *dialect;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};

TEST_F(SpyreOpTest, PairsOfTypes) {
  Type df16 = spyreop::DF16Type::get(&context);
  Type df16Fused = spyreop::DF16FusedType::get(&context);
  Type fp16Fused = spyreop::FP16FusedType::get(&context);
  Type fp32Fused = spyreop::FP32FusedType::get(&context);
  EXPECT_EQ(spyreop::getFusedType(df16), df16Fused);
  EXPECT_EQ(spyreop::getFusedType(builder.getF16Type()), fp16Fused);
  EXPECT_EQ(spyreop::getFusedType(builder.getF32Type()), fp32Fused);
  EXPECT_EQ(spyreop::getScalarType(df16Fused), df16);
  EXPECT_EQ(spyreop::getScalarType(fp16Fused), builder.getF16Type());
  EXPECT_EQ(spyreop::getScalarType(fp32Fused), builder.getF32Type());
}

TEST_F(SpyreOpTest, NoPairOfOtherTypes) {
  EXPECT_FALSE(spyreop::getFusedType(builder.getBF16Type()));
  EXPECT_FALSE(spyreop::getFusedType(builder.getI32Type()));
  EXPECT_FALSE(spyreop::getFusedType(spyreop::FP16FusedType::get(&context)));
  EXPECT_FALSE(spyreop::getScalarType(spyreop::DF16Type::get(&context)));
  EXPECT_FALSE(spyreop::getScalarType(builder.getF16Type()));
}

TEST_F(SpyreOpTest, BuildersInferTypes) {
  Type df16 = spyreop::DF16Type::get(&context);
  Value x = operand(df16);
  auto exp = spyreop::ExpOp::create(builder, loc, x);
  EXPECT_EQ(exp.getType(), df16);
  auto moments = spyreop::Exx2FusedOp::create(builder, loc, x);
  EXPECT_EQ(moments.getType(), spyreop::DF16FusedType::get(&context));
  auto scale = spyreop::LayerNormScaleFusedOp::create(builder, loc, moments);
  EXPECT_EQ(scale.getType(), df16);
  Value i = operand(builder.getI32Type());
  auto address = spyreop::Idx32ToAddrOp::create(builder, loc, i, i, i);
  EXPECT_EQ(address.getType(), builder.getI32Type());
}

TEST_F(SpyreOpTest, EpsilonHasADefault) {
  Value x = operand(builder.getF16Type());
  auto scale = spyreop::LayerNormScaleOp::create(builder, loc, x, x);
  // The f32 next to 1e-5: 0.00001 = 1.31072 * 2^-17, and the fraction is
  // round(0.31072 * 2^23) = 0x27C5AC.
  EXPECT_EQ(scale.getEpsilon().bitcastToAPInt(), 0x3727C5ACu);
  scale->setAttr(spyreop::kEpsilonAttrName, builder.getF32FloatAttr(0.25f));
  EXPECT_EQ(scale.getEpsilon().convertToFloat(), 0.25f);

  Value pair = operand(spyreop::FP32FusedType::get(&context));
  auto fused = spyreop::LayerNormScaleFusedOp::create(builder, loc, pair);
  EXPECT_EQ(fused.getEpsilon().bitcastToAPInt(), 0x3727C5ACu);
  fused->setAttr(spyreop::kEpsilonAttrName, builder.getF32FloatAttr(0.5f));
  EXPECT_EQ(fused.getEpsilon().convertToFloat(), 0.5f);
}

TEST_F(SpyreOpTest, MaterializesFloats) {
  for (Attribute value :
       {builder.getF16FloatAttr(1.5f), builder.getF32FloatAttr(1.5f)}) {
    Type type = cast<TypedAttr>(value).getType();
    Operation *op = dialect->materializeConstant(builder, value, type, loc);
    ASSERT_TRUE(op);
    EXPECT_TRUE(isa<spyreop::ConstantOp>(op));
    EXPECT_EQ(op->getResult(0).getType(), type);
    Attribute found;
    EXPECT_TRUE(matchPattern(op, m_Constant(&found)));
    EXPECT_EQ(found, value);
  }
}

TEST_F(SpyreOpTest, MaterializesNothingElse) {
  Type f32 = builder.getF32Type();
  auto materialize = [&](Attribute value, Type type) {
    return dialect->materializeConstant(builder, value, type, loc);
  };
  // No implicit conversion, and no literal of the device's format.
  EXPECT_FALSE(materialize(builder.getF16FloatAttr(1.5f), f32));
  EXPECT_FALSE(materialize(builder.getF32FloatAttr(1.5f),
                           spyreop::DF16Type::get(&context)));
  EXPECT_FALSE(materialize(builder.getF64FloatAttr(1.5), builder.getF64Type()));
  EXPECT_FALSE(materialize(builder.getI32IntegerAttr(1), builder.getI32Type()));
}

} // namespace
