/** Lets the service worker keep the page for use without a network. */
export function registerOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register('./service-worker.js')
    .then(async () => {
      const registration = await navigator.serviceWorker.ready;
      registration.active?.postMessage('refresh');
    })
    // Hosts without HTTPS allow no service worker; the page works all the same.
    .catch(() => undefined);
}
