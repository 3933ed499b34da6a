//===- KtdfArchProperties.cpp - Rules of intrinsic properties -------------===//
//
// Checks the attributes whose names begin with `ktdf_arch.` and the
// features among them, on any op.
//
//===----------------------------------------------------------------------===//

#include "ktir/Dialect/KtdfArch/KtdfArchDialect.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace ktir;
using namespace ktir::ktdf_arch;

static bool isArchOp(Operation *op) {
  return isa_and_nonnull<KtdfArchDialect>(op->getDialect());
}

/// The i64 that `attr` holds, or nullopt for any other attribute.
static std::optional<int64_t> getI64(Attribute attr) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger(64))
    return std::nullopt;
  return integer.getInt();
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

namespace {
/// Checks one feature of one op. Every check returns failure after reporting.
class FeatureVerifier {
public:
  FeatureVerifier(Operation *op, NamedAttribute feature)
      : op(op), name(feature.getName().getValue()), value(feature.getValue()) {}

  LogicalResult verify() {
    if (name == kComputeFeatureName) {
      if (failed(verifyOn<ExecUnitOp>("execution units")))
        return failure();
      if (!isa<UnitAttr>(value))
        return emitError() << "takes no value, got " << value;
      return success();
    }
    if (name == kLoadFeatureName || name == kStoreFeatureName) {
      if (failed(verifyOn<ExecUnitOp>("execution units")))
        return failure();
      return verifyFields(
          {{"word_size", &FeatureVerifier::verifyWordSize},
           {"access_granularity", &FeatureVerifier::verifyAccessGranularity}});
    }
    if (name == kSimdFeatureName) {
      if (failed(verifyOn<ExecUnitOp>("execution units")))
        return failure();
      return verifyFields({{"splat", &FeatureVerifier::verifyFlag},
                           {"zero_pad", &FeatureVerifier::verifyFlag},
                           {"lanes", &FeatureVerifier::verifyLanes}});
    }
    if (name == kQueueFeatureName) {
      if (failed(verifyOn<DatapathOp>("links")))
        return failure();
      return verifyFields({{"ordered", &FeatureVerifier::verifyFlag},
                           {"size", &FeatureVerifier::verifyPositive},
                           {"depth", &FeatureVerifier::verifyPositive}});
    }
    return op->emitError("unrecognized 'ktdf_arch' feature: \"") << name << '"';
  }

private:
  using FieldCheck = LogicalResult (FeatureVerifier::*)(NamedAttribute);
  struct Field {
    StringRef name;
    FieldCheck check;
  };

  InFlightDiagnostic emitError() {
    return op->emitError("'") << name << "' intrinsic ";
  }

  /// Features of resources have their places; an op of another dialect states
  /// what it requires and may name any feature.
  template <typename OpT> LogicalResult verifyOn(StringRef resources) {
    if (isArchOp(op) && !isa<OpT>(op))
      return emitError() << "only valid on " << resources;
    return success();
  }

  LogicalResult verifyFields(ArrayRef<Field> fields) {
    if (isa<UnitAttr>(value))
      return success();
    auto record = dyn_cast<DictionaryAttr>(value);
    if (!record)
      return emitError() << "requires a unit or a dictionary, got " << value;
    for (NamedAttribute attr : record) {
      const Field *field = llvm::find_if(fields, [&](const Field &candidate) {
        return attr.getName() == candidate.name;
      });
      if (field == fields.end())
        return emitError() << "has no field '" << attr.getName().getValue()
                           << "'";
      if (failed((this->*field->check)(attr)))
        return failure();
    }
    return success();
  }

  LogicalResult verifyFlag(NamedAttribute field) {
    if (!isa<UnitAttr>(field.getValue()))
      return emitError() << "attribute '" << field.getName().getValue()
                         << "' requires a unit, got " << field.getValue();
    return success();
  }

  LogicalResult verifyPositive(NamedAttribute field) {
    std::optional<int64_t> number = getI64(field.getValue());
    if (!number)
      return emitError() << "attribute '" << field.getName().getValue()
                         << "' requires 64-bit integer, got "
                         << field.getValue();
    if (*number < 1)
      return emitError() << "'" << field.getName().getValue()
                         << "' must be > 0, got " << *number;
    return success();
  }

  LogicalResult verifyWordSize(NamedAttribute field) {
    auto map = dyn_cast<MapAttr>(field.getValue());
    if (!map || !llvm::all_of(map.getValues(), getI64))
      return emitError() << "attribute 'word_size' requires map from attribute "
                            "to 64-bit integer, got "
                         << field.getValue();
    for (auto [space, size] : llvm::zip_equal(map.getKeys(), map.getValues()))
      if (*getI64(size) < 1)
        return emitError() << "attribute 'word_size[" << space
                           << "]' must be > 0, got " << *getI64(size);
    return success();
  }

  LogicalResult verifyAccessGranularity(NamedAttribute field) {
    auto map = dyn_cast<MapAttr>(field.getValue());
    if (!map || !llvm::all_of(map.getValues(), llvm::IsaPred<ArrayAttr>))
      return emitError() << "attribute 'access_granularity' requires map from "
                            "attribute to array of accesses, got "
                         << field.getValue();
    for (auto [space, accesses] :
         llvm::zip_equal(map.getKeys(), map.getValues()))
      for (Attribute access : cast<ArrayAttr>(accesses))
        if (failed(verifyAccess(space, access)))
          return failure();
    return success();
  }

  LogicalResult verifyAccess(Attribute space, Attribute access) {
    auto emitAccessError = [&] {
      return emitError() << "attribute 'access_granularity[" << space << "]' ";
    };
    auto record = dyn_cast<DictionaryAttr>(access);
    if (!record)
      return emitAccessError() << "requires dictionaries, got " << access;
    if (!record.get("size_in_words"))
      return emitAccessError() << "requires attribute 'size_in_words'";
    for (NamedAttribute attr : record) {
      StringRef attrName = attr.getName().getValue();
      if (attrName != "size_in_words" && attrName != "align_in_words")
        return emitAccessError() << "has no field '" << attrName << "'";
      std::optional<int64_t> number = getI64(attr.getValue());
      if (!number)
        return emitAccessError()
               << "attribute '" << attrName << "' requires 64-bit integer, got "
               << attr.getValue();
      if (*number < 1)
        return emitAccessError()
               << "attribute '" << attrName << "' must be > 0, got " << *number;
    }
    return success();
  }

  LogicalResult verifyLanes(NamedAttribute field) {
    auto map = dyn_cast<MapAttr>(field.getValue());
    if (!map || !llvm::all_of(map.getKeys(), llvm::IsaPred<TypeAttr>) ||
        !llvm::all_of(map.getValues(), getI64))
      return emitError() << "attribute 'lanes' requires map from type to "
                            "64-bit integer, got "
                         << field.getValue();
    for (auto [type, lanes] : llvm::zip_equal(map.getKeys(), map.getValues()))
      if (*getI64(lanes) < 1)
        return emitError() << "attribute 'lanes[" << type
                           << "]' must be > 0, got " << *getI64(lanes);
    return success();
  }

  Operation *op;
  StringRef name;
  Attribute value;
};
} // namespace

Attribute ktdf_arch::getFeature(Operation *op, StringRef name) {
  auto features = op->getAttrOfType<DictionaryAttr>(kFeaturesAttrName);
  return features ? features.get(name) : Attribute();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

LogicalResult
KtdfArchDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  auto emitError = [&] { return op->emitError("'") << name << "' intrinsic "; };
  bool isResource =
      isa<MemoryOp, ExecUnitOp, SwitchOp, DatapathOp, GroupOp>(op);

  if (name == kBandwidthAttrName) {
    if (!isa<DatapathOp>(op))
      return emitError() << "only valid on links";
    std::optional<int64_t> bandwidth = getI64(value);
    if (!bandwidth)
      return emitError() << "requires 64-bit integer, got " << value;
    if (*bandwidth < 1)
      return emitError() << "value must be > 0, got " << *bandwidth;
    return success();
  }

  if (name == kTransferGranularityAttrName) {
    if (!isa<DatapathOp>(op))
      return emitError() << "only valid on links";
    auto sizes = dyn_cast<DenseI64ArrayAttr>(value);
    if (!sizes)
      return emitError() << "requires array of 64-bit integers, got " << value;
    llvm::SmallSet<int64_t, 8> seen;
    for (int64_t size : sizes.asArrayRef()) {
      if (size < 0)
        return emitError() << "granularity must be >= 0, got " << size;
      if (!seen.insert(size).second)
        return emitError() << "repeated granularity (" << size << ")";
    }
    return success();
  }

  if (name == kFeaturesAttrName) {
    if (isArchOp(op) && !isResource)
      return emitError() << "only valid on resources and mappable ops";
    auto features = dyn_cast<DictionaryAttr>(value);
    if (!features)
      return emitError() << "requires dictionary attribute, got " << value;
    for (NamedAttribute feature : features)
      if (failed(FeatureVerifier(op, feature).verify()))
        return failure();
    return success();
  }

  if (name == kMapsToAttrName) {
    if (isArchOp(op))
      return emitError() << "only valid on mappable ops";
    return success();
  }

  if (name == kOverlapsAttrName) {
    if (!isResource)
      return emitError() << "only valid on resources";
    if (!isa<ArrayAttr>(value))
      return emitError() << "requires array attribute, got " << value;
    return success();
  }

  return op->emitError("unrecognized 'ktdf_arch' intrinsic: \"") << name << '"';
}
