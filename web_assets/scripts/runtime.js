// The worker that all instances of a service share on a page: started when first needed, fed with messages, started anew
// after a failure, ended with the last instance. Calls and answers are JSON texts. No call is sent before Python runs, so
// that a start can be given up and tried again without anything being done twice.

import { closePopup, closePopups, navigatePopup, openPopup } from "./popups.js";
import { ServiceError } from "./service_error.js";
import { startWorker } from "./start_worker.js";
import {
  closeSurface,
  closeSurfaces,
  findWaiting,
  forgetParameters,
  keepDraft,
  renameSurface,
  sheetOf,
  takeContent,
  updateSurface,
} from "./surfaces.js";

const STALLED = 60_000; // milliseconds without any progress, after which a start is given up
const TOKEN_LIMIT = 30_000; // milliseconds that the page's token function may take

const runtimes = new Map(); // by the address of the SDK's files
let made = 0;

/** Return what runs the SDK whose files are at an address. */
export function runtimeAt(files) {
  if (!runtimes.has(files)) runtimes.set(files, new Runtime(files));
  return runtimes.get(files);
}

/** Return the error of everything that is asked of an instance that was destroyed. */
export function destroyed() {
  return new ServiceError({ code: "destroyed", message: "This instance was destroyed; make a new one." });
}

class Runtime {
  styles; // the sheet of what the worker renders

  #files;
  #instances = new Map();
  #calls = new Map();
  #start = null; // stands for the start that is under way or done
  #worker = null;
  #isBooted = false;
  #timer;

  constructor(files) {
    this.#files = files;
  }

  /** Add an instance and return its name. */
  add(instance) {
    const name = `instance-${++made}`;
    this.#instances.set(name, instance);
    if (this.#start) instance.announce(name);
    else this.#begin();
    return name;
  }

  /** Call a method of an instance in the worker. */
  call(instance, method, values) {
    if (!this.#start) this.#begin();
    return new Promise((resolve, reject) => this.#add({ instance, method, resolve, reject }, values));
  }

  /** Remove an instance: its calls are rejected; the worker ends with the last one. */
  async remove(name) {
    this.#instances.delete(name);
    closeSurfaces((surface) => surface.instance === name);
    this.#reject(destroyed(), (call) => call.instance === name);
    if (this.#isBooted) await this.call(name, "destroy", {}).catch(() => {});
    if (!this.#instances.size) this.#stop();
  }

  /** Give up what a surface is to show; one that was never rendered is the page's alone. */
  abandon(surface) {
    if (surface.waiting) {
      const message = "The user closed the window before there was anything in it.";
      this.#reject(new ServiceError({ code: "cancelled", message }), (call) => call.surface === surface.name);
    }
    if (this.#isBooted) this.#tellGone(surface);
    else if (this.#start && surface.waiting.isOffering) this.#relaunch(); // for whoever tries again later
  }

  /** Ask anew for what a surface waits for, within the user's click. */
  retry(surface) {
    for (const [id, call] of [...this.#calls]) {
      if (call.surface !== surface.name) continue;
      this.#calls.delete(id);
      const values = JSON.parse(call.text).arguments;
      if ("popup" in values) {
        closePopup(values.popup);
        values.popup = openPopup(surface.locale, this);
      }
      if (this.#isBooted) {
        this.#tellGone(surface);
        values.surface = renameSurface(surface);
      }
      this.#add(call, values);
    }
    surface.wait();
    if (this.#isBooted) return;
    if (this.#start) this.#relaunch();
    else this.#begin();
  }

  /** Begin a start: instances are made known first; what a surface still waits for comes after them. */
  #begin() {
    const kept = [...this.#calls];
    this.#calls.clear();
    this.#start = {};
    for (const [name, instance] of this.#instances) instance.announce(name);
    for (const [id, call] of kept) this.#calls.set(id, call);
    this.#launch();
  }

  /** Start from the beginning, with all that was asked for so far: what has come of the files is in the browser's cache. */
  #relaunch() {
    this.#worker?.terminate();
    this.#launch();
  }

  #launch() {
    const start = (this.#start = {});
    this.#worker = null;
    this.#progress();
    startWorker(this.#files).then(
      ({ worker, refusal, showing }) => {
        if (this.#start !== start) return worker.terminate(); // given up meanwhile
        this.#worker = worker;
        start.showing = showing.then(takeContent);
        start.showing.catch(() => {}); // told when it is needed
        worker.onmessage = ({ data }) => this.#worker === worker && this.#receive(JSON.parse(data));
        worker.onerror = (event) => {
          event.preventDefault();
          if (this.#worker !== worker) return;
          this.#fail(event.message ? new ServiceError({ code: "internal", message: event.message }) : refusal);
        };
      },
      (error) => this.#start === start && this.#fail(error),
    );
  }

  /** Something has come of the start: it has time again. */
  #progress() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), STALLED);
    for (const call of this.#calls.values()) findWaiting(call.surface)?.wait();
  }

  #add(call, values) {
    const id = ++made;
    const { instance, method } = call;
    const text = JSON.stringify({ id, instance, method, arguments: values });
    this.#calls.set(id, { ...call, text, surface: values.surface });
    if (this.#isBooted) this.#worker.postMessage(text);
  }

  #tellGone({ instance, name }) {
    this.call(instance, "surfaceGone", { surface: name }).catch(() => {}); // there is nothing left to be told
  }

  #receive(message) {
    if (message.do) return this[`_${message.do}`](message);
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (!call) return;
    if (message.error) call.reject(new ServiceError(message.error));
    else call.resolve(message.result);
  }

  // What the worker has the page do.

  _progress() {
    if (!this.#isBooted) this.#progress();
  }

  /** The first thing that Python does. */
  async _setStyles({ css }) {
    const start = this.#start;
    this.styles = sheetOf(css);
    try {
      await start.showing;
    } catch (error) {
      if (this.#start === start) this.#fail(error);
      return;
    }
    if (this.#start !== start) return; // given up meanwhile
    this.#progress();
    clearTimeout(this.#timer);
    this.#isBooted = true;
    for (const { text } of this.#calls.values()) this.#worker.postMessage(text);
  }

  _failed({ error }) {
    this.#fail(new ServiceError(error));
  }

  _updateSurface({ surface, html, label }) {
    updateSurface(surface, html, label);
  }

  _closeSurface({ surface }) {
    closeSurface(surface);
  }

  _keepDraft({ surface, draft }) {
    keepDraft(surface, draft);
  }

  _navigatePopup({ popup, url }) {
    navigatePopup(popup, url);
  }

  _closePopup({ popup }) {
    closePopup(popup);
  }

  _navigate({ url }) {
    location.assign(url);
  }

  _forgetParameters({ parameters }) {
    forgetParameters(parameters);
  }

  _deliver({ instance, subscription, payload }) {
    this.#instances.get(instance)?.deliver(subscription, payload);
  }

  async _fetchToken({ instance, question }) {
    const worker = this.#worker;
    let answer;
    try {
      answer = JSON.stringify({ token: await withinLimit(this.#instances.get(instance).token()) });
    } catch (error) {
      answer = JSON.stringify({ error: String(error?.message ?? error) });
    }
    worker.postMessage({ question, answer });
  }

  // The ends.

  /** Give up the worker: whatever waits for it is told why, and the next call starts another one. */
  #fail(error) {
    this.#stop();
    closeSurfaces((surface) => surface.owner === this);
    this.#reject(error, () => true);
    for (const instance of [...this.#instances.values()]) instance.failed(error);
  }

  /** A start that nothing comes of any more ends; where something is to be shown its user may try again, or close it. */
  #giveUp() {
    const seconds = STALLED / 1000;
    const message = `The SDK could not be started: nothing has come from ${this.#files} for ${seconds} seconds.`;
    const error = new ServiceError({ code: "timeout", message });
    this.#stop();
    this.#reject(error, (call) => !findWaiting(call.surface));
    for (const call of this.#calls.values()) if (!findWaiting(call.surface).modal) call.reject(error);
    for (const instance of [...this.#instances.values()]) instance.failed(error);
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = this.#start = null;
    this.#isBooted = false;
    clearTimeout(this.#timer);
    closePopups(this);
  }

  #reject(error, fits) {
    for (const [id, call] of [...this.#calls]) {
      if (!fits(call)) continue;
      this.#calls.delete(id);
      closePopup(JSON.parse(call.text).arguments.popup);
      call.reject(error);
    }
  }
}

async function withinLimit(promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    const message = `It gave no token within ${TOKEN_LIMIT / 1000} seconds.`;
    timer = setTimeout(() => reject(new Error(message)), TOKEN_LIMIT);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
