/** Icons as 16 × 16 stroke paths, drawn here so that the page needs no icon font. */
const paths = {
  play: 'M5 3.2v9.6l7.6-4.8z',
  stop: 'M4.5 4.5h7v7h-7z',
  share: 'M8 10V2.5M5 5l3-3 3 3M3.5 8.5v4.5h9V8.5',
  settings:
    'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M8.5 4.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M4.5 11.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  open: 'M2 12.5v-9h4l1.5 2h6v7zM2 7.5h11.5',
  book: 'M8 4.2C6.6 3 4.4 2.8 2.5 3v9c1.9-.2 4.1 0 5.5 1.2 1.4-1.2 3.6-1.4 5.5-1.2v-9C11.6 2.8 9.4 3 8 4.2zM8 4.2v9',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M6 6l4 4M10 6l-4 4',
  warning: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.1',
  note: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M8 7.5v3.5M8 5v.1',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  expand: 'M9.5 2.5h4v4M13.5 2.5L9 7M6.5 13.5h-4v-4M2.5 13.5L7 9',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2.5V10M5 7l3 3 3-3M3 13h10',
  dash: 'M4 8h8',
} as const;

export type IconName = keyof typeof paths;

const namespace = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
