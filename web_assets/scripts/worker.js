// The worker: starts Python with the SDK in it and passes texts between it and the page.

import "./module_worker.js"; // first, since Pyodide looks at it when it is loaded
import { bootFromSnapshot } from "./snapshot_boot.js";
import { readSnapshot } from "./snapshot.js";
import { withResolvers } from "./with_resolvers.js";

const ARCHIVE_DELAY = 2000; // milliseconds; by then the page has what it waits for
const files = new URL(".", import.meta.url).href;
const questions = new Map();
let waiting = [];
let receive = (text) => waiting.push(text);
let isConnectForbidden = false;

self.onmessage = ({ data }) => {
  if (typeof data === "string") return receive(data);
  questions.get(data.question)(data.answer);
  questions.delete(data.question);
};
self.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  if (effectiveDirective === "connect-src") isConnectForbidden = true;
});

/** Ask the page for an instance's session token; the answer is JSON. */
function ask(instance) {
  const question = crypto.randomUUID();
  postMessage(JSON.stringify({ do: "fetchToken", instance, question }));
  return new Promise((resolve) => questions.set(question, resolve));
}

/** Fetch as always, but tell `refuse` of a file that cannot be had: Pyodide itself would wait for it forever. */
function watchFetch(refuse) {
  const { fetch } = self;
  self.fetch = async (...request) => {
    try {
      const response = await fetch(...request);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response;
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // a breach of a policy is reported a little later
      refuse(fetchError(request[0]?.url ?? request[0], error));
      throw error;
    }
  };
  return () => (self.fetch = fetch);
}

function fetchError(url, error) {
  if (isConnectForbidden) {
    const message = `The page's Content Security Policy forbids fetching ${url}; add ${new URL(url).origin} to connect-src.`;
    return { code: "blocked_by_policy", message };
  }
  return { code: "unreachable", message: `${url} could not be fetched: ${error.message}` };
}

// The ways to start, fastest first; each is there for when the one before fails.
const starts = {
  async withoutData(snapshot) {
    return fromSnapshot(self.started.module, snapshot);
  },
  async fromSnapshot(snapshot) {
    return fromSnapshot(WebAssembly.compileStreaming(fetch(files + WHOLE_MODULE_FILE)), snapshot);
  },
  async plainly() {
    const refused = withResolvers();
    const unwatch = watchFetch(refused.reject);
    const { bootPlainly } = await Promise.race([import(files + PLAIN_BOOT_FILE), refused.promise]);
    const python = await Promise.race([bootPlainly(files), refused.promise]);
    unwatch();
    return python;
  },
};

async function fromSnapshot(module, snapshot) {
  const runtime = await self.started.runtime;
  const python = await bootFromSnapshot(runtime.default, module, snapshot);
  python.pyimport("servicejs.page.snapshot").wake();
  setTimeout(() => addArchive(python).catch((error) => console.warn(`ServiceJS: ${error.message}`)), ARCHIVE_DELAY);
  return python;
}

/** Bring what the snapshot was made from, so that also modules can be imported that it does without. */
async function addArchive(python) {
  const answer = await fetch(files + PYTHON_FILE);
  if (!answer.ok) throw new Error(`${answer.url} could not be fetched: HTTP ${answer.status}`);
  const content = new Uint8Array(await answer.arrayBuffer());
  python.FS.mkdirTree("/lib");
  python.FS.writeFile(ARCHIVE_PATH, content, { canOwn: true });
  python.pyimport("servicejs.page.snapshot").complete();
}

async function boot() {
  const snapshot = readSnapshot(self.started.snapshot, BUILD);
  snapshot.catch(() => {});
  const reasons = [];
  for (const [name, start] of Object.entries(starts)) {
    try {
      const python = await start(snapshot);
      if (reasons.length) console.warn(`ServiceJS starts more slowly than it could (${name}): ${reasons.join("; ")}`);
      return python;
    } catch (error) {
      reasons.push(error.message);
      if (name === "plainly") throw error;
    }
  }
}

async function run() {
  const python = await boot();
  const take = python.pyimport("servicejs.page.worker_page").start((text) => postMessage(text), ask);
  waiting.forEach((text) => take(text));
  receive = (text) => take(text);
  waiting = null;
}

run().catch((error) => {
  const described = error.code ? error : { code: "internal", message: `The SDK could not start: ${error.message}` };
  postMessage(JSON.stringify({ do: "failed", error: described }));
});
