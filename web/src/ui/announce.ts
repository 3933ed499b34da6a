import { h } from './dom.ts';

let region: HTMLElement | undefined;
let timer: number | undefined;

/** Shows a short message for some seconds, and has it read out. */
export function announce(message: string): void {
  if (!region) {
    region = h('div', { class: 'toast', role: 'status', 'aria-live': 'polite' });
    document.body.append(region);
  }
  region.textContent = message;
  region.classList.add('visible');
  window.clearTimeout(timer);
  timer = window.setTimeout(() => region?.classList.remove('visible'), 4000);
}
