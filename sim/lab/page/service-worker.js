// Keeps the page, so that it opens without a network; a newer one is taken when there is a network.
'use strict';

const KEPT = 'vdisim-lab';
const FILES = ['./', 'index.html', 'manifest.webmanifest', 'icon.svg'];

self.addEventListener('install', event => event.waitUntil(caches.open(KEPT).then(kept => kept.addAll(FILES))));
self.addEventListener('fetch', event => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(fetch(event.request).then(answer => {
    if (answer.ok) { const copy = answer.clone(); caches.open(KEPT).then(kept => kept.put(event.request, copy)); }
    return answer;
  }).catch(() => caches.match(event.request, { ignoreSearch: true }).then(answer => answer ?? Response.error())));
});
