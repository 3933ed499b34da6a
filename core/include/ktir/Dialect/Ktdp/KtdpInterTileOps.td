//===- KtdpInterTileOps.td - Values from tile to tile ------*- tablegen -*-===//
//
// One production publishes values; exactly one delivery consumes them (KTIR
// §4.10 to §4.17). Included by KtdpOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef KTIR_DIALECT_KTDP_INTERTILEOPS_TD
#define KTIR_DIALECT_KTDP_INTERTILEOPS_TD

//===----------------------------------------------------------------------===//
// inter_tile_produce
//===----------------------------------------------------------------------===//

def Ktdp_InterTileProduceOp : Ktdp_Op<"inter_tile_produce",
    [RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"YieldPartialOp">]> {
  let summary = "Publishes values of the producing tiles of each group";
  let description = [{
    A tile of `producer_tiles_per_group` for group `g` runs the region with `g`
    as its argument, publishes what it yields and continues without waiting.
    Any other tile does nothing.

    ```mlir
    %f = ktdp.inter_tile_produce producer_tiles_per_group = #mine
           -> <(tensor<64xf16>), groups = #four> {
    ^bb0(%g: index):
      ktdp.yield_partial %x : tensor<64xf16>
    }
    ```
  }];
  let arguments = (ins Ktdp_IntegerSetAttr:$producer_tiles_per_group);
  let results = (outs Ktdp_TileFutureType:$future);
  let regions = (region SizedRegion<1>:$producer);
  let assemblyFormat = [{
    `producer_tiles_per_group` `=` $producer_tiles_per_group attr-dict `->`
    type($future) $producer
  }];
  let hasVerifier = 1;
}

def Ktdp_YieldPartialOp : Ktdp_Op<"yield_partial", [Pure, Terminator,
    HasParent<"InterTileProduceOp">]> {
  let summary = "Publishes the values of a production, one per role";
  let description = [{
    ```mlir
    ktdp.yield_partial %x, %m : tensor<64xf16>, tensor<1xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  // For the terminator that is added where the text leaves it out.
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
}

//===----------------------------------------------------------------------===//
// Deliveries
//===----------------------------------------------------------------------===//

class Ktdp_DeliveryOp<string mnemonic, list<Trait> traits = []>
    : Ktdp_Op<mnemonic, traits # [Ktdp_DeliveryOpInterface,
                                  RecursiveMemoryEffects]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
}

def Ktdp_InterTileConsumeOp : Ktdp_DeliveryOp<"inter_tile_consume"> {
  let summary = "Hands each consumer tile the value of its one producer";
  let description = [{
    With one producer per group every consumer receives its value; with several
    the dependency set names the sender of each consumer.

    ```mlir
    %y = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all
         : <(tensor<64xf16>), groups = #g0> -> tensor<64xf16>
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      OptionalAttr<Ktdp_IntegerSetAttr>:$producer_dependency_per_consumer);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    (`,` `producer_dependency_per_consumer` `=`
         $producer_dependency_per_consumer^)?
    attr-dict `:` type($future) `->` type($results)
  }];
}

class Ktdp_CombiningDeliveryOp<string mnemonic> : Ktdp_DeliveryOp<mnemonic, [
    SingleBlockImplicitTerminator<"YieldReducedOp">]> {
  let regions = (region SizedRegion<1>:$combiner);
  let extraClassDeclaration = [{
    ::mlir::Region *getCombinerRegion() { return &getCombiner(); }
  }];
}

def Ktdp_InterTileReduceOp
    : Ktdp_CombiningDeliveryOp<"inter_tile_reduce"> {
  let summary = "Hands consumer tiles the fold of their producers' values";
  let description = [{
    The combiner takes two values per role, left ones first, and is associative
    and commutative up to rounding. `identity` combined with a value gives that
    value. The fold is elementwise: types do not change.

    ```mlir
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #mine,
         identity(%zero : tensor<64xf16>)
         : <(tensor<64xf16>), groups = #four> -> tensor<64xf16> {
    ^bb0(%l: tensor<64xf16>, %r: tensor<64xf16>):
      %a = arith.addf %l, %r : tensor<64xf16>
      ktdp.yield_reduced %a : tensor<64xf16>
    }
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Variadic<AnyRankedTensor>:$identity,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      OptionalAttr<Ktdp_IntegerSetAttr>:$producer_dependency_per_consumer);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    `,`
    (`producer_dependency_per_consumer` `=`
         $producer_dependency_per_consumer^ `,`)?
    `identity` `(` ($identity^ `:` type($identity))? `)`
    attr-dict `:` type($future) `->` type($results) $combiner
  }];
}

def Ktdp_InterTileReduceScatterOp
    : Ktdp_CombiningDeliveryOp<"inter_tile_reduce_scatter"> {
  let summary = "Hands each consumer tile its share of the producers' fold";
  let description = [{
    The fold of `inter_tile_reduce`, split over `scatter_dimensions` among the
    consumers of the group in ascending order. `identity` and the combiner have
    the partial types.

    ```mlir
    %s = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #four,
         scatter_dimensions = [0], identity(%zero : tensor<8x64xf16>)
         : <(tensor<8x64xf16>), groups = #g0> -> tensor<2x64xf16> {
    ^bb0(%l: tensor<8x64xf16>, %r: tensor<8x64xf16>):
      %a = arith.addf %l, %r : tensor<8x64xf16>
      ktdp.yield_reduced %a : tensor<8x64xf16>
    }
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Variadic<AnyRankedTensor>:$identity,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      DenseI64ArrayAttr:$scatter_dimensions,
      OptionalAttr<Ktdp_IntegerSetAttr>:$producer_dependency_per_consumer);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    `,` `scatter_dimensions` `=` $scatter_dimensions `,`
    (`producer_dependency_per_consumer` `=`
         $producer_dependency_per_consumer^ `,`)?
    `identity` `(` ($identity^ `:` type($identity))? `)`
    attr-dict `:` type($future) `->` type($results) $combiner
  }];
}

def Ktdp_InterTileGatherOp : Ktdp_DeliveryOp<"inter_tile_gather"> {
  let summary = "Hands consumer tiles the joined values of their producers";
  let description = [{
    The values are joined along `gather_dimensions` in ascending order of the
    producers, the last listed dimension fastest.

    ```mlir
    %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #four,
         gather_dimensions = [0]
         : <(tensor<1x64xf16>), groups = #g0> -> tensor<4x64xf16>
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      DenseI64ArrayAttr:$gather_dimensions,
      OptionalAttr<Ktdp_IntegerSetAttr>:$producer_dependency_per_consumer);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    `,` `gather_dimensions` `=` $gather_dimensions
    (`,` `producer_dependency_per_consumer` `=`
         $producer_dependency_per_consumer^)?
    attr-dict `:` type($future) `->` type($results)
  }];
}

def Ktdp_InterTileAllToAllOp : Ktdp_DeliveryOp<"inter_tile_all_to_all"> {
  let summary = "Hands each consumer tile its share of every producer's value";
  let description = [{
    Every value is split along `split_dimensions` among the consumers; a
    consumer joins its shares along `concat_dimensions` in ascending order of
    the producers.

    ```mlir
    %r = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #four,
         split_dimensions = [0], concat_dimensions = [1]
         : <(tensor<4x64xf16>), groups = #g0> -> tensor<1x256xf16>
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      DenseI64ArrayAttr:$split_dimensions,
      DenseI64ArrayAttr:$concat_dimensions,
      OptionalAttr<Ktdp_IntegerSetAttr>:$producer_dependency_per_consumer);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    `,` `split_dimensions` `=` $split_dimensions
    `,` `concat_dimensions` `=` $concat_dimensions
    (`,` `producer_dependency_per_consumer` `=`
         $producer_dependency_per_consumer^)?
    attr-dict `:` type($future) `->` type($results)
  }];
}

def Ktdp_InterTileScatterOp : Ktdp_DeliveryOp<"inter_tile_scatter"> {
  let summary = "Hands each consumer tile its share of the one producer's value";
  let description = [{
    The value of the group's only producer is split along `scatter_dimensions`
    among the consumers of the group in ascending order.

    ```mlir
    %r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #four,
         scatter_dimensions = [0]
         : <(tensor<8x64xf16>), groups = #g0> -> tensor<2x64xf16>
    ```
  }];
  let arguments = (ins Ktdp_TileFutureType:$future,
      Ktdp_IntegerSetAttr:$consumer_tiles_per_group,
      DenseI64ArrayAttr:$scatter_dimensions);
  let assemblyFormat = [{
    `(` $future `)` `consumer_tiles_per_group` `=` $consumer_tiles_per_group
    `,` `scatter_dimensions` `=` $scatter_dimensions
    attr-dict `:` type($future) `->` type($results)
  }];
}

def Ktdp_YieldReducedOp : Ktdp_Op<"yield_reduced", [Pure, Terminator]> {
  let summary = "Ends a combiner with the combined values, one per role";
  let description = [{
    The values have the partial types.

    ```mlir
    ktdp.yield_reduced %a : tensor<64xf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  // For the terminator that is added where the text leaves it out.
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let hasVerifier = 1;
}

#endif // KTIR_DIALECT_KTDP_INTERTILEOPS_TD
