import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const results = process.env.KTIR_TEST_RESULTS ?? `${repository}test-results/e2e`;

/**
 * Environment: `CHROMIUM` the browser, `KTIR_PLAYGROUND` the built page,
 * `KTIR_TEST_RESULTS` the folder of `results.json` and of screenshots of failures.
 */
export default defineConfig({
  testDir: '.',
  outputDir: `${results}/output`,
  workers: 2,
  // The machines that run this are small and may be busy.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: `${results}/results.json` }]],
  use: {
    browserName: 'chromium',
    // Keeping the page for offline use costs each test a second copy of it.
    serviceWorkers: 'block',
    viewport: { width: 1366, height: 860 },
    // Traces double the time of a test; `npm test -- --trace on` makes them.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        // Optimising the compiler takes longer than a test has use for it.
        '--js-flags=--no-wasm-tier-up,--no-wasm-dynamic-tiering',
        // Chromium refuses its sandbox to root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
});
