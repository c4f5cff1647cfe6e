// Surfaces: parts of the page in a shadow root, as a modal dialog or inside an element of the host page. Each shows the
// HTML that the service draws first and the worker renders, and sends back what the user does.

import { checkBrowser } from "./browser_floor.js";
import { direction, learn, say } from "./locale.js";
import { closePopup, navigatePopup, openPopup } from "./popups.js";
import { ServiceError } from "./service_error.js";
import { trusted } from "./trusted_types.js";
import { Waiting } from "./waiting.js";

const ABSENCE_MILLISECONDS = 5000; // a container that is away at two checks in a row is gone

const surfaces = new Map();
let sheets; // made when needed: older browsers can't make them, and must get as far as the error that says so
let content; // the module that shows what the worker renders
let opened = 0;
let looking; // the timer that checks on containers
let scrollLocks = 0;
let pageStyle; // what the page had said itself of what is changed while nothing scrolls

/**
 * Open a surface, which waits for what the worker renders, and return its name. `owner` is the runtime that renders it
 * and is told when it is given up; `send` takes its gestures; `kind` is a word to find it by.
 */
export function openSurface({ containerId, modal, ...rest }) {
  checkBrowser();
  sheets ??= [sheetOf(FRAME_CSS)];
  const parent = modal ? document.body : findContainer(containerId);
  if (!modal) {
    // A container shows one thing at a time, even if the page rendered it again under its old id.
    const isReplaced = ({ host, place }) => host.parentNode === parent || (place === containerId && !host.isConnected);
    for (const other of [...surfaces.values()]) if (isReplaced(other)) takeAway(other);
  }
  return renameSurface(new Surface({ parent, modal, place: containerId, ...rest }));
}

function sheetOf(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Take the module that shows what is rendered, with the words and the style of longer waits, and return it. */
export function takeContent(module) {
  if (content) return content;
  content = module;
  learn(module.words);
  sheets = [...(sheets ?? [sheetOf(FRAME_CSS)]), sheetOf(module.css)];
  for (const { waiting, root } of surfaces.values()) {
    root.adoptedStyleSheets = sheets;
    waiting.speak();
  }
  return content;
}

/** Give a surface a new name, so that to the worker it is another one; return the name. */
export function renameSurface(surface) {
  surfaces.delete(surface.name);
  surface.name = `surface-${++opened}`;
  surfaces.set(surface.name, surface);
  return surface.name;
}

/** Return the element that holds one of the surfaces, if there are any. */
export function anyHost() {
  return surfaces.values().next().value?.host;
}

/** Whether a surface is still there. */
export function isOpen(name) {
  return surfaces.has(name);
}

/** Return a surface in which the worker has rendered nothing yet; nothing if it has, or the surface is closed. */
export function findWaiting(name) {
  const surface = surfaces.get(name);
  return surface?.waiting && surface;
}

/** Show HTML in a surface; do nothing if it is closed by now. */
export function updateSurface(name, html, label) {
  surfaces.get(name)?.update(html, label);
}

/** Keep the draft of a surface's form in this tab, so that it survives a reload; null forgets it. */
export function keepDraft(name, draft) {
  content.keepDraft(surfaces.get(name)?.draftKey, draft);
}

/** Remove our own parameters from the page's address. */
export function forgetParameters(parameters) {
  content.forgetParameters(parameters);
}

/** Return the draft that was kept under a key. */
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

/** Take away all surfaces that fit, and tell their owners. */
export function takeSurfacesAway(fits) {
  for (const surface of [...surfaces.values()]) if (fits(surface)) takeAway(surface);
}

/** Close a surface that its owner would have kept, and tell the owner. */
function takeAway(surface) {
  if (surfaces.get(surface.name) !== surface) return;
  closeSurface(surface.name);
  surface.owner.abandon(surface);
}

/** Take away what is in containers that the page has removed; one that is only moved may be away for a moment. */
function lookAfterContainers() {
  const inline = [...surfaces.values()].filter(({ modal }) => !modal);
  for (const surface of inline) {
    const wasAway = surface.isAway;
    surface.isAway = !surface.host.isConnected;
    if (wasAway && surface.isAway) takeAway(surface);
  }
  if (!inline.length) looking = clearInterval(looking);
}

/** Return the element with an id, also out of the page's own shadow roots; an element itself stands for itself. */
export function findElement(id, root = document) {
  if (!id || id instanceof Element) return id;
  let found = root.getElementById(id);
  for (const { shadowRoot } of found ? [] : root.querySelectorAll(":not([data-servicejs])")) {
    if (shadowRoot) found ??= findElement(id, shadowRoot);
  }
  return found;
}

function findContainer(id) {
  const container = findElement(id);
  if (container) return container;
  const message = typeof id === "string" && id
    ? `There is no element with the id "${id}".`
    : "containerId is required when renderMode is INLINE: an element of this page, or its id.";
  throw new ServiceError({ code: "container_not_found", message });
}

class Surface {
  constructor(given) {
    Object.assign(this, given);
    const { parent, modal, theme, locale } = given;
    this.returnFocusTo = focusedIn(document);
    this.host = document.createElement("div");
    this.host.setAttribute("data-servicejs", modal ? "modal" : "inline");
    // A page that hides what it doesn't know in its body would be stopped by a dialog that nobody sees.
    if (modal) this.host.style.setProperty("display", "block", "important");
    if (["light", "dark"].includes(theme)) this.host.setAttribute("data-theme", theme);
    this.host.lang = locale;
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = sheets;
    this.frame = document.createElement(modal ? "dialog" : "div");
    this.frame.className = "frame";
    this.frame.dir = this.host.dir = direction(locale); // rules of the page reach the host element alone
    this.frame.part = "frame";
    this.frame.tabIndex = -1;
    this.waiting = new Waiting(this.frame, locale, modal);
    this.root.append(this.frame);
    this.listen();
    parent.append(this.host);
    if (!modal) {
      looking ??= setInterval(lookAfterContainers, ABSENCE_MILLISECONDS);
    } else {
      lockScroll();
      this.frame.showModal();
      this.frame.focus();
      // A page that renders itself again may drop the dialog; only a change of its size tells.
      this.sizes = new ResizeObserver(() => this.frame.isConnected || takeAway(this));
      this.sizes.observe(this.frame);
    }
  }

  /** Wait on, with the full time again. */
  wait() {
    this.waiting.begin();
  }

  /** Show what the service has drawn, until the worker renders; `ask` asks the service for what a press leads to. */
  draw(drawn, ask) {
    const { locale, owner, redirectUrl } = this;
    this.early = new content.Early(this, drawn, {
      ask,
      navigate: redirectUrl ? (_, url) => location.assign(url) : navigatePopup,
      closePopup,
      words: (message) => say(locale, message),
      leave: () => takeAway(this),
    });
    this.waiting.draws();
    this.show(drawn.html, drawn.label);
  }

  /** Say that the rest, or all of it, could not be loaded, and offer to try again; return true. */
  fail() {
    if (this.early) return this.early.fail();
    this.waiting.offer();
    return true;
  }

  /** Return what was drawn and done early, for the worker; from now on the worker gets every gesture. */
  async handOver() {
    const { early } = this;
    const handover = await early?.handOver();
    if (this.early === early) this.early = null;
    return handover;
  }

  update(html, label) {
    this.waiting?.end();
    this.waiting = this.early = null;
    this.show(html, label, "updateSoon");
  }

  show(html, label, update = "update") {
    this.content ??= new content.Content(this, () => (this.redirectUrl ? null : openPopup(this.locale, this.owner)));
    this.content[update](trusted.createHTML(html), label);
  }

  close() {
    this.waiting?.end();
    this.early?.close();
    this.content?.close();
    if (this.modal) {
      this.sizes.disconnect();
      unlockScroll();
      this.frame.close();
    }
    this.host.remove();
    if (this.modal && this.returnFocusTo?.isConnected) this.returnFocusTo.focus({ preventScroll: true });
    this.whenClosed?.();
  }

  listen() {
    this.frame.addEventListener("click", (event) => this.onClick(event));
    for (const kind of ["keydown", "keyup", "keypress"]) {
      this.host.addEventListener(kind, (event) => event.stopPropagation()); // no shortcuts of the host page while typing
    }
    if (!this.modal) return;
    this.frame.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      this.escape();
    });
    this.frame.addEventListener("cancel", (event) => {
      if (event.target !== this.frame) return;
      event.preventDefault(); // a back gesture; Escape was handled above
      this.escape();
    });
    this.frame.addEventListener("close", () => {
      if (surfaces.get(this.name) === this) this.frame.showModal(); // only our own code closes it
    });
  }

  onClick(event) {
    const action = event.target.closest("button[data-action]")?.dataset.action;
    if (!this.waiting || !action) return;
    if (action === "retry") this.owner.retry(this);
    else if (!this.content) takeAway(this);
  }

  escape() {
    if (this.early) this.early.leave();
    else if (this.waiting) takeAway(this);
    else {
      this.content.flush();
      this.gesture("escape", { action: "escape" });
    }
  }

  gesture(kind, { action, argument = "" }, more = {}, element = null) {
    const gesture = { kind, action, argument, ...more };
    if (this.early) return this.early.take(gesture, element);
    return this.send({ surface: this.name, ...gesture });
  }
}

/** Return what has the focus, within the page's own shadow roots too. */
function focusedIn(root) {
  const focused = root.activeElement;
  return focused?.shadowRoot?.activeElement ? focusedIn(focused.shadowRoot) : focused;
}

function lockScroll() {
  if (scrollLocks++) return;
  const root = document.documentElement;
  pageStyle = [root.style.scrollbarGutter, root.style.overflow];
  if (root.clientWidth < innerWidth) root.style.scrollbarGutter = "stable"; // so that nothing moves
  root.style.overflow = "hidden";
}

function unlockScroll() {
  if (--scrollLocks) return;
  const root = document.documentElement;
  [root.style.scrollbarGutter, root.style.overflow] = pageStyle;
  if (!root.getAttribute("style")) root.removeAttribute("style"); // an empty one says nothing
}
