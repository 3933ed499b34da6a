//===- Npy.cpp - NumPy array files ----------------------------------------===//
//
// Format version 1.0 is written; 1.0, 2.0 and 3.0 are read, little endian and
// in C order.
//
//===----------------------------------------------------------------------===//

#include "HostTensor.h"
#include "TextScan.h"

#include <cctype>
#include <cstring>

namespace ktir {

namespace {
struct NpyType {
  const char *descr;
  const char *dtype;
};
} // namespace

// The first entry of a `descr` is what it reads as, the first of a dtype what
// it is written as.
static const NpyType npyTypes[] = {
    {"|b1", "i1"},   {"|i1", "i8"},    {"|i1", "si8"}, {"|u1", "i8"},
    {"<i2", "i16"},  {"<i2", "si16"},  {"<u2", "i16"}, {"<u2", "bf16"},
    {"<i4", "i32"},  {"<i4", "si32"},  {"<u4", "i32"}, {"<i8", "i64"},
    {"<i8", "si64"}, {"<i8", "index"}, {"<u8", "i64"}, {"<f2", "f16"},
    {"<f4", "f32"},  {"<f8", "f64"},
};

std::string npyHeader(const Tensor &tensor) {
  const char *descr = "|u1";
  for (const NpyType &type : npyTypes)
    if (tensor.dtype == type.dtype) {
      descr = type.descr;
      break;
    }
  std::string header = std::string("{'descr': '") + descr +
                       "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i)
      header += ", ";
    header += std::to_string(tensor.shape[i]);
  }
  if (tensor.shape.size() == 1)
    header += ",";
  header += "), }";
  // Magic, version and length take ten bytes; data starts at a multiple of 64.
  while ((10 + header.size() + 1) % 64)
    header += ' ';
  header += '\n';

  std::string start("\x93NUMPY\1\0", 8);
  start += char(header.size());
  start += char(header.size() >> 8);
  return start + header;
}

std::vector<uint8_t> writeNpy(const Tensor &tensor) {
  const std::string header = npyHeader(tensor);
  std::vector<uint8_t> bytes;
  bytes.reserve(header.size() + tensor.data.size());
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), tensor.data.begin(), tensor.data.end());
  return bytes;
}

namespace {
/// Reads the Python dictionary literal of a header.
class HeaderReader {
public:
  HeaderReader(const std::string &text) : text(text) {}

  void skipBlanks() {
    while (at < text.size() && std::isspace(uint8_t(text[at])))
      ++at;
  }
  bool take(char c) {
    skipBlanks();
    if (at < text.size() && text[at] == c) {
      ++at;
      return true;
    }
    return false;
  }
  bool takeWord(const char *word) {
    skipBlanks();
    size_t length = std::strlen(word);
    if (text.compare(at, length, word) != 0)
      return false;
    at += length;
    return true;
  }
  bool string(std::string &out) {
    skipBlanks();
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
      return false;
    char quote = text[at++];
    size_t end = text.find(quote, at);
    if (end == std::string::npos)
      return false;
    out = text.substr(at, end - at);
    at = end + 1;
    return true;
  }
  bool integer(int64_t &out) {
    skipBlanks();
    const size_t start = at;
    while (at < text.size() && std::isdigit(uint8_t(text[at])))
      ++at;
    const llvm::StringRef digits = llvm::StringRef(text).slice(start, at);
    out = 0;
    if (digits.getAsInteger(10, out) && outsized.empty())
      outsized = digits.str();
    return !digits.empty();
  }

  /// The first integer that is too large to be read, as it is written.
  std::string outsized;

private:
  const std::string &text;
  size_t at = 0;
};
} // namespace

/// Digits as a message shows them.
static std::string shortened(const std::string &digits) {
  constexpr size_t shown = 24;
  return digits.size() <= shown ? digits : digits.substr(0, shown) + "...";
}

std::optional<Tensor> readNpy(const std::vector<uint8_t> &bytes,
                              std::string &error) {
  auto fail = [&](const std::string &message) -> std::optional<Tensor> {
    error = message;
    return std::nullopt;
  };
  static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (bytes.size() < 10 || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    return fail("not a .npy file: it does not start with the NumPy magic "
                "string");
  const unsigned version = bytes[6];
  if (version < 1 || version > 3)
    return fail("unknown .npy version " + std::to_string(version) +
                ", expected 1, 2 or 3");
  size_t headerStart = version == 1 ? 10 : 12;
  if (bytes.size() < headerStart)
    return fail("the .npy header is cut off");
  size_t headerSize = bytes[8] | size_t(bytes[9]) << 8;
  if (version > 1)
    headerSize |= size_t(bytes[10]) << 16 | size_t(bytes[11]) << 24;
  if (headerSize > bytes.size() - headerStart)
    return fail("the .npy header is cut off");
  const std::string header(bytes.begin() + headerStart,
                           bytes.begin() + headerStart + headerSize);

  std::string descr;
  std::optional<bool> fortran;
  std::optional<std::vector<int64_t>> shape;
  HeaderReader reader(header);
  bool wellFormed = reader.take('{');
  while (wellFormed && !reader.take('}')) {
    std::string key;
    if (!reader.string(key) || !reader.take(':')) {
      wellFormed = false;
      break;
    }
    if (key == "descr") {
      wellFormed = reader.string(descr);
      if (!wellFormed)
        return fail("expected a plain element type in the .npy header, found "
                    "a structured one");
    } else if (key == "fortran_order") {
      if (reader.takeWord("True"))
        fortran = true;
      else if (reader.takeWord("False"))
        fortran = false;
      else
        wellFormed = false;
    } else if (key == "shape") {
      std::vector<int64_t> extents;
      wellFormed = reader.take('(');
      while (wellFormed && !reader.take(')')) {
        int64_t extent;
        if (!(wellFormed = reader.integer(extent)))
          break;
        extents.push_back(extent);
        if (!reader.take(',')) {
          wellFormed = reader.take(')');
          break;
        }
      }
      if (!wellFormed)
        return fail("expected 'shape' in the .npy header to be a tuple of "
                    "extents, each a whole number from 0");
      if (!reader.outsized.empty())
        return fail("the extent " + shortened(reader.outsized) +
                    " of 'shape' in the .npy header is larger than the limit "
                    "of " +
                    std::to_string(maxTensorBytes) + " bytes");
      shape = extents;
    } else {
      wellFormed = false;
    }
    if (wellFormed && !reader.take(',')) {
      wellFormed = reader.take('}');
      break;
    }
  }
  if (!wellFormed || descr.empty() || !fortran || !shape)
    return fail("the .npy header does not give 'descr', 'fortran_order' and "
                "'shape'");
  if (*fortran && shape->size() > 1)
    return fail("expected C order, found Fortran order");
  if (descr[0] == '>')
    return fail("expected little-endian elements, found '" + descr + "'");

  Tensor tensor;
  for (const NpyType &type : npyTypes)
    if (descr == type.descr ||
        (descr[0] == '=' && descr.substr(1) == type.descr + 1)) {
      tensor.dtype = type.dtype;
      break;
    }
  if (tensor.dtype.empty())
    return fail("unsupported element type '" + descr + "' in the .npy header");
  const int64_t size = dtypeBytes(tensor.dtype);
  int64_t count = 1;
  for (int64_t extent : *shape) {
    if (extent && count > maxTensorBytes / size / extent)
      return fail("the shape " + shapeText(*shape) +
                  " is larger than the limit of " +
                  std::to_string(maxTensorBytes) + " bytes");
    count *= extent;
  }
  const size_t have = bytes.size() - headerStart - headerSize;
  if (have != size_t(count * size))
    return fail("expected " + counted(count * size, "byte") + " for " +
                describeTensor(tensor.dtype, *shape) + ", found " +
                std::to_string(have));
  tensor.shape = *shape;
  tensor.data.assign(bytes.begin() + headerStart + headerSize, bytes.end());
  return tensor;
}

} // namespace ktir
