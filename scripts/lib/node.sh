# Node.js 20 or newer: the one on the PATH, or the one that the npm package
# 'node' brings, kept in the cache.

node_is_recent() {
  have node && have npm && [[ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -ge 20 ]]
}

# use_cached_node: puts the cached Node.js on the PATH where the host has none.
use_cached_node() {
  node_is_recent && return
  PATH="$KTIR_CACHE/node/node_modules/node/bin:$KTIR_CACHE/node/node_modules/.bin:$PATH"
  export PATH
}

setup_node() {
  use_cached_node
  node_is_recent && return
  have npm || install_packages nodejs npm
  say "fetching Node.js 22 from npm (half a minute)"
  mkdir -p "$KTIR_CACHE/node"
  quietly "$KTIR_CACHE/log/node.log" npm install --prefix "$KTIR_CACHE/node" --no-audit --no-fund node@22
  # Debian 12's npm does not know newer releases of Node.js.
  PATH="$KTIR_CACHE/node/node_modules/node/bin:$PATH" \
    quietly "$KTIR_CACHE/log/npm.log" npm install --prefix "$KTIR_CACHE/node" --no-audit --no-fund npm@10
  use_cached_node
  hash -r
  node_is_recent || fail "the Node.js in $KTIR_CACHE/node does not run"
}
