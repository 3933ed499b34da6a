import { defineConfig } from 'vite';
import { precacheList } from './build/precache-list.ts';

export default defineConfig({
  // Relative, so that the page works from any folder of any host.
  base: './',
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would need a wider content security policy than a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4096,
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker.ts' },
      output: {
        // The service worker's scope is its folder, so it stays at the top.
        entryFileNames: (chunk) =>
          chunk.name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        // Monaco changes less often than the page; apart, it stays in caches.
        // The helper of dynamic imports must not wait for it: the compiler
        // starts before the editor is there.
        codeSplitting: {
          groups: [
            { name: 'preload', test: /vite[\\/]preload-helper/ },
            { name: 'monaco', test: /node_modules[\\/]monaco-editor/ },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] } },
  plugins: [precacheList('precache.json')],
});
