/** The glue that the linker generates; the build script resolves the name. */
declare module 'ktir-glue' {
  const createKtir: (options: import('./glue.js').GlueOptions) => Promise<import('./glue.js').Glue>;
  export default createKtir;
}

/** Names the build that glue and wasm belong to; filled in by the build script. */
declare const KTIR_BUILD_ID: string;
