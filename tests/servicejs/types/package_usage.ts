// Every method, event and option of the npm package, as an application would write them; the compiler is the test.
import ServiceJSByDefault, {
  MarketplaceRenderModes,
  ServiceError,
  ServiceJS,
  type App,
  type CallRefusal,
  type CallResult,
  type Choices,
  type ConnectedAccount,
  type DescribedFunction,
  type DrawnField,
  type Events,
  type FieldRenderer,
  type Options,
  type PageField,
  type PredictedFunction,
} from "integration-functions-servicejs";

const everyOption: Required<Options> = {
  baseUrl: "https://functions.example.com",
  appKey: "key",
  userId: "user",
  hash: "00",
  token: async () => ({ token: "token", expires_at: "2026-01-01T00:00:00Z" }),
  theme: "dark",
  locale: "pt-BR",
  redirectUrl: "https://app.example.com/back",
};
const sdk: ServiceJS = new ServiceJS(everyOption);
const positional: ServiceJSByDefault = new ServiceJSByDefault("key", "00", "user", { baseUrl: "https://example.com" });
new ServiceJS({ baseUrl: "https://example.com", appKey: "key", userId: "user", token: "token" });
// @ts-expect-error the address of the service is required
new ServiceJS({ appKey: "key", userId: "user", hash: "00" });
// @ts-expect-error so it is beside positional arguments
new ServiceJS("key", "00", "user");
// @ts-expect-error there are two themes
new ServiceJS({ ...everyOption, theme: "auto" });
// @ts-expect-error the application's secret never belongs into a page
new ServiceJS({ ...everyOption, secret: "…" });

export async function use(): Promise<void> {
  await sdk.showApps();
  await sdk.showApps(["sandbox"], MarketplaceRenderModes.INLINE, "apps");
  await sdk.showApps(undefined, ServiceJS.MarketplaceRenderModes.MODAL);
  await sdk.showApps([], MarketplaceRenderModes.MODAL, undefined, { promptBox: false });
  // @ts-expect-error a mode that there is not
  await sdk.showApps([], "popup");
  const account: string = await sdk.connectApp("sandbox");
  await sdk.connectApp("sandbox", { redirectUrl: "https://app.example.com", connectedAccountId: 1, functions: ["f"] });
  await sdk.disconnectApp("sandbox", account);
  await sdk.disconnectApp("sandbox", 1);
  const isConnected: boolean = await sdk.isAppConnected("sandbox");
  const accounts: ConnectedAccount[] = await sdk.getConnectedAccounts("sandbox");
  const apps: App[] = await sdk.getApps();
  console.log(apps[0]?.description.length);
  await sdk.closeApps();
  const plain: FieldRenderer = ({ title }) => document.createTextNode(title);
  const whole: FieldRenderer = async (field: PageField): Promise<DrawnField> => {
    const { choices } = await field.choices({ search: "o" });
    field.set(choices[0]?.value ?? null);
    return { node: document.createElement("input"), update: (now) => console.log(now.value), destroy: () => {} };
  };
  await sdk.showFunctionUI("sandbox-create-ticket", {}, undefined, { renderers: { title: plain, project_id: whole } });
  await sdk.eventEmitter.on("field-failed", ({ field, error }) => console.log(field, error.code));
  const signature: DescribedFunction = await sdk.getFunction("sandbox-create-ticket");
  const listed: DescribedFunction[] = await sdk.getFunctions({ apps: ["sandbox"], type: "mutation", connectedOnly: true });
  const source = listed[0]?.meta.fields["project_id"]?.source;
  const found: Choices = await sdk.getChoices("sandbox-create-ticket", "project_id", { search: "office", params: {} });
  await sdk.getChoices(signature.name, "project_id", { cursor: found.cursor, connectedAccountId: account });
  console.log(source?.depends_on, found.choices[0]?.label, signature.meta.destructive);
  const prediction = { evidence: { title: "Printer on fire" } };
  const filled = await sdk.showFunctionUI("sandbox-create-ticket", { title: "Printer" }, account, { prediction });
  await sdk.showFunctionUI("sandbox-create-ticket", {}, account, { renderMode: "inline", containerId: "form" });
  const result: CallResult | CallRefusal = await sdk.invokeFunction("sandbox-create-ticket", filled, account);
  if ("error" in result) console.log(result.error_details[0]?.action, result.request_id);
  else console.log(result.network_code, result.next_page, result.output);
  console.log(isConnected, accounts[0]?.state_reason, apps[0]?.categories, signature.parameters.required, positional);
  const predicted: PredictedFunction | null = await sdk.predict("a ticket about the printer");
  await sdk.predict("tickets of today", { apps: ["sandbox"], type: "query", connectedOnly: true });
  if (predicted !== null) {
    const named: PredictedFunction = await sdk.predict("a ticket", { functionName: predicted.prediction.alternatives[0]!.name });
    await sdk.showFunctionUI(predicted.name, predicted.arguments, undefined, { prediction: predicted.prediction });
    console.log(predicted.prediction.confidence.toFixed(), predicted.prediction.missing, predicted.description, named.arguments.title);
  }
  // @ts-expect-error the named function leaves nothing to choose among
  await sdk.predict("a ticket", { functionName: "sandbox-create-ticket", apps: ["sandbox"] });
  // @ts-expect-error it may be that nothing fits
  (await sdk.predict("a ticket")).name;
  await sdk.destroy();
}

export async function listen(): Promise<void> {
  const { eventEmitter } = sdk;
  const leave = await eventEmitter.on("ready", ({ isReady, user_id, version }) => console.log(isReady, user_id, version));
  await leave();
  const handler = (error: Events["error"]) => console.log(error.code, error.status, error.message);
  await eventEmitter.once("error", handler);
  await eventEmitter.unsub("error", handler);
  await eventEmitter.on("app-connected", (app) => console.log(app.connected_account_id.toFixed(), app.title));
  await eventEmitter.on("app-disconnected", ({ connected_account_id }) => console.log(connected_account_id?.toFixed()));
  await eventEmitter.on("function-called", ({ function: name, result }) => console.log(name, result.network_code));
  await eventEmitter.on("marketplace-closed", ({ apps, render_mode }) => console.log(apps.length, render_mode));
  await eventEmitter.on("connect-failed", ({ app, error }) => console.log(app, error.code));
  await eventEmitter.on("form-submitted", ({ function: name, arguments: given }) => console.log(name, given));
  await eventEmitter.unsub("app-connected");
  // @ts-expect-error an event that there is not
  await eventEmitter.on("connected", () => {});
}

export function explain(error: unknown): string {
  return error instanceof ServiceError ? `${error.code} ${error.status} ${error.request_id}` : String(error);
}
