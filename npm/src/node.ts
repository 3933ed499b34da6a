/** The entry for Node: everything of the main entry, and the command line. */

export { runCommandLine } from './command-line.js';
export * from './index.js';
