// The parts of a combobox in the page: its list, what the list holds, and where it is placed.

export const HIGHEST = 320; // pixels; a longer list scrolls

const GAP = 4; // pixels between the field and its list
const LOWEST = 96;

export function isCombobox(element) {
  return element.matches?.("[data-combobox] > [role=combobox]") ?? false; // not one of the page's own
}

export function partsOf(input) {
  const box = input.closest("[data-combobox]");
  const popup = box.querySelector(".combobox-popup");
  const chips = [...box.querySelectorAll(".chip-remove")];
  return { box, popup, chips, list: popup.querySelector("[role=listbox]"), note: popup.querySelector(".combobox-note") };
}

/** Return what was typed to find something: nothing if the text is the label of what is chosen. */
export function searchOf(input) {
  return input.value === partsOf(input).box.dataset.label ? "" : input.value;
}

/** Return all rows that can be meant. */
export function rowsOf(list) {
  return [...list.querySelectorAll("[role=option]:not([hidden])")];
}

/** Return the choices alone, without the list's other rows. */
export function optionsOf(list, all = false) {
  return [...list.querySelectorAll(`[role=option]:not(.combobox-act)${all ? "" : ":not([hidden])"}`)];
}

export function wantedIn(list, wanted) {
  const options = optionsOf(list);
  if (wanted === "last") return rowsOf(list).at(-1);
  const isChosen = (option) => option.getAttribute("aria-selected") === "true";
  const chosen = wanted !== "first" && !list.hasAttribute("aria-multiselectable") && options.find(isChosen);
  return chosen || (wanted === "only chosen" ? null : options[0]);
}

/** Put an open list below its field, or above if there is more room; nothing that scrolls cuts it off. */
export function placeList(input) {
  const { box, popup } = partsOf(input);
  const { top, bottom, left, width } = box.getBoundingClientRect();
  const view = window.visualViewport ?? { offsetTop: 0, height: innerHeight };
  const above = top - view.offsetTop - 2 * GAP;
  const below = view.offsetTop + view.height - bottom - 2 * GAP;
  popup.style.maxHeight = `${HIGHEST}px`;
  const isAbove = below < Math.min(popup.offsetHeight, HIGHEST) && above > below;
  popup.style.maxHeight = `${Math.max(LOWEST, Math.min(HIGHEST, isAbove ? above : below))}px`;
  popup.style.width = `${width}px`;
  const wanted = { left, top: isAbove ? top - GAP - popup.offsetHeight : bottom + GAP };
  Object.assign(popup.style, { left: `${wanted.left}px`, top: `${wanted.top}px` });
  // If the page transforms an element around the surface, "fixed" is relative to that element.
  const is = popup.getBoundingClientRect();
  popup.style.left = `${2 * wanted.left - is.left}px`;
  popup.style.top = `${2 * wanted.top - is.top}px`;
}

/** Bring the option that is meant into sight; scrollIntoView would scroll the form and the page, too. */
export function scrollToMeant(list) {
  const row = list.querySelector("[data-meant]");
  if (!row) return;
  if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
  const end = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (end > list.scrollTop) list.scrollTop = end;
}
