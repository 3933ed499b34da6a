//===- Arguments.cpp - ARGS.json ------------------------------------------===//
//
// docs/inputs.md describes the format for users.
//
//===----------------------------------------------------------------------===//

#include "Generators.h"
#include "HostTensor.h"
#include "TextScan.h"

#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

namespace json = llvm::json;

namespace ktir {

static std::string describe(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return *value.getAsBoolean() ? "true" : "false";
  case json::Value::Number: {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return text;
  }
  case json::Value::String:
    return "\"" + value.getAsString()->str() + "\"";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  }
  return "nothing";
}

/// A number, or one of the three that JSON cannot write.
static std::optional<double> asDouble(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return number;
  if (std::optional<llvm::StringRef> text = value.getAsString()) {
    if (*text == "inf")
      return std::numeric_limits<double>::infinity();
    if (*text == "-inf")
      return -std::numeric_limits<double>::infinity();
    if (*text == "nan")
      return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

/// A whole number of 64 bits. One that is written as a fraction or with an
/// exponent counts too; of these JSON.h takes 2^63 for one that fits.
static std::optional<int64_t> asInteger(const json::Value &value) {
  const bool isPlain = value.getAsUINT64().has_value();
  if (!isPlain && value.getAsNumber().value_or(0) >= 0x1p63)
    return std::nullopt;
  return value.getAsInteger();
}

namespace {
/// Reads the value of one argument. Every method returns false after it has
/// set `error`.
class ArgumentReader {
public:
  ArgumentReader(const FileReader &reader, Contents contents)
      : readFile(reader), contents(contents) {}

  bool read(const json::Value &value, ArgumentValue &out);
  std::string error;
  /// The key of the argument's object that the error is about, where it is
  /// about one, and whether it is the key itself or its value.
  std::string culprit;
  bool isAboutKey = false;

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }
  bool failAt(llvm::StringRef key, const std::string &message) {
    culprit = key.str();
    return fail(message);
  }
  bool failAtKey(llvm::StringRef key, const std::string &message) {
    isAboutKey = true;
    return failAt(key, message);
  }
  bool checkKeys(const json::Object &object,
                 llvm::ArrayRef<llvm::StringRef> known);
  bool readNpyFile(const json::Value &path, Tensor &tensor);
  bool readHeader(const json::Object &object, Tensor &tensor);
  bool readContents(const json::Object &object, Tensor &tensor);
  bool readRandom(const json::Object &object, Tensor &tensor);
  bool take(Generator generator, Tensor &tensor);
  bool readData(const json::Value &data, Tensor &tensor);
  bool setFromJson(Tensor &tensor, int64_t index, const json::Value &value);
  bool readPlacement(const json::Object &object, ArgumentValue &out);
  bool readSeed(const json::Object &object, uint64_t &seed);
  bool integer(const json::Object &object, llvm::StringRef key, int64_t &value);
  bool number(const json::Object &object, llvm::StringRef key, double &value);

  const FileReader &readFile;
  Contents contents;
};
} // namespace

bool ArgumentReader::read(const json::Value &value, ArgumentValue &out) {
  if (value.kind() == json::Value::Number) {
    const double number = *value.getAsNumber();
    std::optional<int64_t> whole = asInteger(value);
    // The zero of an integer has no sign to keep.
    if (whole && !(*whole == 0 && std::signbit(number)))
      out.value = *whole;
    else
      out.value = number;
    return true;
  }
  if (std::optional<bool> flag = value.getAsBoolean()) {
    out.value = int64_t(*flag);
    return true;
  }
  if (std::optional<llvm::StringRef> text = value.getAsString())
    if (std::optional<double> special = asDouble(value)) {
      out.value = *special;
      return true;
    }
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected a number or an object, found " + describe(value));

  static const llvm::StringRef known[] = {
      "npy", "dtype", "shape", "fill", "random", "seed", "scale",
      "low", "high",  "data",  "at",   "space",  "tile"};
  if (!checkKeys(*object, known))
    return false;

  std::vector<llvm::StringRef> sources;
  for (llvm::StringRef source : {"npy", "fill", "random", "data"})
    if (object->get(source))
      sources.push_back(source);
  if (sources.size() != 1) {
    std::string found = sources.empty() ? "none" : "";
    for (llvm::StringRef source : sources)
      found += (found.empty() ? "'" : " and '") + source.str() + "'";
    return fail("expected exactly one of 'npy', 'fill', 'random', 'data', "
                "found " +
                found);
  }
  if (sources[0] != "random")
    for (llvm::StringRef key : {"seed", "scale", "low", "high"})
      if (object->get(key))
        return failAtKey(key, "'" + key.str() +
                                  "' belongs to 'random', found it beside '" +
                                  sources[0].str() + "'");

  Tensor tensor;
  if (sources[0] == "npy") {
    if (!readNpyFile(*object->get("npy"), tensor))
      return false;
    out.file = object->get("npy")->getAsString()->str();
    // A file says what it holds; what is said beside it must agree, except
    // that an element type of the same width reinterprets the bits.
    if (const json::Value *dtype = object->get("dtype")) {
      std::string name = dtype->getAsString().value_or("").str();
      if (dtypeBytes(name) != dtypeBytes(tensor.dtype))
        return failAt("dtype", "'dtype' is " + describe(*dtype) +
                                   " but the file holds " + tensor.dtype);
      tensor.dtype = name;
    }
    if (object->get("shape")) {
      Tensor declared;
      declared.dtype = tensor.dtype;
      json::Object header{{"dtype", tensor.dtype},
                          {"shape", *object->get("shape")}};
      if (!readHeader(header, declared))
        return false;
      if (declared.shape != tensor.shape)
        return failAt("shape", "'shape' is " + shapeText(declared.shape) +
                                   " but the file holds " +
                                   shapeText(tensor.shape));
    }
  } else if (!readHeader(*object, tensor) || !readContents(*object, tensor)) {
    return false;
  }
  out.value = std::move(tensor);
  return readPlacement(*object, out);
}

bool ArgumentReader::checkKeys(const json::Object &object,
                               llvm::ArrayRef<llvm::StringRef> known) {
  for (const auto &entry : object) {
    llvm::StringRef key = entry.first;
    if (llvm::is_contained(known, key))
      continue;
    std::vector<std::string> names;
    for (llvm::StringRef name : known)
      names.push_back(name.str());
    std::string message = "unknown key '" + key.str() + "'";
    if (std::optional<std::string> near = nearestName(key.str(), names))
      message += "; did you mean '" + *near + "'?";
    return failAtKey(key, message);
  }
  return true;
}

bool ArgumentReader::integer(const json::Object &object, llvm::StringRef key,
                             int64_t &value) {
  const json::Value *entry = object.get(key);
  if (!entry)
    return true;
  std::optional<int64_t> number = asInteger(*entry);
  if (!number)
    return failAt(key, "expected an integer for '" + key.str() + "', found " +
                           describe(*entry));
  value = *number;
  return true;
}

bool ArgumentReader::readSeed(const json::Object &object, uint64_t &seed) {
  const json::Value *entry = object.get("seed");
  if (!entry)
    return true;
  if (std::optional<uint64_t> number = entry->getAsUINT64())
    seed = *number;
  else if (std::optional<int64_t> number = asInteger(*entry))
    seed = uint64_t(*number);
  else
    return failAt("seed",
                  "expected an integer from -2^63 to 2^64 - 1 for 'seed', "
                  "found " +
                      describe(*entry));
  return true;
}

bool ArgumentReader::number(const json::Object &object, llvm::StringRef key,
                            double &value) {
  const json::Value *entry = object.get(key);
  if (!entry)
    return true;
  std::optional<double> number = entry->getAsNumber();
  if (!number)
    return failAt(key, "expected a number for '" + key.str() + "', found " +
                           describe(*entry));
  value = *number;
  return true;
}

bool ArgumentReader::readNpyFile(const json::Value &path, Tensor &tensor) {
  std::optional<llvm::StringRef> name = path.getAsString();
  if (!name)
    return failAt("npy",
                  "expected a file name for 'npy', found " + describe(path));
  std::optional<std::vector<uint8_t>> bytes =
      readFile ? readFile(name->str()) : std::nullopt;
  if (!bytes)
    return failAt("npy",
                  "cannot read '" + name->str() +
                      "': there is no such file, or none that can be read");
  std::string why;
  std::optional<Tensor> read = readNpy(*bytes, why);
  if (!read)
    return failAt("npy", "'" + name->str() + "': " + why);
  tensor = std::move(*read);
  return true;
}

bool ArgumentReader::readHeader(const json::Object &object, Tensor &tensor) {
  const json::Value *dtype = object.get("dtype");
  if (!dtype)
    return fail("expected 'dtype', one of " + knownDtypes());
  if (!dtypeBytes(dtype->getAsString().value_or("").str())) {
    std::string message = "expected 'dtype' to be one of " + knownDtypes() +
                          ", found " + describe(*dtype);
    if (const char *bits = dtypeOfBits(dtype->getAsString().value_or("")))
      message += std::string("; its elements are given as ") + bits;
    return failAt("dtype", message);
  }
  tensor.dtype = dtype->getAsString()->str();
  const json::Value *shape = object.get("shape");
  if (!shape)
    return fail("expected 'shape', an array of extents");
  const json::Array *extents = shape->getAsArray();
  if (!extents)
    return failAt("shape",
                  "expected 'shape' to be an array of extents, found " +
                      describe(*shape));
  int64_t bytes = dtypeBytes(tensor.dtype);
  for (const json::Value &value : *extents) {
    std::optional<int64_t> extent = asInteger(value);
    if (!extent || *extent < 0)
      return failAt(
          "shape", "expected extents of 'shape' to be integers from 0, found " +
                       describe(value));
    if (*extent && bytes > maxTensorBytes / *extent)
      return failAt("shape", "the tensor is larger than the limit of " +
                                 std::to_string(maxTensorBytes) + " bytes");
    bytes *= *extent;
    tensor.shape.push_back(*extent);
  }
  return true;
}

/// The bytes of all elements of a tensor whose header was read.
static size_t allBytes(const Tensor &tensor) {
  return size_t(tensor.elements()) * dtypeBytes(tensor.dtype);
}

/// Gives the tensor the elements of `generator`.
bool ArgumentReader::take(Generator generator, Tensor &tensor) {
  if (contents == Contents::Stored) {
    tensor.data.resize(allBytes(tensor));
    generator(0, uint64_t(tensor.elements()), tensor.data.data());
    return true;
  }
  tensor.isReadLater = true;
  tensor.source = [generator = std::move(generator),
                   bytes = dtypeBytes(tensor.dtype)](
                      uint64_t offset, uint64_t count, uint8_t *into) {
    generateBytes(generator, bytes, offset, count, into);
  };
  return true;
}

bool ArgumentReader::setFromJson(Tensor &tensor, int64_t index,
                                 const json::Value &value) {
  const DtypeFormat &format = *dtypeFormat(tensor.dtype);
  if (format.kind == DtypeFormat::Float) {
    std::optional<double> number = asDouble(value);
    if (!number)
      return fail("expected a number, \"inf\", \"-inf\" or \"nan\", found " +
                  describe(value));
    // Of an integer all digits count, not those of the nearest double.
    std::optional<int64_t> below;
    if (std::optional<uint64_t> whole = value.getAsUINT64())
      number = toRoundOnce(*whole, format);
    else if (*number < 0 && (below = asInteger(value)))
      number = toRoundOnce(*below, format);
    setElement(tensor, format, index, *number);
    return true;
  }
  std::optional<int64_t> number = asInteger(value);
  if (std::optional<bool> flag = value.getAsBoolean())
    number = *flag;
  if (!number)
    return fail("expected an integer for dtype " + tensor.dtype + ", found " +
                describe(value));
  if (!integerFits(*number, format))
    return fail("the value " + describe(value) + " does not fit " +
                tensor.dtype);
  setElement(tensor, format, index, *number);
  return true;
}

bool ArgumentReader::readContents(const json::Object &object, Tensor &tensor) {
  if (object.get("random"))
    return readRandom(object, tensor);
  if (const json::Value *data = object.get("data")) {
    culprit = "data";
    return readData(*data, tensor);
  }
  Tensor one{tensor.dtype, {}, std::vector<uint8_t>(8)};
  culprit = "fill";
  return setFromJson(one, 0, *object.get("fill")) &&
         take(equalElements(one.data.data(), dtypeBytes(tensor.dtype)), tensor);
}

bool ArgumentReader::readData(const json::Value &data, Tensor &tensor) {
  if (!data.getAsArray())
    return fail("expected 'data' to be an array, found " + describe(data));
  tensor.data.assign(allBytes(tensor), 0);
  // A stack of positions instead of recursion.
  std::vector<std::pair<const json::Array *, size_t>> open = {
      {data.getAsArray(), 0}};
  const int64_t expected = tensor.elements();
  const std::vector<int64_t> &shape = tensor.shape;
  const bool isNested =
      !open[0].first->empty() && open[0].first->front().getAsArray();
  auto hasShape = [&](size_t depth) {
    return !isNested || (depth < shape.size() &&
                         open[depth].first->size() == uint64_t(shape[depth]));
  };
  auto failOnShape = [&] {
    return fail("expected 'data' as one list or nested as its shape " +
                shapeText(shape) + ", found a list of " +
                std::to_string(open.back().first->size()) + " at depth " +
                std::to_string(open.size()));
  };
  if (!hasShape(0))
    return failOnShape();
  int64_t count = 0;
  while (!open.empty()) {
    auto &[array, next] = open.back();
    if (next == array->size()) {
      open.pop_back();
      continue;
    }
    const json::Value &value = (*array)[next++];
    if (const json::Array *inner = value.getAsArray()) {
      open.push_back({inner, 0});
      if (!isNested || !hasShape(open.size() - 1))
        return failOnShape();
      continue;
    }
    if (isNested && open.size() != shape.size())
      return failOnShape();
    if (count < expected && !setFromJson(tensor, count, value)) {
      error = "element " + std::to_string(count) + " of 'data': " + error;
      return false;
    }
    ++count;
  }
  if (count != expected)
    return fail("expected " + counted(expected, "element") +
                " in 'data' for shape " + shapeText(tensor.shape) + ", found " +
                std::to_string(count));
  return true;
}

bool ArgumentReader::readRandom(const json::Object &object, Tensor &tensor) {
  const json::Value &random = *object.get("random");
  llvm::StringRef kind = random.getAsString().value_or("");
  if (kind != "normal" && kind != "uniform" && kind != "integers")
    return failAt("random",
                  "expected 'random' to be \"normal\", \"uniform\" or "
                  "\"integers\", found " +
                      describe(random));
  auto refuse = [&](llvm::StringRef key) {
    return !object.get(key) ||
           failAtKey(key, "'" + key.str() + "' does not belong to random \"" +
                              kind.str() + "\"");
  };
  uint64_t seed = 0;
  if (!readSeed(object, seed))
    return false;
  const DtypeFormat *format = dtypeFormat(tensor.dtype);
  const bool isFloat = format->kind == DtypeFormat::Float;
  if (kind != "integers" && !isFloat)
    return failAt("dtype", "random \"" + kind.str() +
                               "\" needs a float dtype, found " + tensor.dtype +
                               "; use \"integers\"");

  if (kind == "normal") {
    double scale = 1;
    if (!refuse("low") || !refuse("high") || !number(object, "scale", scale))
      return false;
    return take(normalElements(*format, seed, scale), tensor);
  }
  if (!refuse("scale"))
    return false;
  if (kind == "uniform") {
    double low = 0, high = 1;
    if (!number(object, "low", low) || !number(object, "high", high))
      return false;
    if (!(low < high))
      return fail("expected 'low' below 'high'");
    return take(uniformElements(*format, seed, low, high), tensor);
  }
  if (!object.get("low") || !object.get("high"))
    return fail("random \"integers\" needs 'low' and 'high'");
  int64_t low = 0, high = 0;
  if (!integer(object, "low", low) || !integer(object, "high", high))
    return false;
  if (low >= high)
    return fail("expected 'low' below 'high'");
  if (uint64_t(high) - uint64_t(low) > uint64_t(1) << 32)
    return fail("expected 'high' - 'low' to be at most 4294967296");
  if (!isFloat)
    for (int64_t bound : {low, high - 1})
      if (!integerFits(bound, *format))
        return fail("the value " + std::to_string(bound) + " does not fit " +
                    tensor.dtype);
  return take(integerElements(*format, seed, low, high), tensor);
}

bool ArgumentReader::readPlacement(const json::Object &object,
                                   ArgumentValue &out) {
  if (!object.get("at")) {
    for (llvm::StringRef key : {"space", "tile"})
      if (object.get(key))
        return failAtKey(key,
                         "'" + key.str() + "' needs 'at', an element address");
    return true;
  }
  int64_t at = 0, tile = -1;
  if (!integer(object, "at", at))
    return false;
  if (at < 0)
    return failAt("at", "expected 'at' to be at least 0, found " +
                            std::to_string(at));
  llvm::StringRef space = "global";
  if (const json::Value *value = object.get("space")) {
    space = value->getAsString().value_or("");
    if (space != "global" && space != "ct_local")
      return failAt(
          "space", "expected 'space' to be \"global\" or \"ct_local\", found " +
                       describe(*value));
  }
  if (space == "global") {
    if (object.get("tile"))
      return failAtKey("tile", "'tile' needs 'space' \"ct_local\"");
  } else {
    tile = 0;
    if (!integer(object, "tile", tile))
      return false;
    if (tile < 0)
      return failAt("tile", "expected 'tile' to be at least 0, found " +
                                std::to_string(tile));
    if (tile > std::numeric_limits<int>::max())
      return failAt("tile",
                    "'tile' " + std::to_string(tile) + " is out of range");
  }
  out.bound = false;
  out.placement.at = at;
  out.placement.tile = int(tile);
  return true;
}

/// The bytes of `text` that the error of an argument is about.
static std::pair<size_t, size_t> placeOf(const ArgumentReader &reader,
                                         llvm::StringRef text,
                                         const JsonKey &argument) {
  const llvm::StringRef value =
      text.slice(argument.valueBegin, argument.valueEnd);
  if (!reader.culprit.empty())
    for (const JsonKey &key : outermostJsonKeys(value))
      if (key.name == reader.culprit) {
        const size_t start = argument.valueBegin;
        return reader.isAboutKey
                   ? std::pair(start + key.begin, start + key.end)
                   : std::pair(start + key.valueBegin, start + key.valueEnd);
      }
  return {argument.valueBegin, argument.valueEnd};
}

std::vector<ArgumentValue> parseArguments(const std::string &text,
                                          const std::string &fileName,
                                          const FileReader &reader,
                                          std::vector<Diagnostic> &diagnostics,
                                          Contents contents) {
  std::vector<ArgumentValue> arguments;
  SourceText source(fileName, text);
  auto error = [&](size_t begin, size_t end, const std::string &message) {
    Diagnostic diagnostic;
    diagnostic.range = source.rangeOf(begin, end);
    diagnostic.message = message;
    diagnostics.push_back(std::move(diagnostic));
  };
  if (std::optional<TextProblem> problem = findExcessiveNesting(text)) {
    error(problem->offset, problem->offset + 1, problem->message);
    return arguments;
  }
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    // The text is "[line:column, byte=offset]: what".
    std::string message = llvm::toString(parsed.takeError());
    size_t offset = 0;
    llvm::StringRef rest(message);
    if (rest.consume_front("[")) {
      rest = rest.split("byte=").second;
      rest.consumeInteger(10, offset);
      rest.consume_front("]: ");
    }
    offset = std::min(offset, text.size());
    error(offset, source.tokenEnd(offset), "not valid JSON: " + rest.str());
    return arguments;
  }
  const json::Object *object = parsed->getAsObject();
  if (!object) {
    error(0, 0,
          "expected an object of argument names, found " + describe(*parsed));
    return arguments;
  }
  std::vector<std::string> seen;
  for (const JsonKey &key : outermostJsonKeys(text)) {
    if (llvm::is_contained(seen, key.name)) {
      error(key.begin, key.end, "argument '" + key.name + "' is given twice");
      continue;
    }
    seen.push_back(key.name);
    ArgumentValue argument;
    argument.name = key.name;
    ArgumentReader argumentReader(reader, contents);
    if (!argumentReader.read(*object->get(key.name), argument)) {
      const auto [begin, end] = placeOf(argumentReader, text, key);
      error(begin, end, "argument '" + key.name + "': " + argumentReader.error);
      continue;
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace ktir
