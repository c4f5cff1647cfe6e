// The events of one instance: who listens, in which order, and what late listeners are told.

import { ServiceError } from "./service_error.js";

export const EVENTS = [
  "ready",
  "error",
  "marketplace-opened",
  "marketplace-closed",
  "connect-started",
  "connect-cancelled",
  "connect-failed",
  "app-connected",
  "app-disconnected",
  "form-opened",
  "form-submitted",
  "form-cancelled",
  "field-failed",
  "function-called",
];
const REPLAYED = ["ready", "error"]; // they say how the instance stands, so late listeners must hear them too

export class Emitter {
  #listeners = new Set();
  #last = null; // the last replayed event: an instance that got ready after an error has no error to tell

  /** Return what a page gets: on, once and unsub. `listened` is told each event first, and may throw. */
  face(listened) {
    const on = (once) => async (event, handler) => {
      checkEvent(event);
      if (typeof handler !== "function") {
        throw new ServiceError({ code: "invalid_argument", message: "The handler of an event must be a function." });
      }
      const listener = { event, handler, once };
      const listening = listened(event); // called first, since it may throw
      this.#listeners.add(listener);
      await this.#replay(listener);
      await listening;
      return async () => void this.#listeners.delete(listener);
    };
    const unsub = async (event, handler) => {
      checkEvent(event);
      for (const listener of [...this.#listeners]) {
        const fits = listener.event === event && (handler === undefined || listener.handler === handler);
        if (fits) this.#listeners.delete(listener);
      }
    };
    return Object.freeze({ on: on(false), once: on(true), unsub });
  }

  /** Tell an event to all current listeners, in the order in which they were added. */
  emit(event, payload) {
    if (REPLAYED.includes(event)) this.#last = { event, payload };
    for (const listener of [...this.#listeners]) if (listener.event === event) this.#tell(listener, payload);
  }

  clear() {
    this.#listeners.clear();
    this.#last = null;
  }

  /** Tell a late listener how the instance stands, but not within the call: the code after the call runs first. */
  async #replay(listener) {
    const last = this.#last;
    if (last?.event !== listener.event) return;
    await null;
    if (this.#last === last) this.#tell(listener, last.payload); // else it is out of date, or was told again
  }

  #tell(listener, payload) {
    if (!this.#listeners.has(listener)) return; // another handler removed it
    if (listener.once) this.#listeners.delete(listener);
    try {
      listener.handler(payload);
    } catch (error) {
      reportError(error); // one handler's failure is neither the SDK's nor another handler's
    }
  }
}

function checkEvent(event) {
  if (EVENTS.includes(event)) return;
  const message = `There is no event ${JSON.stringify(event)}; the events are ${EVENTS.join(", ")}.`;
  throw new ServiceError({ code: "unknown_event", message });
}
