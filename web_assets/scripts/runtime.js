// The worker that all instances of a service share on a page: started when first needed, fed with messages, started
// again after a failure, ended with the last instance. Calls and answers are JSON texts. No call is sent before Python
// runs, so that a start can be given up and tried again without anything being done twice. The service draws what a
// call shows first, and that is handed over with the call.

import { closePopup, closePopups, navigatePopup, openPopup, windowOf } from "./popups.js";
import { ServiceError } from "./service_error.js";
import { startWorker } from "./start_worker.js";
import {
  closeSurface,
  closeSurfaces,
  findWaiting,
  forgetParameters,
  keepDraft,
  renameSurface,
  takeContent,
  updateSurface,
} from "./surfaces.js";

const STALLED = 60_000; // milliseconds (the message says a minute) without any progress, after which a start is given up
const DRAWING = 2000; // milliseconds for which a start leaves the network to what the service draws first
const TOKEN_LIMIT = 30_000; // milliseconds that the page's token function may take

const runtimes = new Map(); // by the address of the SDK's files
let made = 0;

/** Return the runtime of the SDK whose files are at an address. */
export function runtimeAt(files) {
  if (!runtimes.has(files)) runtimes.set(files, new Runtime(files));
  return runtimes.get(files);
}

/** Return the error for anything that is asked of a destroyed instance. */
export function destroyed() {
  return new ServiceError({ code: "destroyed", message: "This instance was destroyed; make a new one." });
}

class Runtime {
  #files;
  #instances = new Map();
  #calls = new Map();
  #start = null; // identifies the start that is under way or done
  #worker = null;
  #isBooted = false;
  #timer;
  #drawing = new Set(); // promises of what the service draws

  constructor(files) {
    this.#files = files;
  }

  /** Start the worker unless one runs or is starting. */
  start() {
    if (!this.#start) this.#begin();
  }

  /** Add an instance and return its name; `starts` starts the worker at once. */
  add(instance, starts) {
    const name = `instance-${++made}`;
    this.#instances.set(name, instance);
    if (this.#start) instance.announce(name);
    else if (starts) this.#begin();
    return name;
  }

  /** Call a method of an instance in the worker. */
  call(instance, method, values) {
    this.start();
    return new Promise((resolve, reject) => {
      const id = this.#add({ instance, method, resolve, reject }, values);
      if (this.#isBooted) return;
      if (values.surface) this.#draw(id);
      else if (values.redirectUrl) this.#leave(id);
    });
  }

  /** Remove an instance: its calls are rejected; the worker ends with the last one. */
  async remove(name) {
    this.#instances.delete(name);
    closeSurfaces((surface) => surface.instance === name);
    this.#reject(destroyed(), (call) => call.instance === name);
    if (this.#isBooted) await this.call(name, "destroy", {}).catch(() => {});
    if (this.#instances.size) return;
    this.#stop();
    this.#reject(destroyed(), () => true); // the ends of others, which nobody answers any more
  }

  /** Give up what a surface is to show; if it was never rendered, its call is rejected here. */
  abandon(surface) {
    if (surface.waiting) {
      const message = "The user closed it before there was anything in it.";
      this.#reject(new ServiceError({ code: "cancelled", message }), (call) => call.values.surface === surface.name);
    }
    if (this.#isBooted) this.#tellGone(surface);
    else if (this.#start && surface.waiting.isOffering) this.#relaunch(); // for whoever tries again later
  }

  /** Ask again for what a surface waits for, within the user's click. */
  retry(surface) {
    for (const [id, call] of [...this.#calls]) {
      if (call.values.surface !== surface.name) continue;
      this.#calls.delete(id);
      const { values } = call;
      if ("popup" in values && !surface.early) {
        closePopup(values.popup);
        values.popup = openPopup(surface.locale, this);
      }
      if (this.#isBooted) {
        this.#tellGone(surface);
        values.surface = renameSurface(surface);
      }
      const again = this.#add(call, values);
      if (!this.#isBooted && !surface.early) this.#draw(again);
    }
    surface.wait();
    if (this.#isBooted) return;
    if (this.#start) this.#relaunch();
    else this.#begin();
  }

  /** Begin a start: instances are announced first; the calls that are still waiting come after them. */
  #begin() {
    const kept = [...this.#calls];
    this.#calls.clear();
    this.#start = {};
    for (const [name, instance] of this.#instances) instance.announce(name);
    for (const [id, call] of kept) this.#calls.set(id, call);
    this.#launch();
  }

  /** Start over, with all that was asked for so far; files that have arrived are in the browser's cache. */
  #relaunch() {
    this.#worker?.terminate();
    this.#launch();
  }

  #launch() {
    const start = (this.#start = {});
    this.#worker = null;
    this.#progress();
    start.showing = loadContent(this.#files);
    start.showing.catch(() => {}); // a failure is told when it is needed
    this.#whenDrawn().then(() => this.#start === start && startWorker(this.#files)).then(
      ({ worker, refusal }) => {
        if (this.#start !== start) return worker?.terminate(); // given up meanwhile
        this.#worker = worker;
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

  /** Take note that the start makes progress, and give it its full time again. */
  #progress() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), STALLED);
    for (const { values } of this.#calls.values()) findWaiting(values.surface)?.wait();
  }

  #add(call, values) {
    const id = ++made;
    const { surface, popup } = values;
    try {
      values = JSON.parse(JSON.stringify(values, plain)); // as it is now
    } catch ({ message }) {
      closeSurface(surface);
      closePopup(popup);
      throw new ServiceError({ code: "invalid_argument", message });
    }
    this.#calls.set(id, { ...call, values });
    if (this.#isBooted) this.#post(id);
    return id;
  }

  #post(id) {
    const { instance, method, values } = this.#calls.get(id);
    this.#worker.postMessage(JSON.stringify({ id, instance, method, arguments: values }));
  }

  /** Wait for what the service draws, but not for long: it needs the network to itself. */
  async #whenDrawn() {
    await pause(0); // a call right after the first instance is made may ask for something
    await Promise.race([Promise.allSettled(this.#drawing), pause(DRAWING)]);
  }

  /** Show what the service draws for the start of a call; if it draws nothing, the surface waits for the worker. */
  async #draw(id) {
    const call = this.#calls.get(id);
    const { method, values } = call;
    const ask = (fields, popup = values.popup) =>
      this.#instances.get(call.instance).ask({ method, arguments: JSON.stringify({ ...values, popup }), ...fields });
    const drawing = ask();
    this.#drawing.add(drawing);
    try {
      const drawn = await drawing;
      await loadContent(this.#files);
      const surface = findWaiting(values.surface);
      if (!drawn?.html || this.#isBooted || !surface || this.#calls.get(id) !== call) return;
      surface.draw(drawn, ask);
      if (drawn.session) navigatePopup(values.popup, drawn.session.url);
      if (drawn.is_over) call.resolve();
    } catch (error) {
      if (error instanceof ServiceError && this.#calls.get(id) === call) {
        this.#reject(error, (each) => each === call);
        closeSurface(values.surface);
      }
    } finally {
      this.#drawing.delete(drawing);
    }
  }

  /** Leave the page to connect, as soon as the service says where to; if it doesn't, the worker does this. */
  #leave(id) {
    const call = this.#calls.get(id);
    const { method, values, instance } = call;
    const { ask, emit } = this.#instances.get(instance);
    const asking = ask({ method, arguments: JSON.stringify(values) });
    this.#drawing.add(asking);
    call.leaving = asking.then(
      (answer) => {
        if (!answer?.session || this.#calls.get(id) !== call) return false;
        const { appName: app, connectedAccountId } = values;
        emit("connect-started", { app, connected_account_id: connectedAccountId ? Number(connectedAccountId) : null });
        location.assign(answer.session.url);
        return true;
      },
      (error) => {
        if (error instanceof ServiceError) this.#reject(error, (each) => each === call);
        return false;
      },
    );
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

  /** Python runs: hand over the calls that have waited. */
  async _started() {
    const start = this.#start;
    try {
      await start.showing;
      for (const instance of [...this.#instances.values()]) instance.back = await instance.redeemed();
    } catch (error) {
      if (this.#start === start) this.#fail(error);
      return;
    }
    if (this.#start !== start) return; // given up meanwhile
    this.#progress();
    clearTimeout(this.#timer);
    this.#isBooted = true;
    for (const id of [...this.#calls.keys()]) this.#handOver(id);
  }

  /** Give the worker a call, with what was drawn and done for it before. */
  async #handOver(id) {
    const call = this.#calls.get(id);
    const surface = findWaiting(call.values.surface);
    const worker = this.#worker;
    if (call.method === "create") {
      const { isAccepted, back } = this.#instances.get(call.instance);
      Object.assign(call.values.options, { isAccepted: isAccepted(), redeemed: back });
    }
    if (call.leaving && (await call.leaving)) return;
    if (surface?.early) call.values.first = await surface.handOver();
    if (this.#worker === worker && this.#calls.get(id) === call) this.#post(id);
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

  _emit({ instance, event, payload }) {
    this.#instances.get(instance)?.emit(event, payload);
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

  async _fetchFile({ key, question }) {
    this.#worker.postMessage({ question, answer: (await this.#start.showing).files.get(key) });
  }

  async _awaitClosed({ popup, question }) {
    const worker = this.#worker;
    const answer = await (await this.#start.showing).whenClosed(() => windowOf(popup));
    worker.postMessage({ question, answer });
  }

  // How the worker ends.

  /**
   * Give up the worker: whatever waits for it is told why, and the next call starts another one. What the service has
   * drawn stays, with a way to try again; so does what waits for the network.
   */
  #fail(error) {
    const stays = (surface) => surface?.waiting && (surface.early || !navigator.onLine);
    const waits = ({ values }) => stays(findWaiting(values.surface));
    this.#stop([...this.#calls.values()].some(({ values }) => findWaiting(values.surface)?.early));
    this.#reject(error, (call) => !waits(call));
    closeSurfaces((surface) => surface.owner === this && !(stays(surface) && surface.fail()));
    for (const instance of [...this.#instances.values()]) instance.emit("error", error);
  }

  /** Give up a stalled start; where something is to be shown, the user may try again or close it. */
  #giveUp() {
    const message = `The SDK could not be started: nothing came from ${this.#files} for a minute.`;
    const error = new ServiceError({ code: "timeout", message });
    this.#stop(true);
    this.#reject(error, ({ values }) => !findWaiting(values.surface));
    for (const { values, reject } of this.#calls.values()) if (!findWaiting(values.surface).modal) reject(error);
    for (const instance of [...this.#instances.values()]) instance.emit("error", error);
  }

  #stop(keepsWindows) {
    this.#worker?.terminate();
    this.#worker = this.#start = null;
    this.#isBooted = false;
    clearTimeout(this.#timer);
    if (!keepsWindows) closePopups(this);
  }

  #reject(error, fits) {
    for (const [id, call] of [...this.#calls]) {
      if (!fits(call)) continue;
      this.#calls.delete(id);
      closePopup(call.values.popup);
      call.reject(error);
    }
  }
}

const contents = new Map(); // promises of the module that shows things in surfaces, by the address of the SDK's files

/** Return the module that shows things in surfaces; it is loaded once, and again after a failure. */
export function loadContent(files) {
  if (!contents.has(files)) {
    const address = new URL(CONTENT_FILE, files).href;
    const loading = import(address).then(takeContent, ({ message }) => {
      contents.delete(files);
      throw new ServiceError({ code: "unreachable", message: `The SDK could not be loaded from ${address}: ${message}` });
    });
    contents.set(files, loading);
  }
  return contents.get(files);
}

/** Write a whole number as JSON has it: one that a number might not hold as the text of its digits. */
function plain(_, value) {
  if (typeof value !== "bigint") return value;
  return String(value)[15] ? String(value) : Number(value);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
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
