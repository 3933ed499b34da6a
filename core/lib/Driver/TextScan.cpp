//===- TextScan.cpp - Positions and limits in source text -----------------===//

#include "TextScan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

namespace ktir {

SourceText::SourceText(std::string file, std::string text)
    : name(std::move(file)), contents(std::move(text)) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < contents.size(); ++i)
    if (contents[i] == '\n')
      lineStarts.push_back(i + 1);
}

std::optional<size_t> SourceText::offsetOf(unsigned line,
                                           unsigned column) const {
  if (line == 0 || column == 0 || line > lineStarts.size())
    return std::nullopt;
  const size_t end =
      line < lineStarts.size() ? lineStarts[line] : contents.size() + 1;
  const size_t offset = lineStarts[line - 1] + (column - 1);
  if (offset >= end)
    return std::nullopt;
  return offset;
}

SourceRange SourceText::rangeOf(size_t begin, size_t end) const {
  auto position = [&](size_t offset) {
    size_t line =
        std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) -
        lineStarts.begin();
    return std::make_pair(unsigned(line),
                          unsigned(offset - lineStarts[line - 1] + 1));
  };
  SourceRange range;
  range.file = name;
  std::tie(range.line, range.column) = position(begin);
  std::tie(range.endLine, range.endColumn) = position(end);
  return range;
}

llvm::StringRef SourceText::line(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  const size_t begin = lineStarts[line - 1];
  size_t end = line < lineStarts.size() ? lineStarts[line] : contents.size();
  llvm::StringRef text(contents.data() + begin, end - begin);
  return text.rtrim("\r\n");
}

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

size_t SourceText::tokenStart(size_t offset) const {
  size_t at = offset;
  while (at < contents.size() && (contents[at] == ' ' || contents[at] == '\t'))
    ++at;
  const bool isToken = at < contents.size() && contents[at] != '\n' &&
                       contents[at] != '\r' &&
                       contents.compare(at, 2, "//") != 0;
  return isToken ? at : offset;
}

size_t SourceText::tokenEnd(size_t offset) const {
  const std::string &text = contents;
  if (offset >= text.size() || llvm::isSpace(text[offset]))
    return offset;
  size_t at = offset;
  const char first = text[at];
  auto stringEnd = [&](size_t from) {
    for (size_t i = from; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        return i + 1;
    }
    return from;
  };
  if (first == '"')
    return stringEnd(at + 1);
  if (first == '-' && at + 1 < text.size() && text[at + 1] == '>')
    return at + 2;
  if (llvm::StringRef("%@#!^").contains(first)) {
    ++at;
    if (first == '@' && at < text.size() && text[at] == '"')
      return stringEnd(at + 1);
    while (at < text.size() && (isWordCharacter(text[at]) || text[at] == '-' ||
                                (first == '%' && text[at] == '#')))
      ++at;
    return at;
  }
  if (!isWordCharacter(first)) {
    // One character of any encoding is one token.
    ++at;
    while (at < text.size() && (uint8_t(text[at]) & 0xC0) == 0x80)
      ++at;
    return at;
  }
  while (at < text.size() && isWordCharacter(text[at]))
    ++at;
  return at;
}

std::optional<TextProblem> findUnreadableByte(llvm::StringRef text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return TextProblem{0, "unexpected byte order mark, expected UTF-8 text "
                          "without one"};
  const size_t at = text.find('\0');
  if (at != llvm::StringRef::npos)
    return TextProblem{at, "unexpected NUL byte, expected UTF-8 text"};
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *next = bytes;
  if (!llvm::isLegalUTF8String(&next, bytes + text.size()))
    return TextProblem{size_t(next - bytes), "unexpected byte 0x" +
                                                 llvm::utohexstr(*next) +
                                                 ", expected UTF-8 text"};
  return std::nullopt;
}

/// What takes MLIR's parser time that grows with the square of its length: the
/// number, the shape or the names of an affine set or map that start with the
/// word at `begin`.
static std::optional<TextProblem> findExcessiveWord(llvm::StringRef text,
                                                    size_t begin) {
  constexpr size_t maxDigits = 1024;
  constexpr size_t maxDimensions = 256;
  constexpr size_t maxNames = 1024;
  size_t end = begin;
  while (end < text.size() && isWordCharacter(text[end]))
    ++end;
  const llvm::StringRef word = text.slice(begin, end);
  if (word == "affine_set" || word == "affine_map") {
    // `<(d0, d1)[s0]`
    llvm::StringRef rest = text.substr(end).ltrim();
    if (!rest.consume_front("<") || !rest.ltrim().starts_with("("))
      return std::nullopt;
    const size_t names = rest.take_front(rest.find_first_of(":-")).count(',');
    if (names >= maxNames)
      return TextProblem{begin, "'" + word.str() + "' has more than " +
                                    std::to_string(maxNames) +
                                    " dimensions and symbols"};
    return std::nullopt;
  }
  const llvm::StringRef digits =
      word.starts_with("0x")
          ? word.take_front(word.find_first_not_of("0123456789abcdefABCDEF", 2))
          : word.take_front(word.find_first_not_of("0123456789"));
  if (digits.size() > maxDigits)
    return TextProblem{begin, "a number has more than " +
                                  std::to_string(maxDigits) + " digits"};
  if (word.size() <= maxDimensions)
    return std::nullopt;
  size_t dimensions = 0;
  for (size_t i = 0; i + 1 < word.size(); ++i)
    dimensions += word[i] == 'x' && word[i + 1] >= '0' && word[i + 1] <= '9';
  if (dimensions > maxDimensions)
    return TextProblem{begin, "a shape has more than " +
                                  std::to_string(maxDimensions) +
                                  " dimensions"};
  return std::nullopt;
}

std::optional<TextProblem> findExcessiveNesting(llvm::StringRef text) {
  constexpr unsigned maxConstraints = 10000;
  constexpr unsigned maxDepth = 256;
  constexpr unsigned maxOperators = 1024;
  unsigned depth = 0, operators = 0;
  /// Comparisons in each open bracket.
  unsigned constraints[maxDepth + 1] = {};
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isWordCharacter(c) && (i == 0 || !isWordCharacter(text[i - 1])))
      if (std::optional<TextProblem> problem = findExcessiveWord(text, i))
        return problem;
    switch (c) {
    case '/':
      if (i + 1 < text.size() && text[i + 1] == '/') {
        i = text.find('\n', i);
        if (i == llvm::StringRef::npos)
          return std::nullopt;
      }
      break;
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
      break;
    case '>':
      if (i > 0 && text[i - 1] == '-')
        break;
      if (i + 1 < text.size() && text[i + 1] == '=') {
        operators = 0;
        ++constraints[depth];
        break;
      }
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      if (depth)
        --depth;
      break;
    case '<':
      if (i + 1 < text.size() && text[i + 1] == '=') {
        ++constraints[depth];
        break;
      }
      [[fallthrough]];
    case '(':
    case '[':
    case '{':
      if (++depth > maxDepth)
        return TextProblem{i, "brackets nest deeper than " +
                                  std::to_string(maxDepth)};
      constraints[depth] = 0;
      break;
    case '=':
      if (i + 1 < text.size() && text[i + 1] == '=')
        ++constraints[depth];
      [[fallthrough]];
    case ',':
      operators = 0;
      break;
    case '+':
    case '*':
    case '-':
      if (c == '-' && i + 1 < text.size() && text[i + 1] == '>')
        break;
      ++operators;
      break;
    case 'm':
    case 'f':
    case 'c':
      if (i > 0 && isWordCharacter(text[i - 1]))
        break;
      if (text.substr(i).starts_with("mod ") ||
          text.substr(i).starts_with("floordiv ") ||
          text.substr(i).starts_with("ceildiv "))
        ++operators;
      break;
    default:
      break;
    }
    if (constraints[depth] > maxConstraints)
      return TextProblem{i, "a set has more than " +
                                std::to_string(maxConstraints) +
                                " constraints"};
    if (operators > maxOperators)
      return TextProblem{i, "an expression has more than " +
                                std::to_string(maxOperators) + " operators"};
  }
  return std::nullopt;
}

std::vector<JsonKey> outermostJsonKeys(llvm::StringRef text) {
  std::vector<JsonKey> keys;
  unsigned depth = 0;
  bool expectKey = false;
  auto endValue = [&](size_t end) {
    if (depth == 1 && !keys.empty() && !keys.back().valueEnd)
      keys.back().valueEnd = text.take_front(end).rtrim().size();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '{':
    case '[':
      expectKey = ++depth == 1;
      break;
    case '}':
    case ']':
      endValue(i);
      if (depth)
        --depth;
      break;
    case ',':
      endValue(i);
      expectKey = depth == 1;
      break;
    case ':':
      if (depth == 1 && !keys.empty() && !keys.back().valueBegin)
        keys.back().valueBegin =
            text.size() - text.substr(i + 1).ltrim().size();
      break;
    case '"': {
      const size_t begin = i;
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\')
          ++i;
      if (!expectKey)
        break;
      expectKey = false;
      llvm::StringRef token = text.slice(begin, i + 1);
      llvm::Expected<llvm::json::Value> value = llvm::json::parse(token);
      if (!value) {
        llvm::consumeError(value.takeError());
        break;
      }
      if (std::optional<llvm::StringRef> name = value->getAsString())
        keys.push_back({name->str(), begin, i + 1});
      break;
    }
    default:
      break;
    }
  }
  return keys;
}

std::string counted(uint64_t number, llvm::StringRef thing) {
  return std::to_string(number) + " " + thing.str() + (number == 1 ? "" : "s");
}

std::optional<std::string>
nearestName(const std::string &name,
            const std::vector<std::string> &candidates) {
  std::optional<std::string> best;
  // A third of the name may be wrong.
  unsigned limit = unsigned(name.size()) / 3 + 1;
  for (const std::string &candidate : candidates) {
    unsigned distance =
        llvm::StringRef(name).edit_distance_insensitive(candidate, true, limit);
    if (distance <= limit && (!best || distance < limit)) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

} // namespace ktir
