// Finds out what the browser lacks or the host page's Content Security Policy forbids, before that would make the start
// hang.

import { checkBrowser } from "./browser_floor.js";
import { ServiceError } from "./service_error.js";

const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Return the error for something that the page's policy forbids. */
export function blocked(what, remedy) {
  return new ServiceError({
    code: "blocked_by_policy",
    message: `The page's Content Security Policy forbids ${what}; add ${remedy} to it.`,
  });
}

/** Throw a clear error if the SDK cannot run. */
export async function preflight() {
  checkBrowser();
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch {
    throw blocked("WebAssembly", "'wasm-unsafe-eval' to script-src");
  }
}
