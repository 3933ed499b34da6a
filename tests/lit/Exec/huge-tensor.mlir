// A tensor of 2^40 elements is refused before anything is allocated.
// RUN: echo '{}' > %t.json
// RUN: not ktir run %s --args %t.json --level ktir 2> %t.message
// RUN: FileCheck %s --input-file %t.message

// CHECK: huge-tensor.mlir:[[@LINE+2]]:{{[0-9]+}}: error: cannot be executed: expected a tensor of at most 67108864 elements, but found 'tensor<1099511627776xf16>'
func.func @huge() {
  %a = tensor.empty() : tensor<1099511627776xf16>
  %b = arith.addf %a, %a : tensor<1099511627776xf16>
  return
}
