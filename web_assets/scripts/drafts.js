// What was filled in on a form and not yet sent, kept in the tab.

/** Keep a form's draft in this tab; null forgets it. Without a key there is no form any more. */
export function keepDraft(key, draft) {
  if (!key) return;
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, draft);
  } catch {
    // the page has no storage, or it is full
  }
}
