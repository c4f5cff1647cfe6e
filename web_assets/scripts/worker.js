// The worker: boots Pyodide with the SDK's Python and passes texts between it and the page.

import "./module_worker.js"; // first, since Pyodide looks at it when it is loaded

import { loadPyodide } from "pyodide";

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

async function boot() {
  const files = new URL(".", import.meta.url).href;
  const refused = Promise.withResolvers ? Promise.withResolvers() : withResolvers();
  const unwatch = watchFetch(refused.reject);
  const loading = loadPyodide({
    indexURL: files,
    packageBaseUrl: files,
    stdLibURL: files + PYTHON_FILE,
    lockFileContents: LOCK_FILE,
  });
  const pyodide = await Promise.race([loading, refused.promise]);
  unwatch();
  const take = pyodide.pyimport("servicejs.page.worker_page").start((text) => postMessage(text), ask);
  waiting.forEach((text) => take(text));
  receive = (text) => take(text);
  waiting = null;
}

function withResolvers() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

boot().catch((error) => {
  const described = error.code ? error : { code: "internal", message: `The SDK could not start: ${error.message}` };
  postMessage(JSON.stringify({ do: "failed", error: described }));
});
