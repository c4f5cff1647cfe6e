// What the browser may lack and the host page's Content Security Policy may forbid, found out before it would make the boot
// hang.

import { checkBrowser } from "./browser_floor.js";
import { ServiceError } from "./service_error.js";

const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Return the error of something the page's policy forbids. */
export function blocked(what, remedy) {
  return new ServiceError({
    code: "blocked_by_policy",
    message: `The page's Content Security Policy forbids ${what}; add ${remedy} to it.`,
  });
}

/** Throw a clear error where the SDK cannot run. */
export async function preflight() {
  checkBrowser();
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch {
    throw blocked("WebAssembly", "'wasm-unsafe-eval' to script-src");
  }
}
