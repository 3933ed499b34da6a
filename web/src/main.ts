import './styles/index.css';
import { connectCompiler } from './compiler/connect.ts';
import { handOut } from './compiler/hand-out.ts';

// The compiler takes as long to load as the editor: it starts first, in its
// worker, and the page is loaded meanwhile.
const first = connectCompiler();
// A failure shows when the page makes its first call.
void first.version().catch(() => undefined);

const { startPage } = await import('./page.ts');
startPage(handOut(first, connectCompiler));
