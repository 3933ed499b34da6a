//===- RuleIds.cpp - Specification rules of diagnostics -------------------===//
//
// The specification fixes the texts of its rules, so a text names its rule.
//
//===----------------------------------------------------------------------===//

#include "RuleIds.h"

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
};

std::string ruleOf(llvm::StringRef message) {
  // "'op' op text" from a verifier, "custom op 'op' text" from a parser.
  llvm::StringRef op;
  llvm::StringRef rest = message;
  rest.consume_front("custom op ");
  if (rest.consume_front("'"))
    op = rest.split('\'').first;
  for (const RuleText &rule : rules) {
    if (*rule.op && op != rule.op)
      continue;
    size_t at = message.find(rule.first);
    if (at == llvm::StringRef::npos)
      continue;
    if (message.find(rule.second, at) != llvm::StringRef::npos)
      return rule.rule;
  }
  return {};
}

} // namespace ktir
