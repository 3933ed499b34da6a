//===- Transfer.h - Checked memory accesses ---------------------*- C++ -*-===//

#ifndef KTIR_LIB_EXEC_TRANSFER_H
#define KTIR_LIB_EXEC_TRANSFER_H

#include "Runtime.h"

namespace ktir::exec {

/// Copies the elements of `selection` of `view` to `packed` (or from there,
/// when `isWrite`), densely in the order of the selection, and makes every
/// check of a memory access. Next, or Fail after an error that ends the run.
Outcome transfer(Instance &self, const View &view, const Selection &selection,
                 uint8_t *packed, bool isWrite, uint32_t site);

/// The same in turns, for what is itself under way. What it refers to must stay
/// where it is until the end.
class LongTransfer {
public:
  LongTransfer(Instance &self, const View &view, const Selection &selection,
               uint8_t *packed, bool isWrite, uint32_t site);
  ~LongTransfer();

  /// Goes on for one turn: Jump where more is left.
  Outcome advance();

private:
  struct Impl;
  std::unique_ptr<Impl> state;
};

/// The same as an instruction that may take several turns: Jump where more is
/// left, with `packed` kept in `self.unfinished` and given back at the end.
/// `view` must stay where it is until then.
Outcome transferInTurns(Instance &self, const View &view,
                        const Selection &selection, Buffer &packed,
                        bool isWrite, uint32_t site);

} // namespace ktir::exec

#endif // KTIR_LIB_EXEC_TRANSFER_H
