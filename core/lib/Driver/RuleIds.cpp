//===- RuleIds.cpp - Specification rules of diagnostics -------------------===//
//
// The specification fixes the texts of its rules, so a text names its rule.
//
//===----------------------------------------------------------------------===//

#include "RuleIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace ktir {

namespace {
struct RuleText {
  const char *rule;
  /// Operation that the message must come from; empty for any.
  const char *op;
  /// Parts that occur in the message in this order.
  const char *first;
  const char *second;
};
} // namespace

static const RuleText rules[] = {
    {"MF-2", "", "Grid must have at least one dimension", ""},
    {"MF-2", "", "Grid size must be ", ""},
    {"AT-T1", "", "tile element type must be 'index', but got: ", ""},
    {"AT-T2", "", "tile dimension size must be dynamic or >= 0", ""},
    {"RA-T1", "", "runtime_arg underlying type must be a builtin type", ""},
    {"RA-T2", "", "runtime_arg granularity must be positive, but got: ", ""},
    {"RA-T3", "", "runtime_arg upperbound must be positive, but got: ", ""},
    {"RA-T4", "", "duplicate 'granularity' keyword", ""},
    {"RA-T4", "", "duplicate 'upperbound' keyword", ""},
    {"RA-T4", "", "expected 'granularity' or 'upperbound' keyword", ""},
    {"MS-1", "", "ct_id must be non-negative, but got: ", ""},
    {"MS-2", "", "ct_id is only valid for ct_local memory spaces", ""},
    {"ID-1", "ktdp.get_compute_tile_id",
     "must return at least one index (num tile-grid dims >= 1)", ""},
    {"ID-2", "ktdp.get_compute_tile_id", "must be variadic of index, but got",
     ""},
    {"ID-3", "", "get_compute_tile_id result count (",
     ") does not match grid rank ("},
    {"MV-1", "ktdp.construct_memory_view",
     "static_sizes and static_strides must have equal length", ""},
    {"MV-2", "ktdp.construct_memory_view",
     "number of dynamic size operands does not match kDynamic entries", ""},
    {"MV-3", "ktdp.construct_memory_view",
     "number of dynamic stride operands does not match kDynamic entries", ""},
    {"MV-4", "ktdp.construct_memory_view",
     "result #0 must be memref of any type values, but got", ""},
    {"MV-5", "ktdp.construct_memory_view",
     "result memref rank does not match sizes/strides length", ""},
    {"MV-6", "ktdp.construct_memory_view", "requires attribute '", ""},
    {"AC-P1", "ktdp.construct_access_tile", "Failed to parse symbol operands",
     ""},
    {"AC-P2", "ktdp.construct_access_tile",
     "Access tile set is missing in the operation", ""},
    {"AC-P3", "ktdp.construct_access_tile",
     "Access tile set and Base input dimensions should match", ""},
    {"AC-P5", "ktdp.construct_access_tile",
     "Access tile order is missing in the operation", ""},
    {"AC-P6", "ktdp.construct_access_tile",
     "Number of input dimensions and output dimensions in the access tile "
     "order should match",
     ""},
    {"AC-P7", "ktdp.construct_access_tile",
     "Number of dimensions in the access tile order and access tile set must "
     "match!",
     ""},
    {"AC-1", "ktdp.construct_access_tile", "access_tile_set dimensions (",
     ") must match base_map dims ("},
    {"AC-2", "ktdp.construct_access_tile", "base_map expects ",
     " operands but got "},
    {"AC-3", "ktdp.construct_access_tile", "access_tile_set has ",
     " symbols but got "},
    {"AC-4", "ktdp.construct_access_tile",
     "access_tile_order must have equal number of inputs (", ""},
    {"AC-5", "ktdp.construct_access_tile", "access_tile_order dimensions (",
     ") must match access_tile_set dimensions ("},
    {"AC-6", "ktdp.construct_access_tile", "result type rank (",
     ") must match access_tile_set dimensions ("},
    {"LD-1", "ktdp.load", "result must be a ranked tensor", ""},
    {"LD-2", "ktdp.load", "access tile shape must match result tensor shape",
     ""},
    {"ST-1", "ktdp.store", "data_tile must be a ranked tensor", ""},
    {"ST-2", "ktdp.store", "data tile shape must match access tile shape", ""},
    {"RX-1", "ktdp.runtime_arg_extract",
     "must match runtime_arg underlying type (", ""},
    {"RX-2", "ktdp.runtime_arg_extract",
     "cannot extract granularity from runtime_arg", ""},
    {"RX-3", "ktdp.runtime_arg_extract",
     "cannot extract upperbound from runtime_arg", ""},
    {"RX-4", "ktdp.runtime_arg_extract",
     "result type must be index when extracting ", ""},
    {"TF-T1", "", "failed to parse KTDP_TileFutureType parameter", ""},
    {"TF-T2", "", "tile_future must carry at least one partial type", ""},
    {"TF-T3", "", "tile_future `groups` must have exactly one dimension (g)",
     ""},
    {"TF-T4", "", "tile_future `groups` must have no symbols", ""},
    {"DV-1", "ktdp.construct_distributed_memory_view",
     "result #0 must be memref of any type values, but got", ""},
    {"DV-2", "ktdp.construct_distributed_memory_view",
     "must be variadic of memref of any type values, but got", ""},
    {"DV-3", "ktdp.construct_distributed_memory_view",
     "all input memrefs must have the same element type as the result", ""},
    {"DV-4", "ktdp.construct_distributed_memory_view",
     "all input memrefs must have the same rank as the result", ""},
    {"IA-1", "ktdp.construct_indirect_access_tile",
     "variables_space_set dimensions (",
     ") must match variables_space_order inputs ("},
    {"IA-2", "ktdp.construct_indirect_access_tile",
     "variables_space_order must have equal number of inputs (", ""},
    {"IA-3", "ktdp.construct_indirect_access_tile",
     "number of intermediate variables (",
     ") must match variables_space_set dimensions ("},
    {"IA-4", "ktdp.construct_indirect_access_tile", "variables_space_set has ",
     " symbols but got "},
    {"IA-5", "ktdp.construct_indirect_access_tile",
     "per_dim_subscript_kinds size (", ""},
    {"IA-6", "ktdp.construct_indirect_access_tile",
     "base must be a ranked memref or tensor type", ""},
    {"IA-6", "ktdp.construct_indirect_access_tile",
     "operand #0 must be memref of any type values or tensor of any type "
     "values",
     ""},
    {"IA-7", "ktdp.construct_indirect_access_tile", "number of subscripts (",
     ") must match base rank ("},
    {"IA-8", "ktdp.construct_indirect_access_tile",
     "per_dim_subscript_kinds must contain BoolAttr elements", ""},
    {"IA-9", "ktdp.construct_indirect_access_tile",
     "number of indirect dimensions (",
     ") must match number of indirect memrefs ("},
    {"IA-10", "ktdp.construct_indirect_access_tile", "per_dim_subscript_maps[",
     "] must be an AffineMapAttr"},
    {"IA-11", "ktdp.construct_indirect_access_tile",
     "subscript map for dimension ",
     " (captured_variables + intermediate_variables)"},
    {"IA-12", "ktdp.construct_indirect_access_tile",
     "indirect subscript map for dimension ",
     ", but indirect memref has rank "},
    {"IA-13", "ktdp.construct_indirect_access_tile",
     "direct subscript map for dimension ", " must produce exactly 1 result"},
    {"IA-14", "ktdp.construct_indirect_access_tile", "result type rank (",
     ") must match variables_space_set dimensions ("},
    {"IA-S2", "ktdp.construct_indirect_access_tile",
     "expected index views of an integer type or 'index'", ""},
    {"IA-S5", "ktdp.construct_indirect_access_tile",
     "expected a permutation for variables_space_order", ""},
    {"AC-S1", "", "expected a tile of ", " elements, one for each point of "},
    {"PR-1", "ktdp.inter_tile_produce",
     "producer region must take a single `index` group-id argument", ""},
    {"PR-4", "ktdp.inter_tile_produce",
     "`producer_tiles_per_group` must have exactly one ", ""},
    {"R1", "ktdp.inter_tile_produce", "producer_tiles_per_group for groups ",
     " are not disjoint"},
    {"PR-6", "ktdp.inter_tile_produce", "yield_partial yields ",
     " values but the future carries "},
    {"PR-7", "ktdp.inter_tile_produce", "yield_partial operand #",
     " does not match future partial type "},
    {"CO-1", "ktdp.inter_tile_consume",
     "result types must match future partial types", ""},
    {"RE-1", "ktdp.inter_tile_reduce",
     "result types must match future partial types", ""},
    {"RE-2", "ktdp.inter_tile_reduce", "identity types must match result types",
     ""},
    {"PL-4", "", "identity types must match partial types", ""},
    {"RE-3", "", "reducer region must take 2*N arguments, got ", ""},
    {"RE-4", "", "reducer region argument pair #",
     " must both have partial type "},
    {"RE-5", "ktdp.inter_tile_reduce",
     "`consumer_tiles_per_group` must have exactly one symbol", ""},
    {"CO-2", "", "`consumer_tiles_per_group` must have exactly one symbol", ""},
    {"CO-3", "", "`consumer_tiles_per_group` must have exactly one dimension",
     ""},
    {"CO-4", "",
     "`producer_dependency_per_consumer` must have one symbol (c) or two", ""},
    {"CO-5", "",
     "`producer_dependency_per_consumer` must have exactly one dimension", ""},
    {"RE-6", "", "yield_reduced yields ", " values but expected "},
    {"RE-7", "", "yield_reduced operand #", " must match partial type "},
    {"R2", "", "future result must have exactly one use", ""},
    {"R3", "", "producer_dependency_per_consumer for consumer ",
     " which is not in producer_tiles_per_group"},
    {"R4", "", "producer_dependency_per_consumer for group ",
     " does not cover producer tile "},
    {"R8", "", "producer_tiles_per_group for group ",
     " producers, so producer_dependency_per_consumer is required"},
    {"R8", "", "consumer tile ",
     "; inter_tile_consume delivers one contribution per consumer tile"},
    {"R13", "", "consumer_tiles_per_group for group ",
     " is not a subset of producer_tiles_per_group"},
    {"R14", "", "consumer_tiles_per_group for group ",
     " is a strict subset of producer_tiles_per_group"},
    {"SO-1", "spyreop.softplus",
     "attribute 'beta' failed to satisfy constraint", ""},
    {"SO-3", "spyreop.constant",
     "result #0 must be 16-bit float or 32-bit float, but got", ""},
    {"SO-4", "spyreop.constant", "all of {value, result} have same type", ""},
    {"SO-4", "spyreop.constant", "requires attribute 'value'", ""},
    {"SO-4", "spyreop.constant", "requires zero operands", ""},
    {"SO-4", "spyreop.constant", "requires one result", ""},
    {"SO-5", "", "must be A pair of df16 floats held as one value", ""},
};

/// The id in parentheses that ends a message of our own, which is cut off.
static std::string takeOwnRule(std::string &message) {
  llvm::StringRef text = message;
  if (!text.consume_back(")"))
    return {};
  const size_t open = text.rfind(" (");
  if (open == llvm::StringRef::npos)
    return {};
  const llvm::StringRef id = text.drop_front(open + 2);
  const llvm::StringRef letters =
      id.take_while([](char c) { return c >= 'A' && c <= 'Z'; });
  llvm::StringRef number = id.drop_front(letters.size());
  number.consume_front("-");
  if (letters.empty() || number.empty() ||
      !llvm::all_of(number, [](char c) { return c >= '0' && c <= '9'; }))
    return {};
  std::string rule = id.str();
  message.resize(open);
  return rule;
}

std::string takeRule(std::string &message) {
  if (std::string rule = takeOwnRule(message); !rule.empty())
    return rule;
  const llvm::StringRef whole = message;
  // "'op' op text" from a verifier, "custom op 'op' text" from a parser.
  llvm::StringRef op;
  llvm::StringRef rest = whole;
  rest.consume_front("custom op ");
  if (rest.consume_front("'"))
    op = rest.split('\'').first;
  for (const RuleText &rule : rules) {
    if (*rule.op && op != rule.op)
      continue;
    size_t at = whole.find(rule.first);
    if (at == llvm::StringRef::npos)
      continue;
    if (whole.find(rule.second, at) != llvm::StringRef::npos)
      return rule.rule;
  }
  return {};
}

} // namespace ktir
