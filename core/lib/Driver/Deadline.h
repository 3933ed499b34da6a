//===- Deadline.h - The end of a stretch of time ----------------*- C++ -*-===//

#ifndef KTIR_LIB_DRIVER_DEADLINE_H
#define KTIR_LIB_DRIVER_DEADLINE_H

#include <chrono>
#include <cstdint>

namespace ktir {

/// The end of a stretch of time that begins now.
class Deadline {
public:
  explicit Deadline(double milliseconds)
      : end(Clock::now() +
            std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double, std::milli>(milliseconds))) {}
  bool isOver() const { return Clock::now() >= end; }

  /// Instructions between two looks at the clock: some hundredths of a
  /// millisecond of scalar ones. One with many elements counts as one for each
  /// 64, which take a tenth of a millisecond where they are slowest.
  static constexpr uint64_t budgetPerLook = 512;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end;
};

} // namespace ktir

#endif // KTIR_LIB_DRIVER_DEADLINE_H
