// The worker that all instances of the page share: started when first needed, fed with messages, started anew after a
// failure, ended with the last instance. Calls and answers are JSON texts.

import { closePopup, closePopups, navigatePopup } from "./popups.js";
import { blocked, preflight } from "./preflight.js";
import { ServiceError } from "./service_error.js";
import { closeSurface, closeSurfaces, keepDraft, setStyles, updateSurface } from "./surfaces.js";
import { trusted } from "./trusted_types.js";

const instances = new Map();
const calls = new Map();
let made = 0;
let worker = null;
let queue = null; // texts for a worker that is not there yet
let files; // the address of the SDK's files
let isBooted = false;

const operations = {
  updateSurface: ({ surface, html, label }) => updateSurface(surface, html, label),
  closeSurface: ({ surface }) => closeSurface(surface),
  keepDraft: ({ surface, draft }) => keepDraft(surface, draft),
  navigatePopup: ({ popup, url }) => navigatePopup(popup, url),
  closePopup: ({ popup }) => closePopup(popup),
  navigate: ({ url }) => location.assign(url),
  replaceLocation: ({ url }) => history.replaceState(history.state, "", url),
  deliver: ({ instance, subscription, payload }) => instances.get(instance)?.deliver(subscription, payload),
  setStyles: ({ css }) => {
    isBooted = true; // the first thing the worker's Python does
    setStyles(css);
  },
  fetchToken: answerToken,
  failed: ({ error }) => fail(new ServiceError(error)),
};

/** Add an instance and return its name; `address` is that of the SDK's files. */
export function addInstance(instance, address) {
  const name = `instance-${++made}`;
  files ??= address;
  instances.set(name, instance);
  if (isRunning()) instance.announce(name);
  else start();
  return name;
}

/** Call a method of an instance in the worker. */
export function call(instance, method, values) {
  if (!isRunning()) start();
  const id = ++made;
  return new Promise((resolve, reject) => {
    calls.set(id, { instance, resolve, reject });
    const text = JSON.stringify({ id, instance, method, arguments: values });
    if (queue) queue.push(text);
    else worker.postMessage(text);
  });
}

/** Remove an instance: its calls are rejected; the worker ends with the last one. */
export async function removeInstance(name) {
  instances.delete(name);
  closeSurfaces((surface) => surface.instance === name);
  rejectCalls(destroyed(), (pending) => pending.instance === name);
  const leaving = isRunning() ? call(name, "destroy", {}).catch(() => {}) : null;
  if (isBooted) await leaving;
  if (!instances.size) stop();
}

/** Return the error of everything that is asked of an instance that was destroyed. */
export function destroyed() {
  return new ServiceError({ code: "destroyed", message: "This instance was destroyed; make a new one." });
}

function isRunning() {
  return worker !== null || queue !== null;
}

function start() {
  queue = [];
  for (const [name, instance] of instances) instance.announce(name);
  launch().catch(fail);
}

async function launch() {
  const starting = queue;
  await preflight();
  if (queue !== starting) return; // given up meanwhile
  const urls = START_FILES.map((name) => new URL(name, files).href);
  // A worker's script must be of the page's own origin, which this one is not; so a Blob of the page imports it. What
  // arrives before the import is done is kept, and all that the worker will need is asked for at once; whether that can
  // be had is the worker's concern.
  const trampoline = `const [worker, snapshot, module, runtime] = ${JSON.stringify(urls)}, kept = [];
onmessage = (event) => kept.push(event);
const begin = (load) => { const loading = load(); loading.catch(() => {}); return loading };
self.started = {
  snapshot: begin(() => fetch(snapshot)),
  module: begin(async () => WebAssembly.compileStreaming(fetch(module))),
  runtime: begin(() => import(runtime)),
};
import(worker).then(() => kept.forEach((event) => onmessage(event)), ({ message }) => postMessage(JSON.stringify(
  { do: "failed", error: { code: "unreachable", message: "The SDK could not be loaded from " + worker + ": " + message } })))`;
  // A sandboxed frame without an origin can run no Blob of its own, but a data: address, which others cannot.
  const scheme = origin === "null" ? "data:" : "blob:";
  const address =
    scheme === "data:"
      ? `data:text/javascript,${encodeURIComponent(trampoline)}`
      : URL.createObjectURL(new Blob([trampoline], { type: "text/javascript" }));
  let started;
  try {
    started = new Worker(trusted.createScriptURL(address), { type: "module", name: "servicejs" });
  } catch (error) {
    throw blocked(`its worker (${error.message})`, `${scheme} to worker-src and, where Trusted Types are enforced, servicejs to trusted-types`);
  }
  started.onmessage = ({ data }) => receive(JSON.parse(data));
  started.onerror = (event) => {
    event.preventDefault();
    // An event without a message is the browser's refusal to run the worker at all.
    fail(event.message ? new ServiceError({ code: "internal", message: event.message }) : blocked("its worker", `${scheme} to worker-src`));
  };
  worker = started;
  queue.forEach((text) => worker.postMessage(text));
  queue = null;
}

function receive(message) {
  if (message.do) return operations[message.do](message);
  const pending = calls.get(message.id);
  calls.delete(message.id);
  if (!pending) return;
  if (message.error) pending.reject(new ServiceError(message.error));
  else pending.resolve(message.result);
}

async function answerToken({ instance, question }) {
  let answer;
  try {
    answer = { token: await instances.get(instance).token() };
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  worker?.postMessage({ question, answer: JSON.stringify(answer) });
}

/** Give up the worker: whatever waits for it is told why, and the next call starts another one. */
function fail(error) {
  stop();
  rejectCalls(error, () => true);
  closeSurfaces(() => true);
  for (const instance of [...instances.values()]) instance.failed(error);
}

function stop() {
  worker?.terminate();
  worker = queue = null;
  isBooted = false;
  closePopups();
}

function rejectCalls(error, fits) {
  for (const [id, pending] of [...calls]) {
    if (!fits(pending)) continue;
    calls.delete(id);
    pending.reject(error);
  }
}
