// The part of ServiceJS in an application's own bundle: the same class, which loads the SDK from the service when the
// first instance is made. So the bundle never lags behind the service, and importing this does nothing at all.

import { Emitter } from "../scripts/events.js";
import { RenderModes } from "../scripts/render_modes.js";
import { ServiceError } from "../scripts/service_error.js";

const modules = new Map(); // the SDK, or the promise of it, by the address of a service
let failures = 0;

/** Return the SDK of a service, loaded at most once; a failure is forgotten, so that the next call tries again. */
function load(baseUrl) {
  if (typeof document === "undefined") {
    const message = "ServiceJS runs in browsers only; make the instance there, in an effect, say.";
    return Promise.reject(new ServiceError({ code: "unsupported", message }));
  }
  if (!modules.has(baseUrl)) {
    const address = new URL("servicejs/v1/servicejs.mjs", baseUrl).href;
    // Some browsers remember that a module could not be fetched; under another address they fetch it again.
    const fresh = failures ? `${address}?again=${failures}` : address;
    const loading = import(/* webpackIgnore: true */ /* @vite-ignore */ fresh).catch((error) => {
      failures++;
      modules.delete(baseUrl);
      const message = `The SDK could not be loaded from ${address} (is it in the page's script-src?): ${error.message}`;
      throw new ServiceError({ code: "unreachable", message });
    });
    modules.set(baseUrl, loading);
  }
  return modules.get(baseUrl);
}

function normal(baseUrl) {
  return `${String(baseUrl).replace(/\/+$/, "")}/`;
}

function isAddress(text) {
  try {
    return Boolean(new URL(text).host);
  } catch {
    return false;
  }
}

export class ServiceJS {
  static MarketplaceRenderModes = RenderModes;
  static ServiceError = ServiceError;

  /** Have the browser fetch the SDK of a service while it is idle, unless the user saves data. */
  static async preload(options) {
    const baseUrl = options?.baseUrl;
    if (typeof document === "undefined" || navigator.connection?.saveData || !isAddress(baseUrl)) return;
    const sdk = await load(normal(baseUrl)).catch(() => null);
    await sdk?.ServiceJS.preload();
  }

  #given;
  #baseUrl;
  #starting = null;
  #isDestroyed = false;
  #emitter = new Emitter();
  #wanted = new Set(); // the events that somebody listens to
  #told = new Map(); // promises of subscriptions to the instance, by event

  constructor(...given) {
    const [first, , , more] = given;
    const baseUrl = first !== null && typeof first === "object" ? first.baseUrl : more?.baseUrl;
    if (!isAddress(baseUrl)) {
      const message = "baseUrl is required: the address of the service, such as https://functions.example.com.";
      throw new ServiceError({ code: "invalid_argument", message });
    }
    this.#given = given;
    this.#baseUrl = normal(baseUrl);
    this.eventEmitter = this.#emitter.face((event) => {
      if (this.#isDestroyed) throw this.#destroyed();
      return this.#listen(event);
    });
    this.#start().catch(() => {}); // whoever calls a method, or listens to `error`, is told
  }

  async showApps(...given) {
    return (await this.#start()).showApps(...given);
  }

  async connectApp(...given) {
    return (await this.#start()).connectApp(...given);
  }

  async disconnectApp(...given) {
    return (await this.#start()).disconnectApp(...given);
  }

  async isAppConnected(...given) {
    return (await this.#start()).isAppConnected(...given);
  }

  async getConnectedAccounts(...given) {
    return (await this.#start()).getConnectedAccounts(...given);
  }

  async getApps(...given) {
    return (await this.#start()).getApps(...given);
  }

  async getFunctions(...given) {
    return (await this.#start()).getFunctions(...given);
  }

  async getChoices(...given) {
    return (await this.#start()).getChoices(...given);
  }

  async closeApps(...given) {
    return (await this.#start()).closeApps(...given);
  }

  async showFunctionUI(...given) {
    return (await this.#start()).showFunctionUI(...given);
  }

  async invokeFunction(...given) {
    return (await this.#start()).invokeFunction(...given);
  }

  async getFunction(...given) {
    return (await this.#start()).getFunction(...given);
  }

  async predict(...given) {
    return (await this.#start()).predict(...given);
  }

  async destroy() {
    if (this.#isDestroyed) return;
    const starting = this.#starting;
    this.#isDestroyed = true;
    this.#emitter.clear();
    await starting?.then((instance) => instance.destroy()).catch(() => {});
  }

  /** Return the instance, made with the first call; after a failure the next call tries again. */
  #start() {
    if (this.#isDestroyed) return Promise.reject(this.#destroyed());
    this.#starting ??= this.#make().catch((error) => {
      this.#starting = null;
      this.#emitter.emit("error", error); // without an instance, nothing else can tell
      throw error;
    });
    return this.#starting;
  }

  async #make() {
    const sdk = await load(this.#baseUrl);
    if (this.#isDestroyed) throw this.#destroyed();
    const instance = new sdk.ServiceJS(...this.#given);
    for (const event of this.#wanted) this.#tellHere(instance, event);
    return instance;
  }

  /** Pass on an event here once there is an instance; if none could be made, the next start sees to it. */
  async #listen(event) {
    this.#wanted.add(event);
    const instance = await this.#start().catch(() => null);
    if (instance) await this.#tellHere(instance, event);
  }

  /** Pass on an event of the instance to the listeners here; one that an older service doesn't have never comes. */
  #tellHere(instance, event) {
    if (!this.#told.has(event)) {
      const telling = instance.eventEmitter.on(event, (payload) => this.#emitter.emit(event, payload));
      this.#told.set(event, telling.catch(() => {}));
    }
    return this.#told.get(event);
  }

  #destroyed() {
    return new ServiceError({ code: "destroyed", message: "This instance was destroyed; make a new one." });
  }
}

export { RenderModes as MarketplaceRenderModes, ServiceError, ServiceJS as default };
