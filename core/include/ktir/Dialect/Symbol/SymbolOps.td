//===- SymbolOps.td - The symbol dialect -------------------*- tablegen -*-===//

#ifndef KTIR_DIALECT_SYMBOL_SYMBOLOPS_TD
#define KTIR_DIALECT_SYMBOL_SYMBOLOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Symbol_Dialect : Dialect {
  let name = "symbol";
  let cppNamespace = "::ktir::symbol";
  let summary = "values known only when a program is launched";
  let description = [{
    A symbol is a number with a negative id. The wrapper around a program binds
    ids to values (`create_id`); the program reads them (`create_symbol`).
  }];
}

// The table from ids to values.
def Symbol_Bindings : Resource<"::ktir::symbol::BindingResource">;

class Symbol_Op<string mnemonic, list<Trait> traits = []>
    : Op<Symbol_Dialect, mnemonic, traits>;

def Symbol_CreateSymbolOp : Symbol_Op<"create_symbol", [Pure]> {
  let summary = "value bound to a symbol id";
  let description = [{
    Pure: an id is bound once, before the program starts (spec S-1). The id is
    negative, and some `symbol.create_id` in an enclosing module binds it
    (spec S-3).

    Example:

    ```mlir
    %s = symbol.create_symbol {SymbolId = -4 : i64} : index
    ```
  }];
  let arguments = (ins I64Attr:$SymbolId);
  let results = (outs Index:$value);
  let assemblyFormat = "attr-dict `:` type($value)";
  let builders = [OpBuilder<(ins "int64_t":$id)>];
  let extraClassDeclaration = [{
    /// The id; negative in a verified module.
    int64_t getId() { return getSymbolIdAttr().getInt(); }
  }];
  let hasVerifier = 1;
}

def Symbol_CreateIdOp
    : Symbol_Op<"create_id", [MemoryEffects<[MemWrite<Symbol_Bindings>]>]> {
  let summary = "bind a symbol id to a value";
  let description = [{
    Binds `symbol_id` to `value` when the wrapper runs (spec S-2). The id is
    negative and bound once in a function (spec S-3).

    Example:

    ```mlir
    symbol.create_id %v {symbol_id = -4 : si64} : index
    ```
  }];
  let arguments = (ins Index:$value, SI64Attr:$symbol_id);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "int64_t":$id)>];
  let extraClassDeclaration = [{
    /// The id; negative in a verified module.
    int64_t getId() { return getSymbolIdAttr().getValue().getSExtValue(); }
  }];
  let hasVerifier = 1;
}

def Symbol_SymbolImmutableMappingOp
    : Symbol_Op<"symbol_immutable_mapping", [Pure, AttrSizedOperandSegments]> {
  let summary = "table from constants to symbols";
  let description = [{
    Pairs constant keys with symbols, for `symbol.query_map` (spec S-4).

    Example:

    ```mlir
    %m = symbol.symbol_immutable_mapping ([%c0 -> %s0], [%c1 -> %s1]) : index
    ```
  }];
  let arguments = (ins Variadic<Index>:$keys, Variadic<Index>:$values);
  let results = (outs Index:$map);
  let assemblyFormat = [{
    custom<MappingPairs>($keys, $values) attr-dict `:` type($map)
  }];
  let hasVerifier = 1;
}

def Symbol_QueryMapOp : Symbol_Op<"query_map", [Pure]> {
  let summary = "symbol that a mapping gives for a key";
  let description = [{
    Yields the symbol paired with the value of `key`, typically an induction
    variable (spec S-5).

    Example:

    ```mlir
    %b = symbol.query_map(map:%m, key:%i) : index
    ```
  }];
  let arguments = (ins Index:$map, Index:$key);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    `(` `map` `` `:` `` $map `,` `key` `` `:` `` $key `)` attr-dict `:` type($value)
  }];
  let extraClassDeclaration = [{
    /// The mapping op that makes `map`; null in an unverified module.
    SymbolImmutableMappingOp getMapping();
  }];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_SYMBOL_SYMBOLOPS_TD
