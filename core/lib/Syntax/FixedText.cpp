//===- FixedText.cpp - Text with its legacy forms replaced ----------------===//

#include "ktir/Syntax/FixedText.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace ktir::syntax {

FixedText::FixedText(llvm::StringRef original, llvm::ArrayRef<Fix> fixes) {
  struct Placed {
    const Edit *edit;
    size_t fix;
  };
  std::vector<Placed> placed;
  for (size_t i = 0; i < fixes.size(); ++i)
    for (const Edit &edit : fixes[i].edits)
      placed.push_back({&edit, i});
  // An insertion stands before what replaces the bytes behind it.
  llvm::sort(placed, [](const Placed &a, const Placed &b) {
    return std::tie(a.edit->begin, a.edit->end, a.fix) <
           std::tie(b.edit->begin, b.edit->end, b.fix);
  });

  size_t at = 0;
  for (const Placed &next : placed) {
    contents += original.slice(at, next.edit->begin);
    const size_t begin = contents.size();
    contents += next.edit->text;
    segments.push_back({{next.edit->begin, next.edit->end},
                        {begin, contents.size()},
                        {fixes[next.fix].begin, fixes[next.fix].end}});
    at = next.edit->end;
  }
  contents += original.substr(at);
}

size_t FixedText::originalOffset(size_t fixed) const {
  auto after =
      llvm::upper_bound(segments, fixed, [](size_t offset, const Segment &s) {
        return offset < s.fixed.begin;
      });
  if (after == segments.begin())
    return fixed;
  const Segment &segment = *std::prev(after);
  if (fixed < segment.fixed.end)
    return segment.original.begin;
  return segment.original.end + (fixed - segment.fixed.end);
}

ByteRange FixedText::originalRange(size_t begin, size_t end) const {
  // The last segment that starts before `end`: the one that `end` can be in.
  auto after = llvm::lower_bound(
      segments, std::max(end, begin + 1),
      [](const Segment &s, size_t offset) { return s.fixed.begin < offset; });
  const Segment *last =
      after == segments.begin() ? nullptr : &*std::prev(after);
  const bool isInserted = last && last->original.begin == last->original.end &&
                          begin >= last->fixed.begin &&
                          begin < last->fixed.end && end <= last->fixed.end;
  if (isInserted)
    return last->reported;

  ByteRange range = {originalOffset(begin), 0};
  if (end <= begin)
    range.end = range.begin;
  else if (!last)
    range.end = end;
  else if (end <= last->fixed.end)
    range.end = last->original.end;
  else
    range.end = last->original.end + (end - last->fixed.end);
  return range;
}

size_t FixedText::fixedOffset(size_t original) const {
  auto after = llvm::upper_bound(segments, original,
                                 [](size_t offset, const Segment &s) {
                                   return offset < s.original.begin;
                                 });
  if (after == segments.begin())
    return original;
  const Segment &segment = *std::prev(after);
  if (original < segment.original.end)
    return segment.fixed.begin;
  return segment.fixed.end + (original - segment.original.end);
}

} // namespace ktir::syntax
