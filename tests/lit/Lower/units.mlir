// Stages become parts of a program bound to units; a signal stands where one
// part writes the scratchpad that the other reads, and nowhere else.
// RUN: ktir-opt %S/../Schedule/Inputs/scale.mlir --ensure-device-declaration \
// RUN:   --compute-group-extraction --construct-three-stage-pipeline \
// RUN:   --path-expansion --stage-coarsening=block-bytes=256 --canonicalize \
// RUN:   --double-buffering --parallelize-loops-across-instances \
// RUN:   --address-assignment --ktdf-to-ktdflowering | FileCheck %s

// Core-level units once per core, the others once per corelet.
// CHECK-DAG:  name = "C0-mnilu", type = "mnilu"
// CHECK-DAG:  name = "C1-mnisu", type = "mnisu"
// CHECK-DAG:  name = "C0-l1lu-CL0", type = "l1lu"
// CHECK-DAG:  name = "C1-sfu-CL1", type = "sfu"
// CHECK:      scf.for
// CHECK:        ktdf_lowering.execute_on %[[LOAD:[0-9]+]] {
// CHECK-NEXT:     ktdf.data_transfer
// CHECK-NEXT:   }
// CHECK-NEXT:   ktdf_lowering.signal %[[LOAD]], %[[L0:.*]], %[[L1:[0-9]+]]
// CHECK-NEXT:   ktdf_lowering.execute_on %[[L0]], %[[L1]], %[[F0:.*]], %[[F1:.*]], %[[S0:.*]], %[[S1:[0-9]+]] {
// CHECK:          ktdf.parallel
// CHECK:            ktdf_lowering.execute_on %[[L0]], %[[L1]] {
// CHECK-NOT:        ktdf_lowering.signal
// CHECK:            ktdf_lowering.execute_on %[[F0]], %[[F1]] {
// CHECK-NOT:        ktdf_lowering.signal
// CHECK:            ktdf_lowering.execute_on %[[S0]], %[[S1]] {
// CHECK:        ktdf_lowering.signal %[[S0]], %[[S1]], %[[STORE:[0-9]+]]
// CHECK-NEXT:   ktdf_lowering.execute_on %[[STORE]] {
// CHECK-NOT:  ktdf.pipeline
// CHECK-NOT:  ktdf.stage
// CHECK-NOT:  loop_type
