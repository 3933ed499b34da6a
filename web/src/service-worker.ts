/// <reference lib="webworker" />

/**
 * Keeps the page usable offline. Files under `assets/` carry a content hash in
 * their name and never change, so they come from the cache; everything else
 * comes from the network when there is one.
 */
export {};

declare const self: ServiceWorkerGlobalScope;

const cacheName = 'ktir-playground';
const listUrl = new URL('precache.json', self.location.href).href;
const pageUrl = new URL('./', self.location.href).href;

/** Stores every file of the current build, then drops those of older builds. */
async function refresh(): Promise<void> {
  const response = await fetch(listUrl, { cache: 'no-store' });
  if (!response.ok) return;
  const files = (await response.json()) as string[];
  const wanted = new Set(files.map((file) => new URL(file, pageUrl).href));
  const cache = await caches.open(cacheName);
  const stored = new Set((await cache.keys()).map((request) => request.url));
  // The page goes last: it must never name a file that is not stored yet.
  await cache.addAll([...wanted].filter((url) => isHashed(url) && !stored.has(url)));
  await cache.addAll([...wanted].filter((url) => !isHashed(url)).concat(pageUrl));
  for (const url of stored) {
    if (!wanted.has(url) && url !== pageUrl) await cache.delete(url);
  }
}

function isHashed(url: string): boolean {
  return url.startsWith(new URL('assets/', pageUrl).href);
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const stored = await cache.match(request, { ignoreSearch: true });
  if (stored && isHashed(request.url)) return stored;
  try {
    return await fetch(request);
  } catch (error) {
    if (stored) return stored;
    throw error;
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(refresh().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  if (event.data === 'refresh') event.waitUntil(refresh());
});

self.addEventListener('fetch', (event) => {
  const url = event.request.url;
  if (event.request.method === 'GET' && url.startsWith(pageUrl)) {
    event.respondWith(answer(event.request));
  }
});
