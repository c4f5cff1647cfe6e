// A closed window ends the attempt. A reload looks the same here; the service tells them apart by what follows.
export function tellWhenClosed(url, page, token) {
  let staying = false;
  window.addEventListener("pagehide", () => {
    if (!staying) navigator.sendBeacon(url, new URLSearchParams({ page, token }));
  });
  return {
    stays() {
      staying = true;
    },
  };
}
