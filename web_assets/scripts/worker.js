// The worker: starts Python with the SDK in it and passes texts between it and the page.

import "./module_worker.js"; // first, since Pyodide looks at it when it is loaded
import { bootFromSnapshot } from "./snapshot_boot.js";
import { readSnapshot } from "./snapshot.js";
import { withResolvers } from "./with_resolvers.js";

const ARCHIVE_DELAY = 2000; // milliseconds; by then the page has what it waits for
const ARCHIVE_LIMIT = 600_000; // milliseconds; nobody waits for it
const files = new URL(".", import.meta.url).href;
const { started } = self; // what the page's script has begun to load: snapshot, module and runtime, as promises
const questions = new Map();
let receive; // takes the page's messages; the page sends none before Python runs
let isConnectForbidden = false;
let asked = 0;
let told = 0; // when the page was last told of progress

self.onmessage = ({ data }) => {
  if (typeof data === "string") return receive(data);
  questions.get(data.question)(data.answer);
  questions.delete(data.question);
};
self.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  if (effectiveDirective === "connect-src") isConnectForbidden = true;
});

/** Tell the page, once a second at most, that something has come: it gives up a start only when nothing comes. */
function progress() {
  if (performance.now() - told < 1000) return;
  told = performance.now();
  postMessage('{"do":"progress"}');
}

/** Return a response that reports progress while it comes in. */
function watchAnswer({ body, status, headers }) {
  const watch = new TransformStream({
    transform(chunk, passed) {
      progress();
      passed.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(watch), { status, headers });
}

/** Ask the page for something; `text` is a message without the number that its answer goes by. */
function ask(text) {
  const question = ++asked;
  postMessage(JSON.stringify({ ...JSON.parse(text), question }));
  return new Promise((resolve) => questions.set(question, resolve));
}

/** Have `fetch` tell `refuse` of a file that can't be fetched: Pyodide itself would wait for it forever. */
function watchFetch(refuse) {
  const { fetch } = self;
  self.fetch = async (...request) => {
    try {
      const response = await fetch(...request);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return watchAnswer(response);
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // a policy violation is reported a little later
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

// The ways to start, fastest first; each is tried when the one before it fails.
const starts = [
  // From the snapshot, with a module that brings no data of its own.
  (snapshot) => startFromSnapshot(snapshot, () => started.module),
  // From the snapshot, with Pyodide's own module.
  (snapshot) => startFromSnapshot(snapshot, () => compileWatched(files + WHOLE_MODULE_FILE)),
  // With Pyodide's public options only.
  startPlainly,
];

async function startFromSnapshot(snapshot, compile) {
  const [runtime] = await Promise.all([started.runtime, snapshot]);
  const python = await bootFromSnapshot(runtime.default, compile(), snapshot);
  python.pyimport("servicejs.page.snapshot").wake();
  if (!navigator.connection?.saveData) setTimeout(() => (started.archive = addArchive(python)), ARCHIVE_DELAY);
  return python;
}

async function compileWatched(url) {
  return WebAssembly.compileStreaming(watchAnswer(await fetch(url)));
}

/** Load the archive that the snapshot was made from, so that modules that the snapshot lacks can be imported too. */
async function addArchive(python) {
  try {
    const answer = await fetch(files + PYTHON_FILE, { signal: AbortSignal.timeout(ARCHIVE_LIMIT) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    python.FS.mkdirTree(ARCHIVE_PATH.slice(0, ARCHIVE_PATH.lastIndexOf("/")));
    python.FS.writeFile(ARCHIVE_PATH, new Uint8Array(await answer.arrayBuffer()), { canOwn: true });
    python.pyimport("servicejs.page.snapshot").complete();
  } catch (error) {
    console.warn(`ServiceJS can do without ${PYTHON_FILE}, which it could not load: ${error.message}`);
  }
}

async function startPlainly() {
  const refused = withResolvers();
  const unwatch = watchFetch(refused.reject);
  const url = files + PLAIN_BOOT_FILE;
  const starting = import(url).then(
    ({ bootPlainly }) => bootPlainly(files),
    (error) => Promise.reject(fetchError(url, error)),
  );
  const python = await Promise.race([starting, refused.promise]);
  unwatch();
  return python;
}

async function boot() {
  progress();
  for (const part of [started.module, started.runtime]) part.then(progress, progress);
  const snapshot = readSnapshot(started.snapshot, BUILD, progress);
  snapshot.catch(() => {});
  const reasons = new Set();
  for (const start of starts) {
    progress();
    try {
      const python = await start(snapshot);
      if (reasons.size) console.warn(`ServiceJS starts more slowly than it could: ${[...reasons].join("; ")}`);
      return python;
    } catch (error) {
      if (start === starts.at(-1)) throw error;
      reasons.add(error.message);
    }
  }
}

async function run() {
  const python = await boot();
  started.python = python; // for a developer's tools
  const take = python.pyimport("servicejs.page.worker_page").start((text) => postMessage(text), ask);
  receive = (text) => take(text);
}

run().catch((error) => {
  const described = error.code ? error : { code: "internal", message: `The SDK could not start: ${error.message}` };
  postMessage(JSON.stringify({ do: "failed", error: described }));
});
