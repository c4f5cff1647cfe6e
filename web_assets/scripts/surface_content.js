// What is in a surface once something was rendered: HTML that changes in place, and what the user does to it. It is
// loaded before the worker, with whatever else the shell can do without at first, so that the shell is small.

import { Comboboxes } from "./comboboxes.js";
import { Early } from "./early.js";
import { Menus } from "./menus.js";
import { morph } from "./morph.js";
import { PageFields } from "./page_fields.js";
import { Press } from "./press.js";

export { keepDraft } from "./drafts.js";
export { whenClosed } from "./popup_watch.js";
export { preload } from "./preload.js";
export { Early };

export const words = SHELL_WORDS;
export const css = SURFACE_CSS;

const DEBOUNCE_MILLISECONDS = 150;
const FOCUSABLE = "button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled)";

/** The files that users have chosen, by the keys that stand for them in gestures. */
export const files = new Map();

export class Content {
  #surface;
  #openPopup;
  #missingImages = new Set(); // by address; the app's initial shows in their place until something else is opened
  #menus;
  #pending = new Map(); // what is sent when nothing more is typed for a moment, by control
  #comboboxes;
  #pageFields;
  #press;

  constructor(surface, openPopup) {
    this.#surface = surface;
    this.#openPopup = openPopup;
    const { frame } = surface;
    this.#comboboxes = new Comboboxes(surface, (control) => this.#drop(control));
    this.#pageFields = new PageFields(surface, {
      later: (control, send) => this.#sendLater(control, send),
      drop: (control) => this.#drop(control),
    });
    frame.addEventListener("click", (event) => this.#onClick(event));
    frame.addEventListener("input", (event) => this.#onControl(event, "input"));
    frame.addEventListener("change", (event) => this.#onControl(event, "change"));
    frame.addEventListener("submit", (event) => this.#onSubmit(event));
    frame.addEventListener("error", ({ target }) => this.#onMissingImage(target), true); // it doesn't bubble
    frame.addEventListener("keydown", (event) => this.#onEnter(event));
    this.#menus = new Menus(frame);
    this.#press = new Press(frame);
  }

  /** Show HTML, but not while the user is pressing what it may move or replace. */
  updateSoon(html, label) {
    this.#press.after(() => this.update(html, label));
  }

  /** Show HTML at once; it is TrustedHTML where the page enforces that. */
  update(html, label) {
    const { frame, root, modal } = this.#surface;
    const template = document.createElement("template");
    template.innerHTML = html;
    for (const image of template.content.querySelectorAll("img")) if (this.#missingImages.has(image.src)) image.remove();
    const focused = root.activeElement;
    const path = idsAbove(focused);
    const marked = new Map(autofocused(frame).map((element) => [element, element.dataset.autofocus]));
    const selection = readSelection(focused);
    this.#comboboxes.mark(template.content);
    morph(frame, template.content, focused);
    this.#menus.keep();
    this.#pageFields.follow();
    frame.setAttribute("aria-label", label);
    const asking = autofocused(frame).find((element) => marked.get(element) !== element.dataset.autofocus);
    if (asking && this.#mayTakeFocus(focused)) this.#pageFields.focus(asking) || asking.focus({ preventScroll: !modal });
    else if (focused && root.activeElement !== focused) this.#restoreFocus(focused, path, selection);
    this.#comboboxes.follow();
  }

  /** Whether the focus may be taken: an inline surface must not take it from a user who types elsewhere in the page. */
  #mayTakeFocus(focused) {
    const { modal, host } = this.#surface;
    const elsewhere = document.activeElement;
    return modal || focused || elsewhere === null || elsewhere === document.body || elsewhere === host;
  }

  /** Focus what had the focus, or if it is gone, what is nearest to its place. */
  #restoreFocus(focused, path, selection) {
    const { root, frame } = this.#surface;
    if (focused.isConnected) {
      focused.focus({ preventScroll: true });
      if (selection) focused.setSelectionRange(...selection);
      return;
    }
    for (const id of path) {
      const near = root.getElementById(id);
      const target = near?.matches(FOCUSABLE) ? near : near?.querySelector(FOCUSABLE);
      if (target) return target.focus();
    }
    frame.focus();
  }

  close() {
    this.#press.close();
    this.#menus.close();
    this.#comboboxes.close();
    this.#pageFields.close();
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
  }

  /** Drop what was typed into a control a moment ago and isn't sent; return whether there was anything. */
  #drop(control) {
    clearTimeout(this.#pending.get(control)?.timer);
    return this.#pending.delete(control);
  }

  #onClick(event) {
    const element = event.target.closest("button[data-action], a[data-action]");
    if (!element || !this.#surface.frame.contains(element)) return;
    this.flush();
    const popup = element.hasAttribute("data-popup") ? this.#openPopup() : null;
    this.#surface.gesture("click", element.dataset, { popup }, element);
  }

  #onControl(event, kind) {
    const control = event.target;
    if (!control.matches?.("[data-action]") || !("value" in control) || !this.#surface.frame.contains(control)) return;
    const isChoice = control.matches("select, [type=checkbox], [type=radio], [type=file]");
    if (isChoice && kind === "input") return; // its `change` event follows and says the same
    const send = () => this.#surface.gesture(kind, control.dataset, { value: readValue(control) });
    this.#drop(control);
    if (kind === "input" && control.hasAttribute("data-debounce")) this.#sendLater(control, send);
    else send();
  }

  /** Send what was entered into a control, once nothing more has been entered for a moment. */
  #sendLater(control, send) {
    this.#drop(control);
    const sendOnce = () => this.#pending.delete(control) && send();
    this.#pending.set(control, { send: sendOnce, timer: setTimeout(sendOnce, DEBOUNCE_MILLISECONDS) });
  }

  #onMissingImage(image) {
    this.#missingImages.add(image.src);
    image.remove();
  }

  #onSubmit(event) {
    if (!this.#surface.frame.contains(event.target)) return; // a form that the page has drawn
    event.preventDefault();
    this.flush();
    const unfinished = [...event.target.elements].find(({ validity }) => validity?.badInput);
    if (unfinished) return complain(unfinished);
    if (event.target.dataset.action) this.#surface.gesture("submit", event.target.dataset, {}, event.submitter);
  }

  /** Submit a text of several lines with Enter, as with a single line; Shift+Enter begins another line. */
  #onEnter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (!event.target.matches("[data-enter-submits]") || !this.#surface.frame.contains(event.target)) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  }

  /** Send what was typed a moment ago at once. */
  flush() {
    for (const { send, timer } of [...this.#pending.values()]) {
      clearTimeout(timer);
      send();
    }
  }
}

/** Remove our own parameters, if all of them are still in the address: the page may have moved on to another one. */
export function forgetParameters(parameters) {
  const { search, pathname, hash } = location;
  const isOurs = (part) => [...new URLSearchParams(part)].some(([name, value]) => parameters[name] === value);
  const parts = search.slice(1).split("&");
  const rest = parts.filter((part) => !isOurs(part));
  if (parts.length - rest.length < Object.keys(parameters).length) return;
  history.replaceState(history.state, "", `${pathname}${rest.length ? "?" : ""}${rest.join("&")}${hash}`);
}

/** Say what is wrong with what a browser itself can't read: half a date has no value, and would be left out. */
function complain(control) {
  const folded = control.closest("details");
  if (folded) folded.open = true;
  control.reportValidity();
}

function autofocused(frame) {
  return [...frame.querySelectorAll("[data-autofocus]")];
}

function readValue(control) {
  if (control.type === "checkbox") return control.checked;
  if (control.type === "file") return control.files.length ? describeFile(control.files[0]) : "";
  if (control.multiple) return [...control.selectedOptions].map((option) => option.value);
  return control.value;
}

function describeFile(file) {
  const key = `file-${files.size + 1}`;
  files.set(key, file);
  return JSON.stringify({ key, name: file.name, size: file.size });
}

function readSelection(element) {
  try {
    return Number.isInteger(element?.selectionStart) && [element.selectionStart, element.selectionEnd];
  } catch {
    return null; // not a control with a selection
  }
}

function idsAbove(element) {
  const ids = [];
  for (let node = element; node; node = node.parentElement) if (node.id) ids.push(node.id);
  return ids;
}
