/** The functions that the wasm module exports through its generated glue. */

import type { DType } from './api.js';

export interface GlueTensor {
  dtype: DType;
  shape: readonly number[];
  data: Uint8Array;
}

/** An argument that is host data: a number, or the bytes of a tensor. */
export type GlueValue = number | Uint8Array;

/** What is said of a `GlueValue`; the fields from `dtype` on of a tensor. */
export interface GlueHeader {
  name: string;
  dtype?: DType;
  shape?: readonly number[];
  bound?: boolean;
  at?: number;
  tile?: number;
}

/** A result without its elements. */
export interface GlueOutput {
  name: string;
  dtype: DType;
  shape: readonly number[];
  bytes: number;
}

export type ReadFile = (path: string) => Uint8Array | null;

export interface GlueExecutable {
  info(): string;
  /** `headers`: a `GlueHeader[]` as JSON, one for each of `values`. */
  start(
    json: string,
    headers: string,
    values: GlueValue[],
    readFile: ReadFile,
    options: string,
  ): string;
  advance(milliseconds: number): number;
  step(instance: number, milliseconds: number): string;
  /** Whether elements of `values` are still to be read. */
  isReading(): boolean;
  rejected(): boolean;
  done(): number;
  total(): number;
  findings(): string;
  /** A `GlueOutput[]` as JSON. */
  outputHeaders(): string;
  /** One piece of a result from `offset` on; returns where the next begins. */
  readOutput(index: number, offset: number, into: Uint8Array): number;
  /** What `Glue.report` takes, in memory of the module until the next call. */
  reportSource(): Uint8Array;
  trace(): string;
  captured(): { info: string; tensor?: GlueTensor }[];
  stop(): void;
  delete(): void;
}

export interface GlueCompilation {
  info(): string;
  stageText(stage: number): string;
  prepare(options: string): GlueExecutable;
  validate(
    options: string,
    json: string,
    headers: string,
    values: GlueValue[],
    readFile: ReadFile,
  ): GlueValidation;
  delete(): void;
}

export interface GlueValidation {
  /** An empty string, or the diagnostics of arguments that could not be read. */
  unreadable(): string;
  /** False when there is nothing more to do. */
  advance(milliseconds: number): boolean;
  /** Instructions of the stage that is running. */
  done(): number;
  /** A `StageValidation[]` as JSON. */
  stages(): string;
  delete(): void;
}

export interface GlueLanguageService {
  update(text: string): string;
  ask(question: string, line: number, column: number): string;
  delete(): void;
}

/** What the command line needs of the world. */
export interface CommandLineHost {
  readFile: ReadFile;
  /** Creates missing folders; false on failure. */
  writeFile(path: string, bytes: Uint8Array): boolean;
  /** Adds to the end of a file that `writeFile` made; false on failure. */
  appendFile(path: string, bytes: Uint8Array): boolean;
  /** Creates a folder and those around it; false when it cannot be written into. */
  makeFolder(path: string): boolean;
  out(bytes: Uint8Array): void;
  err(bytes: Uint8Array): void;
}

export interface Glue {
  Compilation: new (source: string, options: string, readFile: ReadFile) => GlueCompilation;
  LanguageService: new (options: string, readFile: ReadFile) => GlueLanguageService;
  version(): string;
  /** A report as JSON, of what `reportSource` gave. */
  report(source: Uint8Array): string;
  format(source: string, fileName: string): { text?: string; diagnostics?: string };
  generate(json: string, readFile: ReadFile): { diagnostics?: string; tensor?: GlueTensor };
  readNpy(bytes: Uint8Array): { error?: string; tensor?: GlueTensor };
  writeNpy(tensor: GlueTensor): Uint8Array;
  runCommandLine(words: string[], host: CommandLineHost): number;
}

/** What the generated factory takes. */
export interface GlueOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print(text: string): void;
  printErr(text: string): void;
}
