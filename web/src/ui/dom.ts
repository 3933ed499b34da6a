/** The few helpers that stand in for a framework. */

export type Child = Node | string | number | null | undefined | false;

type Handlers = {
  [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void;
};

export type Properties = Handlers & {
  class?: string;
  text?: string;
  [attribute: `aria-${string}` | `data-${string}`]: string | number | boolean | undefined;
} & Record<string, unknown>;

/** Creates an element. `on…` adds a listener, booleans set or leave out the attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries<unknown>(properties)) {
    if (value === undefined) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value as EventListener);
      continue;
    }
    const attribute = value as string | number | boolean;
    const isState = name.startsWith('aria-') || name.startsWith('data-');
    if (name === 'class') element.className = String(attribute);
    else if (name === 'text') element.textContent = String(attribute);
    else if (typeof attribute === 'boolean' && !isState) element.toggleAttribute(name, attribute);
    else element.setAttribute(name, String(attribute));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === 'number' ? String(child) : child);
  }
}

export function replaceChildren(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** The element of the static page with this id; its absence is a bug of the page. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no '${id}' of the right kind`);
  return element;
}

let counter = 0;

/** An id for `for`, `aria-controls` and the like. */
export function uniqueId(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}
