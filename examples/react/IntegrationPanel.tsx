import { useEffect, useId, useState } from "react";
import {
  MarketplaceRenderModes,
  ServiceError,
  type ConnectedAccount,
  type Options,
} from "integration-functions-servicejs";
import { useServiceJS } from "./useServiceJS";

const APP = "sandbox";

/** The apps of a user, and a button that creates a ticket in one of them. */
export function IntegrationPanel({ options }: { options: Options }) {
  const sdk = useServiceJS(options);
  const container = useId();
  const [accounts, setAccounts] = useState<ConnectedAccount[]>([]);
  const [message, setMessage] = useState("Starting…");

  useEffect(() => {
    if (sdk === null) return;
    const { eventEmitter } = sdk;
    void eventEmitter.on("ready", () => setMessage("Ready"));
    void eventEmitter.on("error", (error) => setMessage(error.message));
    void eventEmitter.on("app-connected", (app) => setAccounts(app.connected_accounts));
    void eventEmitter.on("app-disconnected", (app) => setAccounts(app.connected_accounts));
    void sdk.getConnectedAccounts(APP).then(setAccounts, () => {}); // `error` tells why
    void sdk.showApps([APP], MarketplaceRenderModes.INLINE, container).catch(() => {});
  }, [sdk, container]); // `destroy` ends the subscriptions

  /** Do what a button is for, and say what came of it. */
  async function run(action: () => Promise<string>) {
    try {
      setMessage(await action());
    } catch (error) {
      if (error instanceof ServiceError && error.code === "cancelled") setMessage("Nothing was done.");
      else setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  async function createTicket() {
    if (sdk === null) return "Not yet.";
    const filled = await sdk.showFunctionUI("sandbox-create-ticket", {});
    const result = await sdk.invokeFunction("sandbox-create-ticket", filled);
    return "error" in result ? result.error : `Answered with ${result.network_code}`;
  }

  async function connect() {
    if (sdk === null) return "Not yet.";
    return `Connected ${await sdk.connectApp(APP)}`;
  }

  return (
    <section>
      <h2>Tickets</h2>
      <p role="status">{message}</p>
      <ul>
        {accounts.map((account) => (
          <li key={account.id}>{account.display_name}</li>
        ))}
      </ul>
      <button type="button" onClick={() => void run(connect)}>
        Connect Tickets
      </button>
      <button type="button" disabled={accounts.length === 0} onClick={() => void run(createTicket)}>
        Create ticket
      </button>
      <button type="button" onClick={() => void sdk?.showApps()}>
        All apps
      </button>
      <div id={container} />
    </section>
  );
}
