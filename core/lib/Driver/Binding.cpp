//===- Binding.cpp - Arguments of a launch against the signature ----------===//

#include "Binding.h"
#include "Diagnostics.h"
#include "HostTensor.h"

#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <limits>

namespace ktir {

namespace {
class Binder {
public:
  Binder(const KernelInfo &kernel, const std::vector<ArgumentValue> &values,
         const BindingRules &rules, std::vector<Diagnostic> &diagnostics)
      : kernel(kernel), values(values), rules(rules), diagnostics(diagnostics) {
  }

  std::optional<Binding> run();

private:
  void error(const std::string &message) {
    diagnostics.push_back(plainError(message));
    failed = true;
  }
  const ArgumentValue *find(const std::string &name) const;
  void checkNames();
  void reserveChosenPlaces();
  void bind(const ArgumentInfo &argument);
  void bindTensor(const ArgumentInfo &argument, const ArgumentValue &value,
                  BoundScalar &bound);
  void bindNumber(const ArgumentInfo &argument, const ArgumentValue &value,
                  BoundScalar &bound);
  bool checkTensor(const Tensor &tensor, const std::string &name);
  bool checkFits(const ArgumentInfo &argument, const ArgumentValue &value);
  bool keepsPromises(const ArgumentInfo &argument, double value);
  bool checkAlignment(const std::string &name, int64_t byteAddress);
  std::optional<int64_t> chosenAddress(const ArgumentValue &value);

  const KernelInfo &kernel;
  const std::vector<ArgumentValue> &values;
  const BindingRules &rules;
  std::vector<Diagnostic> &diagnostics;
  Placer placer;
  Binding binding;
  bool failed = false;
};
} // namespace

/// "index", "tensor f16 [32, 64]", "f16": what an argument wants.
static std::string expectation(const ArgumentInfo &argument) {
  if (argument.role == ArgumentInfo::Role::Tensor && !argument.dtype.empty())
    return "a tensor of " + describeTensor(argument.dtype, argument.shape);
  if (argument.role == ArgumentInfo::Role::Tensor)
    return "a tensor";
  return "a number of type " + argument.type;
}

const ArgumentValue *Binder::find(const std::string &name) const {
  for (const ArgumentValue &value : values)
    if (value.bound && value.name == name)
      return &value;
  return nullptr;
}

void Binder::checkNames() {
  std::vector<std::string> names;
  for (const ArgumentInfo &argument : kernel.arguments)
    names.push_back(argument.name);
  for (size_t i = 0; i < values.size(); ++i) {
    const ArgumentValue &value = values[i];
    if (!value.bound)
      continue;
    for (size_t j = 0; j < i; ++j)
      if (values[j].bound && values[j].name == value.name) {
        error("argument '" + value.name + "' is given twice");
        break;
      }
    bool known = false;
    for (const std::string &name : names)
      known = known || name == value.name;
    if (known)
      continue;
    std::string message =
        "kernel '" + kernel.name + "' has no argument '" + value.name + "'";
    if (std::optional<std::string> near = nearestName(value.name, names)) {
      message += "; did you mean '" + *near + "'?";
    } else if (names.empty()) {
      message += "; it takes none";
    } else {
      message += "; it takes";
      for (size_t k = 0; k < names.size(); ++k)
        message += (k ? ", '" : " '") + names[k] + "'";
    }
    error(message);
  }

  std::string missing;
  for (const ArgumentInfo &argument : kernel.arguments) {
    if (find(argument.name) || argument.role == ArgumentInfo::Role::Unused)
      continue;
    missing += (missing.empty() ? "'" : ", '") + argument.name + "' (" +
               expectation(argument) + ")";
    for (const ArgumentValue &value : values)
      if (!value.bound && value.name == argument.name)
        missing += ", placed with 'at' and so bound to no argument";
  }
  if (!missing.empty())
    error("missing arguments of kernel '" + kernel.name + "': " + missing);
}

bool Binder::checkTensor(const Tensor &tensor, const std::string &name) {
  const int64_t size = dtypeBytes(tensor.dtype);
  if (!size) {
    error("argument '" + name + "': unknown dtype '" + tensor.dtype +
          "', expected one of " + knownDtypes());
    return false;
  }
  int64_t bytes = size;
  for (int64_t extent : tensor.shape) {
    if (extent < 0 || (extent && bytes > maxTensorBytes / extent)) {
      error("argument '" + name + "': the shape " + shapeText(tensor.shape) +
            " is not one of a tensor up to " + std::to_string(maxTensorBytes) +
            " bytes");
      return false;
    }
    bytes *= extent;
  }
  if (uint64_t(bytes) != tensor.bytes()) {
    error("argument '" + name + "': expected " + counted(bytes, "byte") +
          " for " + describeTensor(tensor.dtype, tensor.shape) + ", got " +
          std::to_string(tensor.bytes()));
    return false;
  }
  return true;
}

/// The byte address of a placed tensor, when it lies in its memory.
std::optional<int64_t> Binder::chosenAddress(const ArgumentValue &value) {
  const Tensor &tensor = std::get<Tensor>(value.value);
  const int64_t at = *value.placement.at;
  const int tile = value.placement.tile;
  if (tile >= rules.tiles) {
    error("tensor '" + value.name + "' is placed on tile " +
          std::to_string(tile) + ", expected a tile below " +
          std::to_string(rules.tiles));
    return std::nullopt;
  }
  const int64_t size = dtypeBytes(tensor.dtype);
  const int64_t capacity = tile < 0 ? rules.deviceBytes : rules.scratchpadBytes;
  if (at < 0 || at > capacity / size ||
      int64_t(tensor.bytes()) > capacity - at * size) {
    error("tensor '" + value.name + "' at element " + std::to_string(at) +
          " does not lie in the " + std::to_string(capacity) + " bytes of " +
          (tile < 0 ? "device memory" : "the scratchpad"));
    return std::nullopt;
  }
  return at * size;
}

void Binder::reserveChosenPlaces() {
  for (const ArgumentValue &value : values) {
    const Tensor *tensor = std::get_if<Tensor>(&value.value);
    if (!value.bound && (!tensor || !value.placement.at)) {
      error("'" + value.name +
            "' is bound to no argument, expected a tensor with an address");
      continue;
    }
    if (!tensor || !value.placement.at)
      continue;
    if (value.bound && value.placement.tile >= 0) {
      error("argument '" + value.name +
            "' is bound to a tensor on a tile, expected one in device memory");
      continue;
    }
    if (!checkTensor(*tensor, value.name))
      continue;
    std::optional<int64_t> address = chosenAddress(value);
    if (!address)
      continue;
    PlacedTensor placed = {value.name, tensor, value.placement.tile, *address};
    std::string other;
    if (!placer.reserve(placed, other)) {
      error("tensor '" + value.name + "' overlaps tensor '" + other + "'");
      continue;
    }
    if (!value.bound)
      binding.tensors.push_back(placed);
  }
}

/// Signed and unsigned integers are the bits of signless ones.
static llvm::StringRef withoutSign(llvm::StringRef dtype) {
  if (dtype.starts_with("si") || dtype.starts_with("ui"))
    return dtype.drop_front();
  return dtype;
}

bool Binder::checkFits(const ArgumentInfo &argument,
                       const ArgumentValue &value) {
  if (argument.dtype.empty())
    return true;
  const Tensor &tensor = std::get<Tensor>(value.value);
  std::string got = describeTensor(tensor.dtype, tensor.shape);
  if (!value.file.empty())
    got += " from '" + value.file + "'";
  std::string expected = describeTensor(argument.dtype, argument.shape);
  bool fits = withoutSign(tensor.dtype) == withoutSign(argument.dtype);
  if (const char *bits = dtypeOfBits(argument.dtype)) {
    expected += std::string(", given as ") + bits;
    fits = dtypeBytes(tensor.dtype) == dtypeBytes(bits);
  }
  if (fits && argument.exactShape)
    fits = tensor.shape == argument.shape;
  if (!fits) {
    error("argument '" + argument.name + "': expected " + expected + ", got " +
          got);
    return false;
  }
  if (tensor.elements() < argument.span) {
    error("argument '" + argument.name + "': expected at least " +
          counted(argument.span, "element") +
          ", which the kernel's view of it spans, got " + got);
    return false;
  }
  return true;
}

/// What the type of a runtime argument promises (ktir.md §3.2).
bool Binder::keepsPromises(const ArgumentInfo &argument, double value) {
  auto text = [&] {
    return argument.type == "index" || argument.type[0] == 'i'
               ? std::to_string(int64_t(value))
               : floatText(value, *dtypeFormat("f64"));
  };
  if (argument.granularity &&
      std::fmod(value, double(*argument.granularity)) != 0) {
    error("argument '" + argument.name + "': expected a multiple of " +
          std::to_string(*argument.granularity) + ", its granularity, got " +
          text());
    return false;
  }
  if (argument.upperbound && !(value <= double(*argument.upperbound))) {
    error("argument '" + argument.name + "': expected at most " +
          std::to_string(*argument.upperbound) + ", its upperbound, got " +
          text());
    return false;
  }
  return true;
}

bool Binder::checkAlignment(const std::string &name, int64_t byteAddress) {
  if (rules.level < Level::Units || byteAddress % stickBytes == 0)
    return true;
  error("argument '" + name + "': at level " + toString(rules.level) +
        " an address is a multiple of " + std::to_string(stickBytes) +
        " bytes, got byte address " + std::to_string(byteAddress));
  return false;
}

void Binder::bindTensor(const ArgumentInfo &argument,
                        const ArgumentValue &value, BoundScalar &bound) {
  const Tensor &tensor = std::get<Tensor>(value.value);
  if (argument.type != "index" || argument.role == ArgumentInfo::Role::Scalar) {
    error("argument '" + argument.name + "': expected " +
          expectation(argument) + ", got a tensor of " +
          describeTensor(tensor.dtype, tensor.shape));
    return;
  }
  if (!checkTensor(tensor, argument.name) || !checkFits(argument, value))
    return;
  const int64_t size = dtypeBytes(tensor.dtype);
  int64_t address;
  if (value.placement.at) {
    address = *value.placement.at * size;
    if (!checkAlignment(argument.name, address))
      return;
  } else {
    address = placer.choose(int64_t(tensor.bytes()));
    if (address + int64_t(tensor.bytes()) > rules.deviceBytes) {
      error("argument '" + argument.name +
            "': " + std::to_string(tensor.bytes()) +
            " bytes are more than device memory has left");
      return;
    }
  }
  bound.integer = rules.addressesAreBytes ? address : address / size;
  if (!keepsPromises(argument, double(bound.integer)))
    return;
  binding.tensors.push_back({argument.name, &tensor, -1, address});
}

void Binder::bindNumber(const ArgumentInfo &argument,
                        const ArgumentValue &value, BoundScalar &bound) {
  const bool wantsFloat = argument.type[0] == 'f' || argument.type == "bf16" ||
                          argument.type == "!spyreop.df16";
  const double *real = std::get_if<double>(&value.value);
  if (real && (wantsFloat || *real != 0)) {
    if (!wantsFloat) {
      error("argument '" + argument.name + "': expected " +
            expectation(argument) + ", got " +
            floatText(*real, *dtypeFormat("f64")));
      return;
    }
    bound.real = *real;
    keepsPromises(argument, *real);
    return;
  }
  const auto *whole = std::get_if<int64_t>(&value.value);
  const int64_t integer = whole ? *whole : 0; // of a zero with a sign
  bound.integer = integer;
  const DtypeFormat *format = dtypeFormat(argument.type);
  // Of floats that have no host form the format is a 16-bit one.
  bound.real = toRoundOnce(integer, format ? *format : *dtypeFormat("f16"));
  if (!keepsPromises(argument, double(integer)))
    return;
  if (wantsFloat)
    return;
  if (format && !integerFits(integer, *format)) {
    error("argument '" + argument.name + "': the value " +
          std::to_string(integer) + " does not fit " + argument.type);
    return;
  }
  if (argument.role != ArgumentInfo::Role::Tensor)
    return;
  // An address: known in bytes when the unit is known.
  int64_t unit = rules.addressesAreBytes ? 1 : dtypeBytes(argument.dtype);
  if (integer < 0 || (unit && integer > rules.deviceBytes / unit))
    error("argument '" + argument.name + "': the address " +
          std::to_string(integer) + " lies outside device memory");
  else if (unit)
    checkAlignment(argument.name, integer * unit);
}

void Binder::bind(const ArgumentInfo &argument) {
  BoundScalar bound;
  if (const ArgumentValue *value = find(argument.name)) {
    if (std::holds_alternative<Tensor>(value->value))
      bindTensor(argument, *value, bound);
    else
      bindNumber(argument, *value, bound);
  }
  binding.arguments.push_back(bound);
}

std::optional<Binding> Binder::run() {
  checkNames();
  reserveChosenPlaces();
  std::vector<PlacedTensor> unbound = std::move(binding.tensors);
  binding.tensors.clear();
  for (const ArgumentInfo &argument : kernel.arguments)
    bind(argument);
  binding.tensors.insert(binding.tensors.end(), unbound.begin(), unbound.end());
  if (failed)
    return std::nullopt;
  return std::move(binding);
}

std::optional<Binding> bindArguments(const KernelInfo &kernel,
                                     const std::vector<ArgumentValue> &values,
                                     const BindingRules &rules,
                                     std::vector<Diagnostic> &diagnostics) {
  return Binder(kernel, values, rules, diagnostics).run();
}

} // namespace ktir
