//===- VectorChainBase.td - The vectorchain dialect --------*- tablegen -*-===//

#ifndef KTIR_DIALECT_VECTORCHAIN_VECTORCHAINBASE_TD
#define KTIR_DIALECT_VECTORCHAIN_VECTORCHAINBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def VectorChain_Dialect : Dialect {
  let name = "vectorchain";
  let cppNamespace = "::ktir::vectorchain";
  let summary = "what compute units do with vectors";
  let description = [{
    Pure operations on flat vectors. Most take an optional mask: a lane whose
    mask bit is 0 keeps the first operand's value, that of the third operand
    for multiply-accumulate (spec V-2).
  }];
  let useDefaultAttributePrinterParser = 1;
}

class VectorChain_EnumAttr<EnumInfo info, string attrMnemonic,
                           string attrSummary, string example>
    : EnumAttr<VectorChain_Dialect, info, attrMnemonic> {
  let summary = attrSummary;
  let description = "Example: `#vectorchain<" # attrMnemonic # " " # example
                    # ">`";
}

class VectorChain_I32Enum<string name, string enumSummary,
                          list<EnumCase> cases>
    : I32Enum<name, enumSummary, cases> {
  let cppNamespace = "::ktir::vectorchain";
}

def VectorChain_BinaryOperator
    : VectorChain_I32Enum<"VectorChainBinaryOperator",
                          "function of two lanes", [
    I32EnumCase<"And0", 0, "and0">,
    I32EnumCase<"Or0", 1, "or0">,
    I32EnumCase<"Xnor", 2, "xnor">,
    I32EnumCase<"AndNot", 3, "and_not">,
    I32EnumCase<"Min", 4, "min">,
    I32EnumCase<"Max", 5, "max">,
    I32EnumCase<"AbsMin", 6, "abs_min">,
    I32EnumCase<"AbsMax", 7, "abs_max">,
    I32EnumCase<"Add", 8, "add">,
    I32EnumCase<"Mul", 9, "mul">,
    I32EnumCase<"Sub", 10, "sub">,
    I32EnumCase<"MulDiv2", 11, "mul_div2">
  ]>;
def VectorChain_BinaryOperatorAttr
    : VectorChain_EnumAttr<VectorChain_BinaryOperator, "binary_operator",
                           "function of two lanes", "add">;

def VectorChain_CompareOperator
    : VectorChain_I32Enum<"ElementWiseCompareOperator",
                          "relation between two lanes", [
    I32EnumCase<"Eq", 0, "compare_eq">,
    I32EnumCase<"Neq", 1, "compare_neq">,
    I32EnumCase<"Lt", 2, "compare_lt">,
    I32EnumCase<"Le", 3, "compare_le">,
    I32EnumCase<"Gt", 4, "compare_gt">,
    I32EnumCase<"Ge", 5, "compare_ge">
  ]>;
def VectorChain_CompareOperatorAttr
    : VectorChain_EnumAttr<VectorChain_CompareOperator,
                           "element_wise_compare_operator",
                           "relation between two lanes", "compare_lt">;

def VectorChain_EvalOrder
    : VectorChain_I32Enum<"EvalOrder", "direction of a scan", [
    I32EnumCase<"LeftToRight", 0, "left_to_right">,
    I32EnumCase<"RightToLeft", 1, "right_to_left">
  ]>;
def VectorChain_EvalOrderAttr
    : VectorChain_EnumAttr<VectorChain_EvalOrder, "eval_order",
                           "direction of a scan", "left_to_right">;

def VectorChain_ExpEstimateVersion
    : VectorChain_I32Enum<"ExpEstimateVersion",
                          "table of the exponential estimate", [
    I32EnumCase<"A", 0, "a">,
    I32EnumCase<"B", 1, "b">
  ]>;
def VectorChain_ExpEstimateVersionAttr
    : VectorChain_EnumAttr<VectorChain_ExpEstimateVersion, "exp_estimate",
                           "table of the exponential estimate", "a">;

def VectorChain_EstimateVersion
    : VectorChain_I32Enum<"EstimateVersion",
                          "table of a piecewise linear estimate", [
    I32EnumCase<"Slope", 0, "slope">,
    I32EnumCase<"Offset", 1, "offset">
  ]>;
def VectorChain_EstimateVersionAttr
    : VectorChain_EnumAttr<VectorChain_EstimateVersion, "estimate_versions",
                           "table of a piecewise linear estimate", "slope">;

#endif // KTIR_DIALECT_VECTORCHAIN_VECTORCHAINBASE_TD
