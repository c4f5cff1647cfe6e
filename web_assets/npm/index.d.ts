import { ServiceJS as LoadedServiceJS, type Options as LoadedOptions } from "./servicejs.js";

export type * from "./servicejs.js";
export { MarketplaceRenderModes, ServiceError } from "./servicejs.js";

/** A bundle cannot know where it will run: the service's address is required. */
export interface Options extends LoadedOptions {
  baseUrl: string;
}

export declare class ServiceJS extends LoadedServiceJS {
  constructor(options: Options);
  constructor(appKey: string, hash: string, userId: string, options: Partial<Options> & { baseUrl: string });
}

export default ServiceJS;
