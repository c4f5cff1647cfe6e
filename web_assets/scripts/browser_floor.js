// Which browsers can run the SDK: Chrome and Edge from 113 on, Firefox from 121, Safari from 16.4.

import { ServiceError } from "./service_error.js";

/** Tell whether this browser has what the oldest of them have. */
export function isSupported() {
  return (
    "adoptedStyleSheets" in document &&
    typeof Worker === "function" &&
    typeof globalThis.WebAssembly?.Exception === "function" &&
    CSS.supports("selector(:has(a))") &&
    CSS.supports("color", "color-mix(in srgb, red, red)")
  );
}

/** Throw a clear error if the browser is older. */
export function checkBrowser() {
  if (isSupported()) return;
  const message = "This browser is too old for the SDK: it needs Chrome or Edge 113, Firefox 121 or Safari 16.4, or a newer one.";
  throw new ServiceError({ code: "unsupported_browser", message });
}
