// Windows that are opened within a click, before it is known where they will lead: browsers block them any later.

import { say } from "./locale.js";

const popups = new Map();
let opened = 0;

/** Open an empty window for `owner`, titled in a locale; return its name, or null if the browser opens none. */
export function openPopup(locale, owner) {
  if (navigator.userActivation && !navigator.userActivation.isActive) return null;
  const width = 560;
  const height = 760;
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  const popup = window.open("", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!popup) return null;
  popup.opener = null; // whatever is shown there, a provider's pages too, must not be able to navigate this page
  popup.document.title = say(locale, "Connecting…");
  const name = `popup-${++opened}`;
  popups.set(name, { popup, owner });
  return name;
}

/** Send a window to an address, once; from then on it is on its own, since it no longer knows this page. */
export function navigatePopup(name, url) {
  const entry = popups.get(name);
  if (!entry || entry.isSent) return;
  entry.isSent = true;
  if (!entry.popup.closed) entry.popup.location.replace(url);
}

/** Return a window, as long as it isn't given up. */
export function windowOf(name) {
  return popups.get(name)?.popup;
}

/** Give up a window, and close it if it was not sent anywhere yet. */
export function closePopup(name) {
  const entry = popups.get(name);
  popups.delete(name);
  if (entry && !entry.isSent) entry.popup.close();
}

/** Give up all windows of `owner`, and close those that were not sent anywhere yet. */
export function closePopups(owner) {
  for (const [name, entry] of [...popups]) if (entry.owner === owner) closePopup(name);
}
