import type { Component, DefineSetupFnComponent, MaybeRefOrGetter, ShallowRef } from "vue";
import type { Events, Options, Prediction, ServiceError, ServiceJS } from "./index.js";

/**
 * An instance of the SDK for as long as a component is mounted; null before that, and as long as there are no options. A
 * new one is made when an option changes.
 */
export declare function useServiceJS(options: MaybeRefOrGetter<Options | null>): ShallowRef<ServiceJS | null>;

/** Listen to an event for as long as a component is mounted. */
export declare function useServiceJSEvent<Name extends keyof Events>(
  sdk: MaybeRefOrGetter<ServiceJS | null>,
  event: Name,
  handler: (payload: Events[Name]) => void,
): void;

export type MarketplaceProps = {
  sdk: ServiceJS | null;
  /** Without names all apps are shown. */
  apps?: string[];
  promptBox?: boolean;
};

/** The marketplace, in a `div` of its own. `failure`: the apps could not be shown, or not be listed. */
export declare const Marketplace: DefineSetupFnComponent<MarketplaceProps, { failure: (error: ServiceError) => void }>;

export type FunctionFormProps = {
  sdk: ServiceJS | null;
  functionName: string;
  /** What is filled in to begin with. */
  params?: Record<string, unknown>;
  connectedAccountId?: string | number;
  prediction?: Pick<Prediction, "evidence" | "choices">;
  /** The form stands in a `div` of its own in place of a dialog. */
  inline?: boolean;
  /** Components that draw fields, by their paths (`a`, `a.b`, `a[].b`), each with the prop `field` (a `PageField`). */
  renderers?: Record<string, Component>;
};

/**
 * The form of a function, in a dialog or in place for as long as the component is rendered; it is gone once it is sent or left.
 * `submit` gives the arguments: hand them to `invokeFunction` as they are.
 */
export declare const FunctionForm: DefineSetupFnComponent<
  FunctionFormProps,
  {
    submit: (params: Record<string, unknown>) => void;
    cancel: () => void;
    failure: (error: ServiceError) => void;
  }
>;
