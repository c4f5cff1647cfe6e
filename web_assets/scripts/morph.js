// Changes a part of the page to match new HTML. It touches only what differs, so that focus, selection, scroll position
// and text being typed survive. Elements with an id are matched by it, others by their place and name.

/** Change the children of `parent` into those of `wanted`, a DocumentFragment, which is used up. */
export function morph(parent, wanted, active) {
  const known = new Map();
  for (const child of parent.children) if (child.id) known.set(child.id, child);
  let place = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    const match = findMatch(place, next, known, wanted);
    if (!match) {
      parent.insertBefore(next, place);
      continue;
    }
    if (match === place) place = place.nextSibling;
    else parent.insertBefore(match, place);
    if (match.id) known.delete(match.id);
    change(match, next, active);
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
}

function findMatch(place, next, known, wanted) {
  if (next.id) {
    const match = known.get(next.id);
    return match?.nodeName === next.nodeName ? match : null;
  }
  for (let node = place; node; node = node.nextSibling) {
    if (node.id && isWanted(node.id, wanted)) return null; // it has a place of its own further on
    if (!node.id && node.nodeName === next.nodeName) return node;
  }
  return null;
}

function isWanted(id, wanted) {
  for (const child of wanted.children) if (child.id === id) return true;
  return false;
}

function change(node, next, active) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
    return;
  }
  if (node.isEqualNode(next)) return keep(node, active);
  const shown = node.getAttribute("value");
  const wasChosen = isChosen(node);
  const wasOpen = node.getAttribute("data-rendered-open");
  changeAttributes(node, next);
  if (node.nodeName === "DETAILS") changeOpen(node, next, wasOpen);
  if (node.nodeName === "TEXTAREA") changeValue(node, node.defaultValue, next.defaultValue, active);
  morph(node, next, active);
  if (isChoice(node)) changeChoice(node, next, wasChosen, active);
  else if (node.nodeName === "INPUT") changeValue(node, shown ?? "", next.getAttribute("value") ?? "", active);
}

/** Keep a node whose HTML has not changed; its controls may have to go back to what the HTML says. */
function keep(node, active) {
  for (const control of [node, ...node.querySelectorAll("input, option, textarea")]) {
    if (isChoice(control)) changeChoice(control, control, isChosen(control), active);
    else if ("defaultValue" in control) changeValue(control, control.defaultValue, control.defaultValue, active);
  }
}

function changeAttributes(node, next) {
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !(node.nodeName === "DETAILS" && name === "open")) node.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (node.nodeName === "DETAILS" && name === "open") continue;
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

/** Leave details as the user opened or closed them, until the HTML says something new. */
function changeOpen(node, next, wasOpen) {
  const open = String(next.hasAttribute("open"));
  node.setAttribute("data-rendered-open", open);
  if (wasOpen !== open && wasOpen !== null) node.open = open === "true";
}

function isChoice(node) {
  return node.nodeName === "OPTION" || node.type === "checkbox" || node.type === "radio";
}

/** Whether the HTML says that a choice is made. */
function isChosen(node) {
  return node.hasAttribute(node.nodeName === "OPTION" ? "selected" : "checked");
}

/** A choice the user has just made is newer than HTML that only repeats what it said before. */
function changeChoice(node, next, wasChosen, active) {
  const chosen = isChosen(next);
  const isBeingChosen = node === active || node.parentElement === active || (node.type === "radio" && node.name === active?.name);
  if (isBeingChosen && chosen === wasChosen) return;
  if (node.nodeName === "OPTION") node.selected = chosen;
  else node.checked = chosen;
}

/** Text that the user has typed since the last rendering is newer than what the HTML says. */
function changeValue(node, shown, value, active) {
  const isBeingTyped = node === active && node.value !== shown;
  if (node.value !== value && !isBeingTyped) node.value = value;
}
