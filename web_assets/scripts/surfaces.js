// Surfaces: parts of the page in a shadow root, as a modal dialog or inside an element of the host page. Each shows the
// HTML that the worker renders and sends back what the user does.

import { direction, say } from "./locale.js";
import { morph } from "./morph.js";
import { openPopup } from "./popups.js";
import { ServiceError } from "./service_error.js";
import { trusted } from "./trusted_types.js";

const DEBOUNCE_MILLISECONDS = 150;
const FOCUSABLE = "button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled)";

const surfaces = new Map();
const missingImages = new Set(); // under their addresses; the initial of the app shows in their place
const frameSheet = new CSSStyleSheet();
const contentSheet = new CSSStyleSheet();
frameSheet.replaceSync(FRAME_CSS);
let opened = 0;
let scrollLocks = 0;
let pageOverflow = "";

/** Set the style sheet of what the worker renders. */
export function setStyles(css) {
  contentSheet.replaceSync(css);
}

/** Open a surface that shows a skeleton; `send` takes its gestures, and word of its being taken away. Returns its name. */
export function openSurface({ instance, containerId, modal, theme, locale, draftKey, send }) {
  const parent = modal ? document.body : findContainer(containerId);
  const name = `surface-${++opened}`;
  if (!modal) {
    // A container shows one thing at a time, also one that was rendered anew under its old id.
    const isReplaced = ({ host, place }) => host.parentNode === parent || (place === containerId && !host.isConnected);
    for (const other of [...surfaces.values()]) if (isReplaced(other)) takeAway(other);
  }
  surfaces.set(name, new Surface(name, instance, parent, modal, theme, locale, draftKey, send));
  surfaces.get(name).place = containerId;
  return name;
}

/** Show HTML in a surface; one that is closed by now is left alone. */
export function updateSurface(name, html, label) {
  surfaces.get(name)?.update(html, label);
}

/** Keep what is filled in into a surface's form in this tab, so that it survives a reload; null forgets it. */
export function keepDraft(name, draft) {
  const key = surfaces.get(name)?.draftKey;
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, draft);
  } catch {
    // the page has no storage, or it is full
  }
}

/** Return what was kept under a key. */
export function readDraft(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Take a surface away. */
export function closeSurface(name) {
  const surface = surfaces.get(name);
  surfaces.delete(name);
  surface?.close();
}

/** Take away all surfaces that fit. */
export function closeSurfaces(fits) {
  for (const [name, surface] of [...surfaces]) if (fits(surface)) closeSurface(name);
}

/** Close a surface that the worker would have kept, and tell it. */
function takeAway(surface) {
  if (surfaces.get(surface.name) !== surface) return;
  closeSurface(surface.name);
  surface.send({ surface: surface.name }, "surfaceGone");
}

function findContainer(id) {
  const container = typeof id === "string" && id ? document.getElementById(id) : null;
  if (container) return container;
  const message = id
    ? `There is no element with the id ${JSON.stringify(id)} to show the apps in.`
    : "containerId is required when renderMode is INLINE: the id of the element to show the apps in.";
  throw new ServiceError({ code: "container_not_found", message });
}

class Surface {
  constructor(name, instance, parent, modal, theme, locale, draftKey, send) {
    this.name = name;
    this.instance = instance;
    this.modal = modal;
    this.locale = locale;
    this.draftKey = draftKey;
    this.send = send;
    this.pending = new Map();
    this.returnFocusTo = document.activeElement;
    this.host = document.createElement("div");
    this.host.setAttribute("data-servicejs", modal ? "modal" : "inline");
    if (theme) this.host.setAttribute("data-theme", theme);
    this.host.lang = locale;
    this.host.dir = direction(locale);
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [frameSheet, contentSheet];
    this.frame = document.createElement(modal ? "dialog" : "div");
    this.frame.className = "frame";
    this.frame.part = "frame";
    this.frame.tabIndex = -1;
    this.frame.innerHTML = trusted.createHTML(
      `<div class="skeleton" role="status" aria-label="${say(locale, "Loading…")}"><i></i><i></i><i></i></div>`,
    );
    this.root.append(this.frame);
    this.listen();
    parent.append(this.host);
    if (modal) {
      lockScroll();
      this.frame.showModal();
      this.frame.focus();
      // A page that renders itself anew may drop the dialog, which nothing but its size tells.
      this.sizes = new ResizeObserver(() => this.frame.isConnected || takeAway(this));
      this.sizes.observe(this.frame);
    }
  }

  update(html, label) {
    const template = document.createElement("template");
    template.innerHTML = trusted.createHTML(html);
    for (const image of template.content.querySelectorAll("img")) if (missingImages.has(image.src)) image.remove();
    const focused = this.root.activeElement;
    const path = idsAbove(focused);
    const marked = new Map(this.autofocused().map((element) => [element, element.dataset.autofocus]));
    const selection = readSelection(focused);
    morph(this.frame, template.content, focused);
    this.frame.setAttribute("aria-label", label);
    const asking = this.autofocused().find((element) => marked.get(element) !== element.dataset.autofocus);
    if (asking) asking.focus();
    else if (focused && this.root.activeElement !== focused) this.restoreFocus(focused, path, selection);
  }

  autofocused() {
    return [...this.frame.querySelectorAll("[data-autofocus]")];
  }

  /** Focus what had the focus, or if it is gone, what is nearest to its place. */
  restoreFocus(focused, path, selection) {
    if (focused.isConnected) {
      focused.focus({ preventScroll: true });
      if (selection) focused.setSelectionRange(...selection);
      return;
    }
    for (const id of path) {
      const near = this.root.getElementById(id);
      const target = near?.matches(FOCUSABLE) ? near : near?.querySelector(FOCUSABLE);
      if (target) return target.focus();
    }
    this.frame.focus();
  }

  close() {
    for (const { timer } of this.pending.values()) clearTimeout(timer);
    if (this.modal) {
      this.sizes.disconnect();
      unlockScroll();
      this.frame.close();
    }
    this.host.remove();
    if (this.modal && this.returnFocusTo?.isConnected) this.returnFocusTo.focus({ preventScroll: true });
  }

  listen() {
    this.frame.addEventListener("click", (event) => this.onClick(event));
    this.frame.addEventListener("input", (event) => this.onControl(event, "input"));
    this.frame.addEventListener("change", (event) => this.onControl(event, "change"));
    this.frame.addEventListener("submit", (event) => this.onSubmit(event));
    this.frame.addEventListener("error", ({ target }) => this.onMissingImage(target), true); // it doesn't bubble
    for (const kind of ["keydown", "keyup", "keypress"]) {
      this.host.addEventListener(kind, (event) => event.stopPropagation()); // no shortcuts of the host page while typing
    }
    this.frame.addEventListener("keydown", (event) => this.onEnter(event));
    if (!this.modal) return;
    this.frame.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      this.gesture("escape", { action: "escape" });
    });
    this.frame.addEventListener("cancel", (event) => {
      if (event.target !== this.frame) return;
      event.preventDefault(); // a back gesture; Escape was taken above
      this.gesture("escape", { action: "escape" });
    });
    this.frame.addEventListener("close", () => {
      if (surfaces.get(this.name) === this) this.frame.showModal(); // only the worker decides when it closes
    });
  }

  onClick(event) {
    const element = event.target.closest("button[data-action], a[data-action]");
    if (!element || !this.frame.contains(element)) return;
    this.flush();
    const popup = element.hasAttribute("data-popup") ? openPopup(say(this.locale, "Connecting…")) : null;
    this.gesture("click", element.dataset, { popup });
  }

  onControl(event, kind) {
    const control = event.target;
    if (!control.matches?.("[data-action]") || !("value" in control)) return;
    const isChoice = control.matches("select, [type=checkbox], [type=radio]");
    if (isChoice && kind === "input") return; // its change follows and says the same
    const send = () => {
      this.pending.delete(control);
      this.gesture(kind, control.dataset, { value: readValue(control) });
    };
    clearTimeout(this.pending.get(control)?.timer);
    this.pending.delete(control);
    if (kind === "input" && control.hasAttribute("data-debounce")) {
      this.pending.set(control, { send, timer: setTimeout(send, DEBOUNCE_MILLISECONDS) });
    } else {
      send();
    }
  }

  onMissingImage(image) {
    missingImages.add(image.src);
    image.remove();
  }

  onSubmit(event) {
    event.preventDefault();
    this.flush();
    if (event.target.dataset.action) this.gesture("submit", event.target.dataset);
  }

  /** Several lines of text that are sent like a single one; Shift and Enter begin another line. */
  onEnter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (!event.target.matches("[data-enter-submits]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  }

  flush() {
    for (const { send, timer } of [...this.pending.values()]) {
      clearTimeout(timer);
      send();
    }
  }

  gesture(kind, { action, argument = "" }, more = {}) {
    this.send({ surface: this.name, kind, action, argument, ...more });
  }
}

function readValue(control) {
  if (control.type === "checkbox") return control.checked;
  if (control.multiple) return [...control.selectedOptions].map((option) => option.value);
  return control.value;
}

function readSelection(element) {
  try {
    return element && element.selectionStart !== null && [element.selectionStart, element.selectionEnd];
  } catch {
    return null; // not a control with a selection
  }
}

function idsAbove(element) {
  const ids = [];
  for (let node = element; node; node = node.parentElement) if (node.id) ids.push(node.id);
  return ids;
}

function lockScroll() {
  if (scrollLocks++) return;
  pageOverflow = document.documentElement.style.overflow;
  document.documentElement.style.overflow = "hidden";
}

function unlockScroll() {
  if (--scrollLocks) return;
  const root = document.documentElement;
  root.style.overflow = pageOverflow;
  if (!root.getAttribute("style")) root.removeAttribute("style"); // an empty one says nothing
}
