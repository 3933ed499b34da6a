// The states of one program on its way through schedule IR. A vector has 64
// lanes (the device's SFU for f16), so a 3 x 128 tile is 3 x 2 vectors.
// RUN: ktir-opt %S/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   | FileCheck %s --check-prefix=THREE
// RUN: ktir-opt %S/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   --path-expansion | FileCheck %s --check-prefix=PATH
// RUN: ktir-opt %S/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   --path-expansion --stage-coarsening --canonicalize \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// RUN: ktir-opt %S/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   --path-expansion --stage-coarsening=block-bytes=256 --canonicalize \
// RUN:   --double-buffering | FileCheck %s --check-prefix=DOUBLE
// RUN: ktir-opt %S/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   --path-expansion --stage-coarsening=block-bytes=256 --canonicalize \
// RUN:   --double-buffering --parallelize-loops-across-instances \
// RUN:   --address-assignment | FileCheck %s --check-prefix=PLACED

// Loops over rows and over sticks, then load, compute on the SFU, store.
// THREE:      scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step
// THREE:        scf.for %[[C:.*]] = %{{.*}} to %{{.*}} step
// THREE:          ktdf.pipeline
// THREE:            ktdf.stage depends_in(none)
// THREE-NEXT:         ktdf.data_transfer from %{{.*}}[%{{.*}} + %[[R]], %{{.*}} + %[[C]] * 64] size [1, 64] to %{{.*}} size [64] : memref<6x128xf16, "DDR">, !ktdf.fifo.slot<"DDR" -> "SFU", 64xf16>
// THREE:            ktdf.read_from_fifo {{.*}} -> tensor<1x64xf16>
// THREE:            %[[K:.*]] = arith.constant 2.000000e+00 : f16
// THREE-NEXT:       arith.mulf %{{.*}}, %[[K]] : f16
// THREE:            ktdf.write_to_fifo
// THREE:            {applicable_units = ["SFU"]}
// THREE:            ktdf.data_transfer {{.*}} !ktdf.fifo.slot<"SFU" -> "DDR", 64xf16>, memref<6x128xf16, "DDR">
// THREE-NOT:  ktdp.load

// One stage per load or store unit on the way DDR, LX, SFU and back.
// PATH:       applicable_units = ["MNILU"]
// PATH:       memref<1x64xf16, "LX">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
// PATH-NEXT:  applicable_units = ["L1LU"]
// PATH:       applicable_units = ["SFU"]
// PATH:       applicable_units = ["L1SU"]
// PATH:       applicable_units = ["MNISU"]

// Three rows of 256 bytes are one block: no block loop, one transfer.
// WHOLE-NOT:  scf.for
// WHOLE:      ktdf.pipeline
// WHOLE:        ktdf.data_transfer {{.*}} size [3, 128] to %{{.*}}[0, 0] size [3, 128] : memref<6x128xf16, "DDR">, memref<3x128xf16, "LX">
// WHOLE:        ktdf.stage
// WHOLE:          scf.for
// WHOLE:            scf.for
// WHOLE:              ktdf.pipeline
// WHOLE:        {applicable_units = ["L1LU", "SFU", "L1SU"]}
// WHOLE:        ktdf.data_transfer {{.*}} memref<3x128xf16, "LX">, memref<6x128xf16, "DDR">

// With 256 bytes a block is one row, each buffer is there twice, and the row's
// number chooses.
// DOUBLE-COUNT-4: memref.alloc() : memref<1x128xf16, "LX">
// DOUBLE:     scf.for %[[R:.*]] =
// DOUBLE:       %[[P:.*]] = ktdf.buffer_phase(%[[R]]) {num_phases = 2 : i64}
// DOUBLE-COUNT-2: ktdf.select_memref %[[P]][
// DOUBLE:       ktdf.pipeline modulo(size : 2)
// DOUBLE-NOT:   memref.alloc

// The two sticks of a row go to the two corelets; buffers of 256 bytes lie one
// behind the other.
// PLACED-DAG: arith.constant 256 : index
// PLACED-DAG: arith.constant 512 : index
// PLACED-DAG: arith.constant 768 : index
// PLACED:     builtin.unrealized_conversion_cast
// PLACED:     ktdf.parallel {{.*}} distribute(num_instances = 2)
// PLACED-NOT: memref.alloc
