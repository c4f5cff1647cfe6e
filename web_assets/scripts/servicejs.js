// The shell: what a host page sees of the SDK. It moves messages and HTML between the page and the worker, where
// everything is decided.

import { Emitter } from "./events.js";
import { negotiate } from "./locale.js";
import { openPopup } from "./popups.js";
import { RenderModes } from "./render_modes.js";
import { destroyed, loadContent, runtimeAt } from "./runtime.js";
import { ServiceError } from "./service_error.js";
import { anyHost, findElement, isOpen, openSurface, readDraft, takeSurfacesAway } from "./surfaces.js";

let script; // the address this was loaded from; script_tag.js and module.js each learn it in their own way

/** Set where the SDK was loaded from: its files are there, and by default its service. */
export function loadedFrom(address) {
  script = address;
}

// A form's result is the plain arguments, with the account chosen in the form added for invokeFunction. It is kept
// under a symbol, so that copies like {...filled} have it too, and JSON does not.
const CHOSEN = Symbol("connectedAccountId");

const APPS = "apps"; // the kind of surface that is a marketplace
const ASKING = 10_000; // milliseconds that the service may take to draw something

const savesData = navigator.connection?.saveData; // the user wants no data spent on what may never be needed

const calledOff = () => new ServiceError({ code: "cancelled", message: "The page closed it before there was anything in it." });
const slashed = (address) => `${String(address).replace(/\/+$/, "")}/`;
const appOf = (functionName) => String(functionName).split("-", 1)[0];

/** Take the constructor's arguments in either form. */
function readOptions(first, hash, userId, more) {
  const given = first !== null && typeof first === "object" ? { ...first } : { ...more, appKey: first, hash, userId };
  given.baseUrl ??= script && new URL("../..", script).href;
  given.location = location.href;
  given.locale = negotiate(given.locale);
  if (typeof given.token === "function") {
    given.asksToken = true;
    delete given.token;
  }
  return given;
}

class Instance {
  #options;
  #runtime;
  #name;
  #token;
  #firstToken = null; // what the page's function gave for the first screen; the worker uses it next
  #isAccepted = false; // the service has accepted the credentials
  #returned = returnedIn(location); // what the address says about a return from connecting, until the service is told
  #redeemed = null; // a promise of what the service says about that return
  #isDestroyed = false;
  #emitter = new Emitter();

  constructor(first, hash, userId, more) {
    this.#options = readOptions(first, hash, userId, more);
    this.#token = first?.token ?? more?.token;
    this.eventEmitter = this.#emitter.face((event) => {
      if (this.#isDestroyed) throw destroyed();
      if (event === "ready") this.#runtime.start(); // a handler of `ready` waits for Python
    });
    this.#runtime = runtimeAt(script ?? new URL("servicejs/v1/", slashed(this.#options.baseUrl)).href);
    const instance = {
      announce: (name) => this.#announce(name),
      emit: (event, payload) => this.#emitter.emit(event, payload),
      token: () => this.#takeToken(),
      ask: (fields) => this.#ask(fields),
      isAccepted: () => this.#isAccepted,
      redeemed: () => this.#redeemed,
    };
    // To save data, Python starts with the first call, unless the user may be coming back from connecting.
    this.#name = this.#runtime.add(instance, !savesData || this.#options.redirectUrl);
  }

  async showApps(apps, renderMode = RenderModes.MODAL, containerId = undefined, more = undefined) {
    const modal = isModal(renderMode);
    const about = { apps: Array.from(apps ?? []), render_mode: renderMode };
    const whenOpened = () => this.#emitter.emit("marketplace-opened", about);
    const whenClosed = () => this.#emitter.emit("marketplace-closed", about);
    const surface = await this.#open(modal, { containerId, kind: APPS, whenOpened, whenClosed });
    const values = { apps, modal, promptBox: more?.promptBox, surface, redirectUrl: this.#options.redirectUrl };
    return this.#call("showApps", values, more);
  }

  async closeApps(containerId) {
    if (this.#isDestroyed) throw destroyed();
    const fits = ({ instance, kind, place }) => instance === this.#name && kind === APPS && [place, undefined].includes(containerId);
    takeSurfacesAway(fits);
  }

  async connectApp(appName, more) {
    const { redirectUrl = this.#options.redirectUrl, connectedAccountId, functions } = more ?? {};
    const values = { appName, connectedAccountId, functions };
    if (redirectUrl) return this.#call("connectApp", { ...values, redirectUrl }, more);
    const popup = this.#isDestroyed ? null : openPopup(this.#options.locale, this.#runtime);
    return this.#call("connectApp", { ...values, popup, surface: await this.#open(true) }, more);
  }

  async disconnectApp(appName, connectedAccountId) {
    return this.#call("disconnectApp", { appName, connectedAccountId });
  }

  async isAppConnected(appName) {
    return this.#call("isAppConnected", { appName });
  }

  async getConnectedAccounts(appName) {
    return this.#call("getConnectedAccounts", { appName });
  }

  async getApps() {
    return this.#call("getApps", {});
  }

  async showFunctionUI(functionName, params, connectedAccountId, more) {
    const { prediction, renderMode, containerId, renderers, signal } = more ?? {};
    if (signal?.aborted) throw calledOff();
    const draftKey = ["servicejs", this.#options.appKey, this.#options.userId, functionName].join(":");
    const page = { renderers, functionName, sdk: this, emitter: this.#emitter }; // for fields that the page draws
    signal?.addEventListener("abort", () => takeSurfacesAway((surface) => surface.page === page), { once: true });
    const surface = await this.#open(isModal(renderMode), { containerId, draftKey, page });
    const values = { functionName, params, connectedAccountId, prediction, surface, draft: readDraft(draftKey) };
    values.redirectUrl = this.#options.redirectUrl;
    values.renderers = Object.keys(renderers ?? {});
    const filled = await this.#call("showFunctionUI", values, more);
    return Object.assign(filled.arguments, { [CHOSEN]: { app: appOf(functionName), id: filled.connectedAccountId } });
  }

  async invokeFunction(functionName, params, connectedAccountId, more) {
    const chosen = params?.[CHOSEN];
    if (chosen?.app === appOf(functionName)) connectedAccountId ??= chosen.id;
    return this.#call("invokeFunction", { ...more, functionName, params, connectedAccountId }, more);
  }

  async getFunctions(more) {
    return this.#call("getFunctions", { ...more }, more);
  }

  async getFunction(functionName) {
    return this.#call("getFunction", { functionName });
  }

  async getChoices(functionName, field, more) {
    return this.#call("getChoices", { ...more, functionName, field }, more);
  }

  async predict(prompt, more) {
    return this.#call("predict", { ...more, prompt }, more);
  }

  async destroy() {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#emitter.clear();
    await this.#runtime.remove(this.#name);
  }

  /** Return a token from the page: the first time the one already asked for, if any, then a new one. */
  async #takeToken() {
    const first = this.#firstToken;
    this.#firstToken = null;
    return first ?? this.#token();
  }

  /** Ask the service for what a call shows first; the answer is null where only the worker can show it. */
  #ask(fields) {
    const returned = this.#returned;
    this.#returned = null;
    const asking = this.#request({ ...returned, ...fields });
    if (returned) this.#redeemed = asking.then((answer) => answer?.redeemed, () => null);
    return asking;
  }

  async #request(fields) {
    const { appKey, userId, hash, baseUrl, locale, theme, asksToken } = this.#options;
    if (asksToken) this.#firstToken ??= this.#token();
    const given = asksToken ? await this.#firstToken : this.#token;
    const values = { app_key: appKey, user_id: userId, hash, token: given?.token ?? given, locale, theme, ...fields };
    const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
    const answer = await fetch(`${slashed(baseUrl)}first_screens`, {
      method: "POST",
      body: new URLSearchParams(texts),
      credentials: "omit",
      signal: AbortSignal.timeout(ASKING),
    });
    if (answer.status === 200) {
      this.#isAccepted = true;
      return answer.json();
    }
    if (asksToken || ![401, 403].includes(answer.status)) return null;
    const { error, error_details, request_id } = await answer.json();
    const { code } = error_details[0];
    throw new ServiceError({ code, message: error, status: answer.status, error_details, request_id });
  }

  /** Have the worker carry out a method; of its options, as the page gave them, the worker checks the names. */
  async #call(method, values, options = []) {
    if (this.#isDestroyed) throw destroyed();
    if (method !== "gesture" && values.surface && !isOpen(values.surface)) throw calledOff();
    const shown = anyHost(); // whose colour the page may have chosen
    if (shown) values.accent = getComputedStyle(shown).getPropertyValue("--ifs-color-accent");
    values.optionNames = Object(options) === options ? Object.keys(options) : options;
    return this.#runtime.call(this.#name, method, values);
  }

  /** Open a surface: at once if the page has its place by now, else as soon as the page has been parsed. */
  #open(modal, { containerId, ...more } = {}) {
    if (this.#isDestroyed) throw destroyed();
    if (document.readyState === "loading" && !(modal ? document.body : findElement(containerId))) {
      const isRead = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
      return isRead.then(() => this.#open(modal, { containerId, ...more }));
    }
    // What a user did to a surface that was taken away meanwhile is nobody's error.
    const send = (values) => this.#call("gesture", values).catch((error) => error.code === "cancelled" || console.error(error));
    const { theme, locale, redirectUrl } = this.#options;
    const owner = this.#runtime;
    const name = openSurface({ owner, instance: this.#name, modal, containerId, theme, locale, redirectUrl, send, ...more });
    more.whenOpened?.();
    return name;
  }

  /** Make the instance known to a worker that has just been started. */
  #announce(name) {
    this.#runtime.call(name, "create", { options: this.#options }).catch(() => {}); // `error` is told
  }
}

Instance.MarketplaceRenderModes = RenderModes;
Instance.ServiceError = ServiceError;

/** Return what a connect session in redirect mode has added to an address; null if it has added nothing. */
function returnedIn({ search }) {
  const given = new URLSearchParams(search);
  const [connect_session, code] = [given.get("connect_session"), given.get("code")];
  return connect_session && code ? { connect_session, code } : null;
}

/** Return the normal form of a service's address; null if it isn't an address. */
function addressOf(baseUrl) {
  try {
    return new URL(slashed(baseUrl)).href;
  } catch {
    return null;
  }
}

/** Return whether something is to be shown over the page rather than in an element of it. */
function isModal(renderMode = RenderModes.MODAL) {
  if (Object.values(RenderModes).includes(renderMode)) return renderMode === RenderModes.MODAL;
  const message = `renderMode must be one of ServiceJS.MarketplaceRenderModes, not ${renderMode}.`;
  throw new ServiceError({ code: "invalid_argument", message });
}

/** Make an instance; if it is for another service than the script's, that service's own script makes it. */
function make(given) {
  const [first, , , more] = given;
  const base = addressOf(first?.baseUrl ?? more?.baseUrl);
  if (!script || !base || base === new URL("../..", script).href) return new Instance(...given);
  let making;
  const made = () => {
    making ??= import(new URL("servicejs/v1/servicejs.mjs", base).href).then(
      (sdk) => new sdk.ServiceJS(...given),
      ({ message }) => {
        making = undefined;
        const words = `The SDK could not be loaded from ${base} (is it in the page's script-src?): ${message}`;
        throw new ServiceError({ code: "unreachable", message: words });
      },
    );
    return making;
  };
  made().catch(() => {}); // whoever calls a method is told
  const passOn = (own, part) => {
    const get = (_, name) => {
      if (name in own || name === "then") return own[name]; // it isn't a promise
      return async (...values) => part(await made())[name](...values);
    };
    return new Proxy(own, { get });
  };
  return passOn({ eventEmitter: passOn({}, (instance) => instance.eventEmitter) }, (instance) => instance);
}

/** Have the browser fetch early what instances of the script's service need, while it is idle. */
Instance.preload = async () => {
  if (!script || savesData) return;
  await loadContent(script).then(({ preload }) => preload(script, WORKER_FILES), () => {}); // whoever needs it is told
};

// `ServiceJS(…)` makes an instance just as `new ServiceJS(…)` does.
export const ServiceJS = new Proxy(Instance, {
  apply: (target, _, given) => make(given),
  construct: (target, given) => make(given),
});
