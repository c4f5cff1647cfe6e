/** A connected account of the user; lists are sorted by `modified_at` (UTC), newest first. */
export interface ConnectedAccount {
  id: number;
  display_name: string;
  modified_at: string;
  state: "active" | "reconnect_required";
  /** Why the account has to be reconnected; null otherwise. */
  state_reason: string | null;
}

/** An app of the service with the user's accounts in it. */
export interface App {
  id: number;
  name: string;
  title: string;
  /** Further names that people search for. */
  also_called: string[];
  /** What the app is for, in one sentence. */
  description: string;
  icon_url: string;
  docs_url: string;
  /** Such as `sales`: where marketplaces show the app. */
  categories: string[];
  connected_accounts: ConnectedAccount[];
}

/** One operation of an app and the arguments it takes. */
export interface FunctionSignature {
  name: string;
  description: string;
  type: "query" | "mutation" | "passthrough";
  parameters: { type: "object"; properties: Record<string, unknown>; required: string[] };
}

/** A source function, and what to call it with: constants, or `${param}` for the value of another parameter. */
export interface SourceOfChoices {
  function: string;
  arguments: Record<string, unknown>;
  /** The parameters whose values it needs. */
  depends_on: string[];
}

/** How one field of a form is shown. */
export interface FieldMeta {
  title: string;
  widget: string;
  placeholder: string;
  /** What a form says about it in place of the description; null where that one is said. */
  help: string | null;
  default: unknown;
  /** The only values there are; null where there are others, or a source function lists them. */
  options: unknown[] | null;
  /** What lists the choices: `getChoices` asks it. Null where there is none. */
  source: (SourceOfChoices & { value: string; label: string; search: string | null }) | null;
  /** What lists the fields of an object that each account has its own of; null where there is none. */
  dynamic_fields:
    | (SourceOfChoices & {
        key: string;
        title: string | null;
        type: string | null;
        required: string | null;
        options: string | null;
      })
    | null;
}

/** What a form needs besides the parameters. */
export interface FunctionMeta {
  app: { name: string; title: string; icon_url: string };
  /** What the function is called for people. */
  title: string;
  type: FunctionSignature["type"];
  paginated: boolean;
  /** What it does can't be undone: have it confirmed. */
  destructive: boolean;
  idempotent: boolean;
  /** What accounts have to be granted beyond the usual. */
  scopes: string[];
  /** By path: `a`, `a.b`, or `a[].b` for the entries of a list. */
  fields: Record<string, FieldMeta>;
}

/** A function with all that a form of your own needs. */
export interface DescribedFunction extends FunctionSignature {
  meta: FunctionMeta;
}

/** Some choices of a field; `cursor` asks for those after them, and is empty when there are no more. */
export interface Choices {
  choices: { value: string | number | boolean; label: string }[];
  cursor: string;
}

/** How sure a prediction is, and where it came from. */
export interface Prediction {
  /** From 0 to 1. */
  confidence: number;
  /** What was nearly chosen, likeliest first; four at most. */
  alternatives: { name: string; confidence: number }[];
  /** Required parameters that the prompt gives no value for. */
  missing: string[];
  /** The words of the prompt that an argument came from, by parameter. */
  evidence: Record<string, string>;
  /** Parameters whose words may mean several things of the user's account, and those things; absent without any. */
  choices?: Record<string, { value: unknown; label: string }[]>;
}

/** A function that a prompt asks for, and what the prompt says of its arguments. */
export interface PredictedFunction extends FunctionSignature {
  arguments: Record<string, unknown>;
  prediction: Prediction;
}

/** What the app answered; a call counts as executed whatever `network_code` says. */
export interface CallResult {
  network_code: string;
  /** A whole number beyond `Number.MAX_SAFE_INTEGER` is a string of its digits, here as everywhere; pass it on as it is. */
  output: unknown;
  next_page?: string;
  /** What people should see of a good answer; there when it was asked for and the function says so. */
  outcome?: Outcome;
}

/** What came of a call, in words: "Ticket 12 created". Texts, not HTML. */
export interface Outcome {
  title: string;
  /** An https address at which it can be seen. */
  link?: string;
  /** The few things to know of it, in the order to show. */
  facts: { title: string; value: Scalar | Scalar[] }[];
}

type Scalar = string | number | boolean;

export interface ErrorDetail {
  field: string | null;
  code: string;
  message: string;
  action: "connect" | "reconnect" | "pick_account" | "fix_field" | "wait" | null;
}

/** Why a function was not executed. */
export interface CallRefusal {
  error: string;
  error_details: ErrorDetail[];
  request_id: string;
}

/**
 * What promises are rejected with. `code` is one of the service's codes, or `cancelled`, `destroyed`, `unreachable`,
 * `timeout`, `invalid_argument`, `choices_failed`, `container_not_found`, `unknown_event`, `expired`, `connect_failed`, `token_failed`,
 * `blocked_by_policy`, `unsupported_browser`, `unsupported`, `malformed_answer` or `internal`.
 */
export declare class ServiceError extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly error_details: ErrorDetail[];
  readonly request_id: string;
}

/** A token, or the whole answer of `POST /session_tokens`. */
export type SessionToken = string | { token: string; expires_at?: string };

/** Where a marketplace is shown: over the page, or inside an element of it. */
export type MarketplaceRenderMode = "modal" | "inline";

export interface Options {
  appKey: string;
  /** Hex HMAC-SHA256 of the user id, computed on your server. This or `token` is required. */
  hash?: string;
  userId: string;
  /** The service's address; by default that of the script. */
  baseUrl?: string;
  /** A session token, or a function that gets one; it is called again when the service rejects the last one. */
  token?: string | (() => SessionToken | Promise<SessionToken>);
  theme?: "light" | "dark";
  /** The language of what users see: en, ar, de, es, fr, ja or pt-BR; by default that of the page, else the user's. */
  locale?: string;
  /** Connect in this window instead of a popup, and come back to this address. */
  redirectUrl?: string;
}

/** What went wrong, as `ServiceError` says it. */
export interface Failure {
  code: string;
  message: string;
  status: number | null;
  error_details: ErrorDetail[];
  request_id: string;
}

export interface Events {
  ready: { isReady: true; user_id: string; version: string };
  error: Failure;
  /** A marketplace is shown: of the named apps, of all where none are named. */
  "marketplace-opened": { apps: string[]; render_mode: MarketplaceRenderMode };
  "marketplace-closed": { apps: string[]; render_mode: MarketplaceRenderMode };
  /** The user begins to connect an account, or to reconnect the one of the id; `app-connected` tells that it is done. */
  "connect-started": { app: string; connected_account_id: number | null };
  "connect-cancelled": { app: string; connected_account_id: number | null };
  "connect-failed": { app: string; connected_account_id: number | null; error: Failure };
  "app-connected": App & { connected_account_id: number };
  "app-disconnected": App & { connected_account_id: number | null };
  /** A function's form is shown, from `showFunctionUI` or from the prompt box. */
  "form-opened": { function: string };
  "form-submitted": { function: string; arguments: Record<string, unknown>; connected_account_id: number | null };
  "form-cancelled": { function: string };
  /** A renderer failed, or didn't answer: the form's own field stands in its place. The code is `renderer_failed`. */
  "field-failed": { function: string; field: string; error: Failure };
  /** The user had a function called from the prompt box of the marketplace; the id is null where there is one account. */
  "function-called": {
    function: string;
    arguments: Record<string, unknown>;
    connected_account_id: number | null;
    result: CallResult;
  };
}

/** A field of a form that the page draws itself, as it is now. */
export interface PageField {
  /** Its path: `a`, `a.b`, or `a[0].b` for an entry of a list. */
  name: string;
  title: string;
  description: string;
  type: "string" | "number" | "boolean" | "array" | "object" | "json";
  /** Of a text: `date`, `date-time`, `time`, `email` or `uri`; else empty. */
  format: string;
  required: boolean;
  /** The only values there are; empty where there are others, or the app lists them (`choices`). */
  options: { value: string | number | boolean; label: string }[];
  /** What is filled in, right or wrong; null where that is nothing. */
  value: unknown;
  /** What is wrong with it, which the form says below the field. */
  error: string;
  locale: string;
  theme: "light" | "dark";
  /** Tell what the user has entered; null leaves the field empty. It is checked once the focus leaves what you have drawn. */
  set(value: unknown): void;
  /** List the choices of a field whose values the app lists, as `getChoices` does. */
  choices(options?: { search?: string; cursor?: string }): Promise<Choices>;
  /** Give up: the form's own field takes its place, and `field-failed` is told. */
  fail(error: unknown): void;
}

/** What a page has drawn for a field: `update` is called when something of it changes, `destroy` when it goes. */
export interface DrawnField {
  node: Node;
  update?(field: PageField): void;
  destroy?(): void;
}

/** Draws a field. Until it has answered, after 5 seconds, or where it fails, the form's own field is there. */
export type FieldRenderer = (field: PageField) => Node | DrawnField | Promise<Node | DrawnField>;

export interface EventEmitter {
  /** Subscribe; resolves to a function that unsubscribes. `ready` and `error` are also told to late handlers. */
  on<Name extends keyof Events>(event: Name, handler: (payload: Events[Name]) => void): Promise<() => Promise<void>>;
  once<Name extends keyof Events>(event: Name, handler: (payload: Events[Name]) => void): Promise<() => Promise<void>>;
  /** Unsubscribe one handler of an event, or all of them. */
  unsub<Name extends keyof Events>(event: Name, handler?: (payload: Events[Name]) => void): Promise<void>;
}

export declare class ServiceJS {
  static readonly MarketplaceRenderModes: { readonly MODAL: "modal"; readonly INLINE: "inline" };
  static readonly ServiceError: typeof ServiceError;

  /**
   * Have the browser fetch the SDK while it is idle, so that nobody waits for it later; never where the user saves data.
   * Resolves once it has come, and never rejects. With the npm package `baseUrl` says of which service.
   */
  static preload(options?: { baseUrl?: string }): Promise<void>;

  readonly eventEmitter: EventEmitter;

  constructor(options: Options);
  constructor(appKey: string, hash: string, userId: string, options?: Partial<Options>);

  /**
   * Show the marketplace of all apps or of those named; resolves once they are listed. Its users can say in a box what
   * they want to do in one of these apps, unless `promptBox` is false.
   */
  showApps(
    apps?: string[],
    renderMode?: MarketplaceRenderMode,
    containerId?: string | Element,
    options?: { promptBox?: boolean },
  ): Promise<void>;
  /** Take away every marketplace of this instance, or just that in a container. */
  closeApps(containerId?: string | Element): Promise<void>;
  /**
   * Let the user connect an account; resolves to its id. Call it within a click, so that its window may open.
   * `connectedAccountId` reconnects that account in place. The user is asked for what `functions` need as well: name
   * the one whose call was refused with `missing_scope`.
   */
  connectApp(
    appName: string,
    options?: { redirectUrl?: string; connectedAccountId?: string | number; functions?: string[] },
  ): Promise<string>;
  disconnectApp(appName: string, connectedAccountId?: string | number): Promise<void>;
  isAppConnected(appName: string): Promise<boolean>;
  getConnectedAccounts(appName: string): Promise<ConnectedAccount[]>;
  getApps(): Promise<App[]>;
  /**
   * Let the user fill in a function's arguments; resolves to them. What was filled in before the form was left with
   * Escape, or the page reloaded in the same tab, is there again. With the `prediction` of the service, fields say
   * which words they come from, or what words may mean. The form stands over the page, or in the element `containerId`
   * with `renderMode: "inline"`; taking that away leaves the form. `renderers` draw fields of it, by their paths (`a`, `a.b`,
   * `a[].b`). `signal` calls it off, which rejects with `cancelled`.
   */
  showFunctionUI(
    functionName: string,
    params: Record<string, unknown>,
    connectedAccountId?: string | number,
    options?: {
      prediction?: Pick<Prediction, "evidence" | "choices">;
      renderMode?: MarketplaceRenderMode;
      containerId?: string | Element;
      renderers?: Record<string, FieldRenderer>;
      signal?: AbortSignal;
    },
  ): Promise<Record<string, unknown>>;
  /** Call a function; a refusal of the service is a result too. `include` asks for the result's `outcome`. */
  invokeFunction(
    functionName: string,
    params: Record<string, unknown>,
    connectedAccountId?: string | number,
    options?: { include?: "outcome" },
  ): Promise<CallResult | CallRefusal>;
  /** List the functions of the named apps, of all without names. */
  getFunctions(options?: {
    apps?: string[];
    type?: FunctionSignature["type"];
    connectedOnly?: boolean;
  }): Promise<DescribedFunction[]>;
  getFunction(functionName: string): Promise<DescribedFunction>;
  /**
   * List the choices of a field, for a form of your own; `field` is its path in `meta.fields`, with the number of an entry
   * in place of `[]`. Choices may depend on `params`, the arguments so far. The app itself looks for the `search` where it
   * can, else labels must have its words.
   */
  getChoices(
    functionName: string,
    field: string,
    options?: {
      params?: Record<string, unknown>;
      search?: string;
      cursor?: string;
      connectedAccountId?: string | number;
    },
  ): Promise<Choices>;
  /**
   * Find the function that a request in plain words asks for, and its arguments; null when nothing fits: have the user
   * reword it. `functionName` takes that function, such as one of the alternatives, and predicts its arguments only; the
   * other options choose among which functions to look.
   */
  predict(prompt: string, options: { functionName: string }): Promise<PredictedFunction>;
  predict(
    prompt: string,
    options?: { apps?: string[]; type?: FunctionSignature["type"]; connectedOnly?: boolean },
  ): Promise<PredictedFunction | null>;
  /** Take away everything this instance made; it cannot be used any more. */
  destroy(): Promise<void>;
}

export declare const MarketplaceRenderModes: typeof ServiceJS.MarketplaceRenderModes;
export default ServiceJS;
