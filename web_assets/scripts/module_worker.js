// Pyodide calls importScripts once to learn that this is a module worker, where it always throws. Under Trusted Types
// that alone would be reported as a violation; so the answer is given without asking the browser.
self.importScripts = () => {
  throw new TypeError("Module workers have no importScripts.");
};
