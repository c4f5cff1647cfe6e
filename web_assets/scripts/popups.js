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

/** Send a window to an address; from then on it is on its own, since it no longer knows this page. */
export function navigatePopup(name, url) {
  const popup = popups.get(name)?.popup;
  popups.delete(name);
  if (popup && !popup.closed) popup.location.replace(url);
}

/** Close a window that was not sent anywhere yet. */
export function closePopup(name) {
  popups.get(name)?.popup.close();
  popups.delete(name);
}

/** Close all windows of `owner` that were not sent anywhere yet. */
export function closePopups(owner) {
  for (const [name, entry] of [...popups]) if (entry.owner === owner) closePopup(name);
}
