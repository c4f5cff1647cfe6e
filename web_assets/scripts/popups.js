// Windows that are opened within a click, before anyone knows where they shall lead: browsers block them at any later time.

const popups = new Map();
let opened = 0;

/** Open an empty window with a title and return its name, or null when the browser opens none. */
export function openPopup(title) {
  if (navigator.userActivation && !navigator.userActivation.isActive) return null;
  const width = 560;
  const height = 760;
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  const popup = window.open("", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!popup) return null;
  popup.opener = null; // whatever is shown there, a provider's pages too, must not be able to navigate this page
  popup.document.title = title;
  const name = `popup-${++opened}`;
  popups.set(name, popup);
  return name;
}

/** Send a window to an address; from then on it is on its own, since it no longer knows this page. */
export function navigatePopup(name, url) {
  const popup = popups.get(name);
  popups.delete(name);
  if (popup && !popup.closed) popup.location.replace(url);
}

/** Close a window that was sent nowhere yet. */
export function closePopup(name) {
  popups.get(name)?.close();
  popups.delete(name);
}

/** Close all windows that were sent nowhere yet. */
export function closePopups() {
  for (const name of [...popups.keys()]) closePopup(name);
}
