// Makes the worker that runs Python, in a page of another origin than the worker's files.

import { blocked, preflight } from "./preflight.js";
import { trusted } from "./trusted_types.js";

/**
 * Return a new worker, and the error to report if the browser refuses to run it; `files` is the address of the SDK's
 * files. The worker tells its own failures by its message `failed`.
 */
export async function startWorker(files) {
  await preflight();
  const urls = WORKER_FILES.map((name) => new URL(name, files).href);
  // A worker's script must be of the page's own origin, which this one is not, so a Blob of the page imports it. All
  // that the worker will need is fetched at once; failures are left to the worker.
  const trampoline = `const [worker, snapshot, module, runtime] = ${JSON.stringify(urls)};
const begin = (load) => { const loading = load(); loading.catch(() => {}); return loading };
self.started = {
  snapshot: begin(() => fetch(snapshot)),
  module: begin(async () => WebAssembly.compileStreaming(fetch(module))),
  runtime: begin(() => import(runtime)),
};
import(worker).catch(({ message }) => postMessage(JSON.stringify(
  { do: "failed", error: { code: "unreachable", message: "The SDK could not be loaded from " + worker + ": " + message } })))`;
  // A sandboxed frame without an origin can't run a Blob of its own, but can run a data: address; other pages can't.
  const scheme = origin === "null" ? "data:" : "blob:";
  const address =
    scheme === "data:"
      ? `data:text/javascript,${encodeURIComponent(trampoline)}`
      : URL.createObjectURL(new Blob([trampoline], { type: "text/javascript" }));
  let worker;
  try {
    worker = new Worker(trusted.createScriptURL(address), { type: "module", name: "servicejs" });
  } catch (error) {
    throw blocked(`its worker (${error.message})`, `${scheme} to worker-src and, where Trusted Types are enforced, servicejs to trusted-types`);
  }
  // An error event without a message means that the browser refuses to run the worker at all.
  const refusal = blocked("its worker", `${scheme} to worker-src`);
  return { worker, refusal };
}
