// Pyodide calls importScripts once to learn that this is a module worker, where it always throws. Under Trusted Types
// the call alone would be reported as a violation, so this throws without asking the browser.
self.importScripts = () => {
  throw new TypeError("Module workers have no importScripts.");
};
