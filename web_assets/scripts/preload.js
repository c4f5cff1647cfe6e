// Brings what instances will need into the browser's cache before anybody asks for it, while the page is idle.

const asked = new Map(); // promises, by the address of the SDK's files

/** Fetch the SDK's files of these names once the page has loaded and is idle; a failure is no error. */
export function preload(files, names) {
  if (!asked.has(files)) {
    const fetching = whenIdle().then(() => Promise.all(names.map((name) => read(new URL(name, files)))));
    asked.set(files, fetching.then(() => {}, () => asked.delete(files)));
  }
  return asked.get(files).then(() => {});
}

async function whenIdle() {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
}

/** Fetch a file without keeping it: the browser's cache does that. */
async function read(url) {
  const { body } = await fetch(url, { priority: "low" });
  await body.pipeTo(new WritableStream());
}
