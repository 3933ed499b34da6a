//===- Scope.cpp - What value names stand for -----------------------------===//

#include "Scope.h"

#include "llvm/ADT/SmallString.h"

#include <algorithm>

namespace ktir::syntax {

void Scope::enter(uint32_t region) {
  levels.push_back({region, bindings.size()});
}

void Scope::leave() {
  const size_t keep = levels.back().bindings;
  levels.pop_back();
  while (bindings.size() > keep) {
    visible.find(bindings.back().name)->second.pop_back();
    bindings.pop_back();
  }
}

void Scope::bindKey(llvm::StringRef key, Definition definition) {
  auto &entry = *visible.try_emplace(key).first;
  definition.depth = depth();
  entry.second.push_back(uint32_t(bindings.size()));
  bindings.push_back({entry.first(), std::move(definition)});
}

size_t Scope::find(llvm::StringRef key) const {
  auto found = visible.find(key);
  return found == visible.end() || found->second.empty()
             ? 0
             : found->second.back() + size_t(1);
}

/// The name and the number of a value.
static std::pair<llvm::StringRef, uint32_t> splitValue(llvm::StringRef value) {
  auto [name, digits] = value.rsplit('#');
  uint32_t number = 0;
  if (digits.empty() || digits.getAsInteger(10, number))
    return {value, 0};
  return {name, number};
}

static llvm::SmallString<32> keyOf(llvm::StringRef name, uint32_t number) {
  llvm::SmallString<32> key(name);
  key += '#';
  key += std::to_string(number);
  return key;
}

void Scope::rebind(llvm::StringRef value, Definition definition) {
  auto [name, number] = splitValue(value);
  bindKey(keyOf(name, number), std::move(definition));
}

std::optional<Scope::Use> Scope::lookup(llvm::StringRef value) const {
  auto [name, number] = splitValue(value);
  const size_t whole = find(name), single = find(keyOf(name, number));
  if (!whole && !single)
    return std::nullopt;
  // The later definition is the inner one.
  const Definition &definition =
      bindings[std::max(whole, single) - 1].definition;
  return Use{&definition, definition.number + (single > whole ? 0 : number)};
}

} // namespace ktir::syntax
