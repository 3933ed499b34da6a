import './styles/index.css';
import { App } from './app/app.ts';
import { registerOffline } from './app/offline.ts';
import { connectCompiler } from './compiler/connect.ts';
import { registerKtirLanguage } from './editor/ktir-language.ts';
import { defineThemes } from './editor/theme.ts';
import { loadSettings } from './model/settings.ts';

registerKtirLanguage();
defineThemes();
void new App(loadSettings(), connectCompiler).start();
registerOffline();
