/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/transform.js' },
  // Each worker holds a compiler; two are what the smallest machines have cores for.
  maxWorkers: 2,
  testTimeout: 120_000,
};
