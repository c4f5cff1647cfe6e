// The SDK as a classic script: `ServiceJS` becomes a global of the page.

import { loadedFrom, ServiceJS } from "./servicejs.js";

loadedFrom(document.currentScript?.src || document.querySelector('script[src*="/servicejs/v1/servicejs.js"]')?.src);
globalThis.ServiceJS = ServiceJS;
