//===- KtdpInterfaces.td - What deliveries share -----------*- tablegen -*-===//

#ifndef KTIR_DIALECT_KTDP_INTERFACES_TD
#define KTIR_DIALECT_KTDP_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Ktdp_DeliveryOpInterface : OpInterface<"DeliveryOpInterface"> {
  let cppNamespace = "::ktir::ktdp";
  let description = [{
    An op that hands the values of one production to the consumer tiles of each
    group (KTIR §4.10).
  }];
  let methods = [
    InterfaceMethod<"The production whose values are delivered.",
                    "::mlir::TypedValue<::ktir::ktdp::TileFutureType>",
                    "getFuture">,
    InterfaceMethod<"Tiles that receive, as a set `(i)[g]`.",
                    "::mlir::IntegerSet", "getConsumerTilesPerGroup">,
    InterfaceMethod<"Producers that a consumer waits for, as a set `(p)[c]` or "
                    "`(p)[c, g]`; absent: all of the group.",
                    "std::optional<::mlir::IntegerSet>",
                    "getProducerDependencyPerConsumer", (ins),
                    /*methodBody=*/[{}], /*defaultImplementation=*/[{
      return std::nullopt;
    }]>,
    InterfaceMethod<"The fold of the producers' values, where the op combines "
                    "them; otherwise null.",
                    "::mlir::Region *", "getCombinerRegion", (ins),
                    /*methodBody=*/[{}], /*defaultImplementation=*/[{
      return nullptr;
    }]>
  ];
}

#endif // KTIR_DIALECT_KTDP_INTERFACES_TD
