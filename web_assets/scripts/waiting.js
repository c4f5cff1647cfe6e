// What a surface shows until something is drawn in it. If nothing comes for a while, it shows a message and a way to
// try again, above what is drawn already. A dialog can be closed from the first moment.

import { say } from "./locale.js";
import { trusted } from "./trusted_types.js";

const PATIENCE = 10_000; // milliseconds

export class Waiting {
  #frame;
  #locale;
  #timer;
  #isDrawn = false; // only the worker's part is still waited for
  isOffering = true; // to try again

  constructor(frame, locale, closable) {
    const close = `<button type="button" class="button is-icon" id="close" data-action="close" aria-label="${say(locale, "Close")}"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M3.5 3.5l9 9m0-9l-9 9" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/></svg></button>`;
    frame.innerHTML = trusted.createHTML(`<div class="bar"><i></i>${closable ? close : ""}</div><div id="waiting"></div>`);
    this.#frame = frame;
    this.#locale = locale;
    this.begin();
  }

  /** Say again what is being waited for, now in the page's language. */
  speak() {
    this.#frame.querySelector("#close")?.setAttribute("aria-label", say(this.#locale, "Close"));
    this.isOffering = true;
    this.begin();
  }

  /** Take note that something is drawn; it stays while the surface waits for the worker. */
  draws() {
    this.#isDrawn = true;
    this.isOffering = true;
    this.begin();
  }

  /** Start to wait. */
  begin() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.offer(), PATIENCE);
    if (!this.isOffering) return;
    this.isOffering = false;
    if (this.#isDrawn) return this.#frame.querySelector("#waiting")?.remove();
    this.#frame.setAttribute("aria-label", say(this.#locale, "Loading…"));
    this.#show(`<div class="skeleton" role="status" aria-label="${say(this.#locale, "Loading…")}"><i></i><i></i><i></i></div>`);
  }

  end() {
    clearTimeout(this.#timer);
  }

  /** Say what is wrong, and offer to try again. */
  offer(message = "This is taking longer than it should. Check your connection, or try again.") {
    this.end();
    this.isOffering = true;
    const words = say(this.#locale, message);
    this.#show(`<div class="message" role="alert"><p>${words}</p><button type="button" class="button is-primary" data-action="retry">${say(this.#locale, "Try again")}</button></div>`);
  }

  #show(html) {
    let place = this.#frame.querySelector("#waiting");
    if (!place) {
      place = Object.assign(document.createElement("div"), { id: "waiting" });
      this.#frame.prepend(place);
    }
    place.innerHTML = trusted.createHTML(html);
  }
}
