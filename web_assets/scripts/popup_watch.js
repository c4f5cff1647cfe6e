// Notices that the user closed a window. From a window that has moved on to pages of others, nothing else is seen; and where
// such a page cuts the window off, it looks closed while it is open. So it counts only once the user is back at this page.

const INTERVAL = 1000; // milliseconds
const LOOKS = 2; // in a row: while a window moves on, it may look closed for a moment

/** Resolve to true when the window that `find` returns seems to be closed, to false once it returns none. */
export function whenClosed(find) {
  return new Promise((resolve) => {
    let seen = 0;
    const timer = setInterval(() => {
      const opened = find();
      seen = opened?.closed && document.hasFocus() ? seen + 1 : 0;
      if (opened && seen < LOOKS) return;
      clearInterval(timer);
      resolve(Boolean(opened));
    }, INTERVAL);
  });
}
