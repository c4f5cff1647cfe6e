// What works in a surface before Python is there: the service has drawn it, and what the user does is kept for the
// worker. This code doesn't know what anything means: the HTML says what leaves (data-leave), what opens a window
// (data-popup; the service knows where it leads) and what hides what (data-filters). Everything else waits for the
// worker.

import { keepDraft } from "./drafts.js";

export class Early {
  #surface;
  #page;
  #drawn;
  #gestures = [];
  #before = null; // what was shown before the panel of a window: its nodes and its gesture
  #pressing = null; // the gesture that opened a window, while the service is asked where to send it
  #asking = Promise.resolve();

  /** `page` is what the shell can do: `ask` the service, `navigate` a window, `closePopup`, `leave`, and say `words`. */
  constructor(surface, drawn, page) {
    this.#surface = surface;
    this.#drawn = drawn;
    this.#page = page;
  }

  /** Take what the user did to an element. */
  take(gesture, element) {
    if ("value" in gesture && gesture.kind !== "click") return this.#enter(gesture);
    if (element?.hasAttribute("data-leave")) {
      if (!this.#before) keepDraft(this.#surface.draftKey, null);
      return this.leave();
    }
    const shown = element && whatStays(element);
    if (element?.hasAttribute("data-popup")) return this.#press(gesture, shown);
    this.#gestures.push(gesture);
    this.#say(shown);
  }

  /** Leave what is shown and go back to what was shown before, if anything, else to the page. */
  leave() {
    const { session } = this.#before?.gesture ?? this.#drawn;
    if (session) this.#page.ask({ leave: session.id }).catch(() => {}); // it ends by itself, too
    if (!this.#before) return this.#page.leave();
    const { nodes, gesture, focused } = this.#before;
    this.#before = null;
    this.#gestures = this.#gestures.slice(0, this.#gestures.indexOf(gesture));
    this.#surface.frame.replaceChildren(...nodes);
    focused.focus();
  }

  /** Return what the worker goes on from, once the service has answered. */
  async handOver() {
    await this.#asking;
    const { known, session } = this.#drawn;
    return { known, session, gestures: this.#gestures };
  }

  /** What is said about something that waits for the worker. */
  get words() {
    return this.#page.words(WORDS);
  }

  /** Say, above what is drawn, that the rest could not be loaded, and offer to try again; return true. */
  fail() {
    this.#surface.waiting.offer(FAILED);
    return true;
  }

  close() {
    this.#page.closePopup(this.#pressing?.popup);
  }

  /** Keep what a control holds, and hide what it filters out. */
  #enter(gesture) {
    const isSame = ({ action, argument, value }) =>
      value !== undefined && action === gesture.action && argument === gesture.argument;
    this.#gestures = [...this.#gestures.filter((each) => !isSame(each)), gesture];
    filter(this.#surface.frame);
  }

  /** Send the opened window where the service says, and show what the service draws for it. */
  #press(gesture, element) {
    const begun = this.#before?.gesture.session ?? this.#drawn.session;
    if (begun) return this.#page.navigate(gesture.popup, begun.url);
    if (this.#pressing) return this.#page.closePopup(gesture.popup);
    this.#pressing = gesture;
    this.#gestures.push(gesture);
    element.setAttribute("aria-busy", "true");
    const { action, argument, popup } = gesture;
    this.#asking = this.#page.ask({ action, argument }, popup).then(
      (drawn) => this.#go(gesture, element, drawn),
      () => this.#say(element), // the worker will ask
    );
  }

  #go(gesture, element, drawn) {
    if (!drawn?.session) return this.#say(element);
    const { frame, host } = this.#surface;
    this.#pressing = null;
    if (!host.isConnected) return this.#page.ask({ leave: drawn.session.id }).catch(() => {});
    gesture.session = drawn.session;
    this.#page.navigate(gesture.popup, drawn.session.url);
    element.removeAttribute("aria-busy");
    this.#before = { nodes: [...frame.childNodes], gesture, focused: element };
    frame.replaceChildren(); // what was there is kept as it is, in case the user comes back to it
    this.#surface.show(drawn.html, drawn.label);
    if (!frame.contains(frame.getRootNode().activeElement)) frame.querySelector("[tabindex], button").focus();
  }

  /** Say that what the user did was noticed, and waits for the worker. */
  #say(element) {
    element?.setAttribute("aria-busy", "true");
    const { frame } = this.#surface;
    if (frame.querySelector("#early")) return;
    const words = document.createElement("p");
    Object.assign(words, { id: "early", className: "early", textContent: this.words });
    words.setAttribute("role", "status");
    frame.append(words);
  }
}

/** Return the element that stays in sight: a menu closes when its item is pressed, but its button stays. */
function whatStays(element) {
  const menu = element.closest("[role=menu]");
  return menu ? element.getRootNode().querySelector(`[aria-controls="${menu.id}"]`) : element;
}

const WORDS = "One moment. This will happen as soon as everything has loaded.";
const FAILED = "Part of this could not be loaded. Check your connection, or try again.";

/** Hide what lacks any word of the controls that filter it; if nothing is left, say so. */
function filter(frame) {
  const controls = [...frame.querySelectorAll("[data-filters]")];
  if (!controls.length) return;
  const names = new Set(controls.map((control) => control.dataset.filters));
  const filtered = [...frame.querySelectorAll([...names].map((name) => `[data-${name}]`).join())];
  for (const element of filtered) {
    element.hidden = !controls.every(({ value, dataset }) =>
      value.toLowerCase().split(/\s+/).every((word) => element.dataset[dataset.filters].includes(word)),
    );
  }
  for (const none of frame.querySelectorAll("[data-none-left]")) none.hidden = filtered.some(({ hidden }) => !hidden);
}
