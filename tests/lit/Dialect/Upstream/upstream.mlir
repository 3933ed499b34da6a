// Every operation that KTIR takes from other dialects (§2.6), and those of
// `affine`: parsed, verified, printed, and not broken by canonicalization.
// RUN: ktir-opt %s --mlir-print-op-generic -o %t.generic
// RUN: sh %S/Inputs/every-operation.sh %S/Inputs/operations.txt %t.generic
// RUN: ktir-opt %s -o %t.1
// RUN: ktir-opt %t.1 -o %t.2
// RUN: cmp %t.1 %t.2
// RUN: ktir-opt %t.generic -o %t.3
// RUN: cmp %t.1 %t.3

// What canonicalization leaves of operations on arguments is all of them, as
// none is redundant, and doing it again changes nothing.
// RUN: ktir-opt %s -canonicalize --mlir-print-op-generic -o %t.canonical
// RUN: sh %S/Inputs/every-operation.sh %S/Inputs/operations.txt %t.canonical
// RUN: ktir-opt %t.canonical -canonicalize -o %t.4
// RUN: ktir-opt %t.canonical -o %t.5
// RUN: cmp %t.4 %t.5

// The command line and the editor read them as well.
// RUN: ktir check %s
// RUN: ktir fmt %s

func.func @arith_float_scalars(%a: f16, %b: f16) -> (f16, f16, f16, f16, f16, f16, f16, f16, f16, f16) {
  %0 = arith.addf %a, %b : f16
  %1 = arith.subf %a, %b : f16
  %2 = arith.mulf %a, %b : f16
  %3 = arith.divf %a, %b : f16
  %4 = arith.remf %a, %b : f16
  %5 = arith.maximumf %a, %b : f16
  %6 = arith.minimumf %a, %b : f16
  %7 = arith.maxnumf %a, %b : f16
  %8 = arith.minnumf %a, %b : f16
  %9 = arith.negf %a : f16
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f16, f16, f16, f16, f16, f16, f16, f16, f16, f16
}

func.func @math_scalars(%a: f16, %b: f16) -> (f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16) {
  %0 = math.exp %a : f16
  %1 = math.log %a : f16
  %2 = math.log2 %a : f16
  %3 = math.log1p %a : f16
  %4 = math.sqrt %a : f16
  %5 = math.rsqrt %a : f16
  %6 = math.sin %a : f16
  %7 = math.cos %a : f16
  %8 = math.tanh %a : f16
  %9 = math.erf %a : f16
  %10 = math.absf %a : f16
  %11 = math.ceil %a : f16
  %12 = math.floor %a : f16
  %13 = math.powf %a, %b : f16
  %14 = math.fma %a, %b, %a : f16
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16
}

func.func @arith_float_tensors(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = arith.addf %a, %b : tensor<3x5xf32>
  %1 = arith.subf %a, %b : tensor<3x5xf32>
  %2 = arith.mulf %a, %b : tensor<3x5xf32>
  %3 = arith.divf %a, %b : tensor<3x5xf32>
  %4 = arith.remf %a, %b : tensor<3x5xf32>
  %5 = arith.maximumf %a, %b : tensor<3x5xf32>
  %6 = arith.minimumf %a, %b : tensor<3x5xf32>
  %7 = arith.maxnumf %a, %b : tensor<3x5xf32>
  %8 = arith.minnumf %a, %b : tensor<3x5xf32>
  %9 = arith.negf %a : tensor<3x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}

func.func @math_tensors(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = math.exp %a : tensor<3x5xf32>
  %1 = math.log %a : tensor<3x5xf32>
  %2 = math.log2 %a : tensor<3x5xf32>
  %3 = math.log1p %a : tensor<3x5xf32>
  %4 = math.sqrt %a : tensor<3x5xf32>
  %5 = math.rsqrt %a : tensor<3x5xf32>
  %6 = math.sin %a : tensor<3x5xf32>
  %7 = math.cos %a : tensor<3x5xf32>
  %8 = math.tanh %a : tensor<3x5xf32>
  %9 = math.erf %a : tensor<3x5xf32>
  %10 = math.absf %a : tensor<3x5xf32>
  %11 = math.ceil %a : tensor<3x5xf32>
  %12 = math.floor %a : tensor<3x5xf32>
  %13 = math.powf %a, %b : tensor<3x5xf32>
  %14 = math.fma %a, %b, %a : tensor<3x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}

func.func @arith_int_scalars(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  %3 = arith.divsi %a, %b : i32
  %4 = arith.divui %a, %b : i32
  %5 = arith.remsi %a, %b : i32
  %6 = arith.remui %a, %b : i32
  %7 = arith.ceildivsi %a, %b : i32
  %8 = arith.ceildivui %a, %b : i32
  %9 = arith.floordivsi %a, %b : i32
  %10 = arith.andi %a, %b : i32
  %11 = arith.ori %a, %b : i32
  %12 = arith.xori %a, %b : i32
  %13 = arith.shli %a, %b : i32
  %14 = arith.shrsi %a, %b : i32
  %15 = arith.shrui %a, %b : i32
  %16 = arith.minsi %a, %b : i32
  %17 = arith.maxsi %a, %b : i32
  %18 = arith.minui %a, %b : i32
  %19 = arith.maxui %a, %b : i32
  %20 = math.absi %a : i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @arith_int_indices(%a: index, %b: index) -> (index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index) {
  %0 = arith.addi %a, %b : index
  %1 = arith.subi %a, %b : index
  %2 = arith.muli %a, %b : index
  %3 = arith.divsi %a, %b : index
  %4 = arith.divui %a, %b : index
  %5 = arith.remsi %a, %b : index
  %6 = arith.remui %a, %b : index
  %7 = arith.ceildivsi %a, %b : index
  %8 = arith.ceildivui %a, %b : index
  %9 = arith.floordivsi %a, %b : index
  %10 = arith.andi %a, %b : index
  %11 = arith.ori %a, %b : index
  %12 = arith.xori %a, %b : index
  %13 = arith.shli %a, %b : index
  %14 = arith.shrsi %a, %b : index
  %15 = arith.shrui %a, %b : index
  %16 = arith.minsi %a, %b : index
  %17 = arith.maxsi %a, %b : index
  %18 = arith.minui %a, %b : index
  %19 = arith.maxui %a, %b : index
  %20 = math.absi %a : index
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 : index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index
}

func.func @arith_int_tensors(%a: tensor<7xi64>, %b: tensor<7xi64>) -> (tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>) {
  %0 = arith.addi %a, %b : tensor<7xi64>
  %1 = arith.subi %a, %b : tensor<7xi64>
  %2 = arith.muli %a, %b : tensor<7xi64>
  %3 = arith.divsi %a, %b : tensor<7xi64>
  %4 = arith.divui %a, %b : tensor<7xi64>
  %5 = arith.remsi %a, %b : tensor<7xi64>
  %6 = arith.remui %a, %b : tensor<7xi64>
  %7 = arith.ceildivsi %a, %b : tensor<7xi64>
  %8 = arith.ceildivui %a, %b : tensor<7xi64>
  %9 = arith.floordivsi %a, %b : tensor<7xi64>
  %10 = arith.andi %a, %b : tensor<7xi64>
  %11 = arith.ori %a, %b : tensor<7xi64>
  %12 = arith.xori %a, %b : tensor<7xi64>
  %13 = arith.shli %a, %b : tensor<7xi64>
  %14 = arith.shrsi %a, %b : tensor<7xi64>
  %15 = arith.shrui %a, %b : tensor<7xi64>
  %16 = arith.minsi %a, %b : tensor<7xi64>
  %17 = arith.maxsi %a, %b : tensor<7xi64>
  %18 = arith.minui %a, %b : tensor<7xi64>
  %19 = arith.maxui %a, %b : tensor<7xi64>
  %20 = math.absi %a : tensor<7xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 : tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>
}

func.func @arith_compare(%i: tensor<5xi32>, %j: tensor<5xi32>, %x: tensor<5xf32>, %y: tensor<5xf32>, %m: tensor<5xi1>, %c: i1) -> (tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) {
  %0 = arith.cmpi eq, %i, %j : tensor<5xi32>
  %1 = arith.cmpi ne, %i, %j : tensor<5xi32>
  %2 = arith.cmpi slt, %i, %j : tensor<5xi32>
  %3 = arith.cmpi sle, %i, %j : tensor<5xi32>
  %4 = arith.cmpi sgt, %i, %j : tensor<5xi32>
  %5 = arith.cmpi sge, %i, %j : tensor<5xi32>
  %6 = arith.cmpi ult, %i, %j : tensor<5xi32>
  %7 = arith.cmpi ule, %i, %j : tensor<5xi32>
  %8 = arith.cmpi ugt, %i, %j : tensor<5xi32>
  %9 = arith.cmpi uge, %i, %j : tensor<5xi32>
  %10 = arith.cmpf oeq, %x, %y : tensor<5xf32>
  %11 = arith.cmpf ogt, %x, %y : tensor<5xf32>
  %12 = arith.cmpf oge, %x, %y : tensor<5xf32>
  %13 = arith.cmpf olt, %x, %y : tensor<5xf32>
  %14 = arith.cmpf ole, %x, %y : tensor<5xf32>
  %15 = arith.cmpf one, %x, %y : tensor<5xf32>
  %16 = arith.cmpf ord, %x, %y : tensor<5xf32>
  %17 = arith.cmpf ueq, %x, %y : tensor<5xf32>
  %18 = arith.cmpf ugt, %x, %y : tensor<5xf32>
  %19 = arith.cmpf uge, %x, %y : tensor<5xf32>
  %20 = arith.cmpf ult, %x, %y : tensor<5xf32>
  %21 = arith.cmpf ule, %x, %y : tensor<5xf32>
  %22 = arith.cmpf une, %x, %y : tensor<5xf32>
  %23 = arith.cmpf uno, %x, %y : tensor<5xf32>
  %24 = arith.select %m, %x, %y : tensor<5xi1>, tensor<5xf32>
  %25 = arith.select %c, %x, %y : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25 : tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xf32>, tensor<5xf32>
}

func.func @arith_convert(%h: f16, %f: f32, %b: i8, %i: i32, %x: index) -> (f32, f16, i32, i64, i1, f16, f32, i32, i64, index, i64, i32) {
  %0 = arith.extf %h : f16 to f32
  %1 = arith.truncf %f : f32 to f16
  %2 = arith.extsi %b : i8 to i32
  %3 = arith.extui %b : i8 to i64
  %4 = arith.trunci %i : i32 to i1
  %5 = arith.sitofp %i : i32 to f16
  %6 = arith.uitofp %i : i32 to f32
  %7 = arith.fptosi %h : f16 to i32
  %8 = arith.fptoui %f : f32 to i64
  %9 = arith.index_cast %i : i32 to index
  %10 = arith.index_castui %x : index to i64
  %11 = arith.bitcast %f : f32 to i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : f32, f16, i32, i64, i1, f16, f32, i32, i64, index, i64, i32
}

func.func @arith_constants() -> (f16, f32, i1, i64, index, tensor<2x3xf16>, tensor<2xf16>, tensor<4xi32>) {
  %0 = arith.constant 0xFC00 : f16
  %1 = arith.constant 9.99E-6 : f32
  %2 = arith.constant true
  %3 = arith.constant -9223372036854775808 : i64
  %4 = arith.constant 7 : index
  %5 = arith.constant dense<1.0e-5> : tensor<2x3xf16>
  %6 = arith.constant dense<[1.5, -2.0]> : tensor<2xf16>
  %7 = arith.constant dense<[0, 1, -1, 0x7F]> : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : f16, f32, i1, i64, index, tensor<2x3xf16>, tensor<2xf16>, tensor<4xi32>
}

func.func private @called(%x: f32) -> f32
func.func @call(%x: f32) -> f32 {
  %0 = func.call @called(%x) : (f32) -> f32
  return %0 : f32
}

func.func @scf_for_if(%c: i1, %n: index, %init: tensor<3xf32>, %other: tensor<3xf32>) -> (tensor<3xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %count = %n) -> (tensor<3xf32>, index) {
    %1:2 = scf.if %c -> (tensor<3xf32>, index) {
      %2 = arith.addf %sum, %other : tensor<3xf32>
      scf.yield %2, %i : tensor<3xf32>, index
    } else {
      %3 = arith.addi %count, %i : index
      scf.yield %sum, %3 : tensor<3xf32>, index
    }
    scf.yield %1#0, %1#1 : tensor<3xf32>, index
  }
  return %0#0, %0#1 : tensor<3xf32>, index
}

func.func @scf_parallel(%n: index, %init: f32, %x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> f32 {
    %1 = tensor.extract %x[%i] : tensor<?xf32>
    scf.reduce(%1 : f32) {
    ^bb0(%left: f32, %right: f32):
      %2 = arith.addf %left, %right : f32
      scf.reduce.return %2 : f32
    }
  }
  return %0 : f32
}

func.func @scf_forall(%x: tensor<5x3xf32>, %out: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = scf.forall (%i) in (5) shared_outs(%o = %out) -> (tensor<5x3xf32>) {
    %1 = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<5x3xf32> to tensor<1x3xf32>
    %2 = math.exp %1 : tensor<1x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<5x3xf32>
    }
  }
  return %0 : tensor<5x3xf32>
}

#row = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d0)>
func.func @linalg_generic(%x: tensor<3x5xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %in, %3 : f32
    %5 = arith.addf %4, %out : f32
    linalg.yield %5 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @linalg_named(%x: tensor<3x5xf16>, %y: tensor<3x5xf16>, %v: tensor<3xf16>, %s: f16, %o: tensor<3x5xf16>, %t: tensor<5x3xf16>, %m: tensor<3x3xf32>, %b: tensor<2x3x5xf16>, %c: tensor<2x5x7xf16>, %d: tensor<2x3x7xf32>) -> (tensor<3x5xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3x5xf16>, tensor<5x3xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x3xf32>, tensor<2x3x7xf32>) {
  %0 = linalg.fill ins(%s : f16) outs(%o : tensor<3x5xf16>) -> tensor<3x5xf16>
  %1 = linalg.reduce {arith.maximumf} ins(%x : tensor<3x5xf16>) outs(%v : tensor<3xf16>) dimensions = [1]
  %2 = linalg.reduce ins(%y : tensor<3x5xf16>) outs(%v : tensor<3xf16>) dimensions = [1]
    (%in: f16, %out: f16) {
      %11 = math.absf %in : f16
      %12 = arith.addf %out, %11 : f16
      linalg.yield %12 : f16
    }
  %3 = linalg.broadcast ins(%v : tensor<3xf16>) outs(%o : tensor<3x5xf16>) dimensions = [1]
  %4 = linalg.transpose ins(%x : tensor<3x5xf16>) outs(%t : tensor<5x3xf16>) permutation = [1, 0]
  %5 = linalg.add ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%o : tensor<3x5xf16>) -> tensor<3x5xf16>
  %6 = linalg.sub ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%o : tensor<3x5xf16>) -> tensor<3x5xf16>
  %7 = linalg.mul ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%o : tensor<3x5xf16>) -> tensor<3x5xf16>
  %8 = linalg.max ins(%x, %y : tensor<3x5xf16>, tensor<3x5xf16>) outs(%o : tensor<3x5xf16>) -> tensor<3x5xf16>
  %9 = linalg.matmul ins(%x, %t : tensor<3x5xf16>, tensor<5x3xf16>) outs(%m : tensor<3x3xf32>) -> tensor<3x3xf32>
  %10 = linalg.batch_matmul ins(%b, %c : tensor<2x3x5xf16>, tensor<2x5x7xf16>) outs(%d : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3x5xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3x5xf16>, tensor<5x3xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x3xf32>, tensor<2x3x7xf32>
}

func.func @tensor(%s: f32, %i: index, %x: tensor<3x10xf32>, %shape: tensor<2xi32>) -> (tensor<3x?xf32>, tensor<2x3xf32>, tensor<?x3xindex>, tensor<2xf32>, f32, tensor<1x4xf32>, tensor<3x10xf32>, tensor<3x2x5xf32>, tensor<30xf32>, tensor<?x?xf32>, tensor<6x10xf32>) {
  %0 = tensor.empty(%i) : tensor<3x?xf32>
  %1 = tensor.splat %s : tensor<2x3xf32>
  %2 = tensor.generate %i {
  ^bb0(%row: index, %column: index):
    %11 = arith.addi %row, %column : index
    tensor.yield %11 : index
  } : tensor<?x3xindex>
  %3 = tensor.from_elements %s, %s : tensor<2xf32>
  %4 = tensor.extract %x[%i, %i] : tensor<3x10xf32>
  %5 = tensor.extract_slice %x[%i, 2] [1, 4] [1, 2] : tensor<3x10xf32> to tensor<1x4xf32>
  %6 = tensor.insert_slice %5 into %x[0, %i] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x10xf32>
  %7 = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 2, 5] : tensor<3x10xf32> into tensor<3x2x5xf32>
  %8 = tensor.collapse_shape %x [[0, 1]] : tensor<3x10xf32> into tensor<30xf32>
  %9 = tensor.reshape %x(%shape) : (tensor<3x10xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %10 = tensor.concat dim(0) %x, %6 : (tensor<3x10xf32>, tensor<3x10xf32>) -> tensor<6x10xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3x?xf32>, tensor<2x3xf32>, tensor<?x3xindex>, tensor<2xf32>, f32, tensor<1x4xf32>, tensor<3x10xf32>, tensor<3x2x5xf32>, tensor<30xf32>, tensor<?x?xf32>, tensor<6x10xf32>
}

#all = affine_set<(r, c) : (r >= 0, -r + 7 >= 0, c >= 0, -c + 63 >= 0)>
#four = affine_set<(r, c) : (r >= 0, -r + 3 >= 0, c >= 0, -c + 63 >= 0)>
func.func @memref_subview(%p: index) -> memref<4x64xf16, strided<[64, 1], offset: 128>> {
  %v = ktdp.construct_memory_view %p, sizes: [8, 64], strides: [64, 1] {coordinate_set = #all, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
  %0 = memref.subview %v[2, 0] [4, 64] [1, 1] : memref<8x64xf16> to memref<4x64xf16, strided<[64, 1], offset: 128>>
  return %0 : memref<4x64xf16, strided<[64, 1], offset: 128>>
}

#inside = affine_set<(d0)[s0] : (d0 - 3 >= 0, s0 - d0 - 1 >= 0)>
func.func @affine(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) -> (index, index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 3 + d0 mod 5)>(%n)
  %1 = affine.min affine_map<(d0) -> (d0, 37)>(%n)
  %2 = affine.max affine_map<(d0)[s0] -> (d0 * 2, s0 + 1)>(%n)[%n]
  affine.for %i = 0 to %n {
    affine.if #inside(%i)[%n] {
      %3 = affine.load %x[%i + 1] : memref<?xf32>
      affine.store %3, %y[%i] : memref<?xf32>
    }
  }
  %4 = affine.parallel (%j) = (0) to (symbol(%n)) reduce ("addf") -> (f32) {
    %5 = affine.load %y[%j] : memref<?xf32>
    affine.yield %5 : f32
  }
  affine.store %4, %x[0] : memref<?xf32>
  return %0, %1, %2 : index, index, index
}
