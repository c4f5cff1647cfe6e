// An attempt may end elsewhere: in the panel that started it, in another tab, or by itself when its time is over.
const MILLISECONDS = 2_000;

/** Show how the attempt ended, soon after it has; the returned function stops watching. */
export function watch(stateUrl, pageUrl, page) {
  const timer = setInterval(async () => {
    try {
      const { status } = await (await fetch(stateUrl)).json();
      if (status === "pending") return;
    } catch {
      return; // the network is down; it may come back
    }
    clearInterval(timer);
    page.stays();
    location.replace(pageUrl);
  }, MILLISECONDS);
  return () => clearInterval(timer);
}
