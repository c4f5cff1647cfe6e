// The SDK as a module that a page imports from the service: nothing becomes a global.

import { RenderModes } from "./render_modes.js";
import { ServiceError } from "./service_error.js";
import { loadedFrom, ServiceJS } from "./servicejs.js";

loadedFrom(import.meta.url);

export { RenderModes as MarketplaceRenderModes, ServiceError, ServiceJS, ServiceJS as default };
