//===- KeptText.cpp - What a changed text has of the old one --------------===//

#include "KeptText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace ktir {

using syntax::ByteRange;

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// Collects the parts of two texts, from the front.
class KeptText::Comparison {
public:
  explicit Comparison(KeptText &kept)
      : kept(kept), old(kept.oldText), current(kept.currentText),
        oldLines(linesOf(old)), currentLines(linesOf(current)) {}

  void run();

private:
  /// Lines of both texts, the last ones excluded.
  struct Gap {
    size_t oldBegin, oldEnd, currentBegin, currentEnd;
  };
  /// A line that each text has once.
  struct Anchor {
    size_t old, current;
  };

  /// Where each line starts, and the end of the text.
  static std::vector<size_t> linesOf(llvm::StringRef text);
  llvm::StringRef oldLine(size_t number) const {
    return old.slice(oldLines[number], oldLines[number + 1]);
  }
  llvm::StringRef currentLine(size_t number) const {
    return current.slice(currentLines[number], currentLines[number + 1]);
  }

  void keep(size_t oldBegin, size_t currentBegin, size_t size);
  /// Keeps the lines that a gap starts with in both texts.
  void keepFirstLines(Gap &gap);
  /// Takes the lines that a gap ends with in both texts out of it; returns how
  /// many.
  size_t cutLastLines(Gap &gap) const;
  void keepLines(size_t oldBegin, size_t currentBegin, size_t count);
  /// Keeps what a gap starts and ends with.
  void keepEnds(Gap gap);
  std::vector<Anchor> anchorsOf(const Gap &gap) const;

  KeptText &kept;
  llvm::StringRef old, current;
  std::vector<size_t> oldLines, currentLines;
};

std::vector<size_t> KeptText::Comparison::linesOf(llvm::StringRef text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts.push_back(i + 1);
  if (starts.back() != text.size())
    starts.push_back(text.size());
  return starts;
}

void KeptText::Comparison::keep(size_t oldBegin, size_t currentBegin,
                                size_t size) {
  if (!size)
    return;
  if (!kept.parts.empty()) {
    Part &last = kept.parts.back();
    if (last.old + last.size == oldBegin &&
        last.current + last.size == currentBegin) {
      last.size += size;
      return;
    }
  }
  kept.parts.push_back({oldBegin, currentBegin, size});
}

void KeptText::Comparison::keepLines(size_t oldBegin, size_t currentBegin,
                                     size_t count) {
  keep(oldLines[oldBegin], currentLines[currentBegin],
       oldLines[oldBegin + count] - oldLines[oldBegin]);
}

void KeptText::Comparison::keepFirstLines(Gap &gap) {
  while (gap.oldBegin < gap.oldEnd && gap.currentBegin < gap.currentEnd &&
         oldLine(gap.oldBegin) == currentLine(gap.currentBegin))
    keepLines(gap.oldBegin++, gap.currentBegin++, 1);
}

size_t KeptText::Comparison::cutLastLines(Gap &gap) const {
  size_t count = 0;
  while (gap.oldBegin < gap.oldEnd && gap.currentBegin < gap.currentEnd &&
         oldLine(gap.oldEnd - 1) == currentLine(gap.currentEnd - 1)) {
    --gap.oldEnd;
    --gap.currentEnd;
    ++count;
  }
  return count;
}

void KeptText::Comparison::keepEnds(Gap gap) {
  keepFirstLines(gap);
  const size_t lines = cutLastLines(gap);
  const size_t oldBegin = oldLines[gap.oldBegin];
  const size_t currentBegin = currentLines[gap.currentBegin];
  llvm::StringRef before = old.slice(oldBegin, oldLines[gap.oldEnd]);
  llvm::StringRef after =
      current.slice(currentBegin, currentLines[gap.currentEnd]);
  size_t shorter = std::min(before.size(), after.size());
  const size_t first =
      std::mismatch(before.begin(), before.begin() + shorter, after.begin())
          .first -
      before.begin();
  shorter -= first;
  const size_t last =
      std::mismatch(before.rbegin(), before.rbegin() + shorter, after.rbegin())
          .first -
      before.rbegin();
  keep(oldBegin, currentBegin, first);
  keep(oldBegin + before.size() - last, currentBegin + after.size() - last,
       last);
  keepLines(gap.oldEnd, gap.currentEnd, lines);
}

std::vector<KeptText::Comparison::Anchor>
KeptText::Comparison::anchorsOf(const Gap &gap) const {
  struct Places {
    unsigned inOld = 0, inCurrent = 0;
    size_t current = 0;
  };
  llvm::StringMap<Places> places;
  for (size_t i = gap.oldBegin; i < gap.oldEnd; ++i)
    ++places[oldLine(i)].inOld;
  for (size_t i = gap.currentBegin; i < gap.currentEnd; ++i) {
    Places &place = places[currentLine(i)];
    ++place.inCurrent;
    place.current = i;
  }
  // Of those, the most that have the same order in both texts: for each number
  // of lines, the chain that ends first, with the line before in `previous`.
  std::vector<Anchor> unique;
  std::vector<size_t> previous, chains;
  for (size_t i = gap.oldBegin; i < gap.oldEnd; ++i) {
    const Places &place = places[oldLine(i)];
    if (place.inOld != 1 || place.inCurrent != 1)
      continue;
    auto chain = llvm::partition_point(chains, [&](size_t end) {
      return unique[end].current < place.current;
    });
    previous.push_back(chain == chains.begin() ? 0 : *std::prev(chain));
    unique.push_back({i, place.current});
    if (chain == chains.end())
      chains.push_back(unique.size() - 1);
    else
      *chain = unique.size() - 1;
  }
  std::vector<Anchor> anchors(chains.size());
  size_t at = chains.empty() ? 0 : chains.back();
  for (Anchor &anchor : llvm::reverse(anchors)) {
    anchor = unique[at];
    at = previous[at];
  }
  return anchors;
}

void KeptText::Comparison::run() {
  Gap gap = {0, oldLines.size() - 1, 0, currentLines.size() - 1};
  keepFirstLines(gap);
  const size_t last = cutLastLines(gap);
  for (const Anchor &anchor : anchorsOf(gap)) {
    // It may have followed one before it.
    if (anchor.old < gap.oldBegin)
      continue;
    keepEnds({gap.oldBegin, anchor.old, gap.currentBegin, anchor.current});
    gap.oldBegin = anchor.old;
    gap.currentBegin = anchor.current;
    keepFirstLines(gap);
  }
  keepEnds(gap);
  keepLines(gap.oldEnd, gap.currentEnd, last);
}

KeptText::KeptText(llvm::StringRef old, llvm::StringRef current)
    : oldText(old), currentText(current) {
  Comparison(*this).run();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

llvm::ArrayRef<KeptText::Part> KeptText::partsAt(size_t offset) const {
  auto begin = llvm::partition_point(parts, [&](const Part &part) {
    return part.current + part.size < offset;
  });
  auto end = begin;
  while (end != parts.end() && end->current <= offset)
    ++end;
  return llvm::ArrayRef<Part>(parts).slice(begin - parts.begin(), end - begin);
}

size_t KeptText::oldBefore(size_t offset) const {
  auto after = llvm::partition_point(
      parts, [&](const Part &part) { return part.current <= offset; });
  if (after == parts.begin())
    return 0;
  const Part &part = *std::prev(after);
  return part.old + std::min(offset - part.current, part.size);
}

std::optional<ByteRange> KeptText::toCurrent(ByteRange range) const {
  // A start belongs to what follows it, an end to what it ends.
  auto first = llvm::partition_point(parts, [&](const Part &part) {
    return part.old + part.size <= range.begin;
  });
  auto last = llvm::partition_point(parts, [&](const Part &part) {
    return part.old + part.size < range.end;
  });
  if (first == parts.end() || first->old > range.begin || last == parts.end() ||
      last->old >= range.end)
    return std::nullopt;
  return ByteRange{first->current + (range.begin - first->old),
                   last->current + (range.end - last->old)};
}

/// Whether `c` can stand in a name behind its sigil.
static bool continuesName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// Whether the name that `range` is a part of reaches beyond its start or end.
static bool startsBefore(llvm::StringRef text, ByteRange range) {
  if (range.begin == 0 || !continuesName(text[range.begin]))
    return false;
  const char before = text[range.begin - 1];
  return continuesName(before) || llvm::StringRef("%@#!^").contains(before);
}
static bool endsBehind(llvm::StringRef text, ByteRange range) {
  return range.end < text.size() && continuesName(text[range.end]);
}

std::optional<ByteRange> KeptText::nameToCurrent(ByteRange name) const {
  const llvm::StringRef spelling = oldText.slice(name.begin, name.end);
  auto part = llvm::partition_point(
      parts, [&](const Part &one) { return one.old + one.size <= name.begin; });
  // A change next to it may have a part of it in common: `(%a)` became
  // `(%b, %a)`. The name is then where one of the sides has all of it.
  for (; part != parts.end() && part->old < name.end; ++part) {
    if (name.begin + part->current < part->old)
      continue;
    const size_t begin = name.begin + part->current - part->old;
    const ByteRange place = {begin, begin + spelling.size()};
    if (currentText.substr(begin, spelling.size()) != spelling)
      continue;
    // It may be a part of a longer one now.
    if ((startsBefore(currentText, place) && !startsBefore(oldText, name)) ||
        (endsBehind(currentText, place) && !endsBehind(oldText, name)))
      continue;
    return place;
  }
  return std::nullopt;
}

} // namespace ktir
