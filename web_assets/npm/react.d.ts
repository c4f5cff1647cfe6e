import type { ComponentType, HTMLAttributes, ReactElement } from "react";
import type { Events, Options, PageField, Prediction, ServiceError, ServiceJS } from "./index.js";

/**
 * An instance of the SDK for as long as a component is shown; null until its first effect has run, and as long as there are
 * no options. A new one is made when an option changes. A function for tokens may be a different one in each rendering.
 */
export declare function useServiceJS(options: Options | null): ServiceJS | null;

/** Listen to an event for as long as a component is shown; the handler may be another one with each rendering. */
export declare function useServiceJSEvent<Name extends keyof Events>(
  sdk: ServiceJS | null,
  event: Name,
  handler: (payload: Events[Name]) => void,
): void;

export interface MarketplaceProps extends Omit<HTMLAttributes<HTMLDivElement>, "id" | "children"> {
  sdk: ServiceJS | null;
  /** Without names all apps are shown. */
  apps?: string[];
  promptBox?: boolean;
  /** The apps could not be shown, or not be listed. */
  onFailure?: (error: ServiceError) => void;
}

/** The marketplace, in a `div` of its own. */
export declare function Marketplace(props: MarketplaceProps): ReactElement;

export interface FunctionFormProps {
  sdk: ServiceJS | null;
  functionName: string;
  /** What is filled in to begin with. */
  params?: Record<string, unknown>;
  connectedAccountId?: string | number;
  prediction?: Pick<Prediction, "evidence" | "choices">;
  /** The form stands in a `div` of its own in place of a dialog. */
  inline?: boolean;
  /** Components that draw fields, by their paths (`a`, `a.b`, `a[].b`): those there are when the form is shown. */
  renderers?: Record<string, ComponentType<{ field: PageField }>>;
  /** The user has filled in the form: hand `params` to `invokeFunction` as they are. */
  onSubmit: (params: Record<string, unknown>) => void;
  onCancel?: () => void;
  /** The form could not be shown. */
  onFailure?: (error: ServiceError) => void;
}

/** The form of a function, in a dialog or in place for as long as the component is rendered; it is gone once it is sent or left. */
export declare function FunctionForm(props: FunctionFormProps): ReactElement;
