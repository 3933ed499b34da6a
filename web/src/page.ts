import { App } from './app/app.ts';
import { registerOffline } from './app/offline.ts';
import type { RemoteCompiler } from './compiler/api.ts';
import { registerKtirLanguage } from './editor/ktir-language.ts';
import { defineThemes } from './editor/theme.ts';
import { loadSettings } from './model/settings.ts';

/** Fills the document; `connect` gives a compiler in a worker at each call. */
export function startPage(connect: () => RemoteCompiler): void {
  registerKtirLanguage();
  defineThemes();
  void new App(loadSettings(), connect).start();
  registerOffline();
}
