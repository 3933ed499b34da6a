/** Takes the types out of the tests; `npm run typecheck` checks them. */

import { transformSync } from 'esbuild';

export default {
  process(source, path) {
    const { code, map } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcefile: path,
      sourcemap: 'both',
    });
    return { code, map };
  },
};
