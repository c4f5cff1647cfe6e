import { useEffect, useState } from "react";
import { ServiceError, type ConnectedAccount, type Options, type PageField } from "integration-functions-servicejs";
import { FunctionForm, Marketplace, useServiceJS, useServiceJSEvent } from "integration-functions-servicejs/react";

const APP = "sandbox";
const CREATE_TICKET = "sandbox-create-ticket";

/** The priority, as buttons in place of a list. */
function PriorityButtons({ field }: { field: PageField }) {
  return (
    <div role="group" aria-label={field.title}>
      {field.options.map(({ value, label }) => (
        <button key={label} type="button" aria-pressed={value === field.value} onClick={() => field.set(value)}>
          {label}
        </button>
      ))}
    </div>
  );
}

const RENDERERS = { priority: PriorityButtons };

/** The apps of a user, and a button that creates a ticket in one of them. */
export function IntegrationPanel({ options }: { options: Options }) {
  const sdk = useServiceJS(options);
  const [accounts, setAccounts] = useState<ConnectedAccount[]>([]);
  const [message, setMessage] = useState("Starting…");
  const [isFilling, setFilling] = useState(false);

  useServiceJSEvent(sdk, "ready", () => setMessage("Ready"));
  useServiceJSEvent(sdk, "error", (error) => setMessage(error.message));
  useServiceJSEvent(sdk, "app-connected", (app) => setAccounts(app.connected_accounts));
  useServiceJSEvent(sdk, "app-disconnected", (app) => setAccounts(app.connected_accounts));
  useEffect(() => {
    void sdk?.getConnectedAccounts(APP).then(setAccounts, () => {}); // `error` tells why
  }, [sdk]);

  /** Do what a button is for, and say what came of it. */
  async function run(action: () => Promise<string>) {
    try {
      setMessage(await action());
    } catch (error) {
      if (error instanceof ServiceError && error.code === "cancelled") setMessage("Nothing was done.");
      else setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  async function connect() {
    if (sdk === null) return "Not yet.";
    return `Connected ${await sdk.connectApp(APP)}`;
  }

  async function createTicket(params: Record<string, unknown>) {
    if (sdk === null) return "Not yet.";
    const result = await sdk.invokeFunction(CREATE_TICKET, params);
    return "error" in result ? result.error : `Answered with ${result.network_code}`;
  }

  /** Take the form away, and say why. */
  function leaveForm(reason: string) {
    setFilling(false);
    setMessage(reason);
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
      <button type="button" disabled={accounts.length === 0} onClick={() => setFilling(true)}>
        Create ticket
      </button>
      <button type="button" onClick={() => void sdk?.showApps()}>
        All apps
      </button>
      {isFilling && (
        <FunctionForm
          sdk={sdk}
          functionName={CREATE_TICKET}
          renderers={RENDERERS}
          onSubmit={(params) => {
            leaveForm("Creating…");
            void run(() => createTicket(params));
          }}
          onCancel={() => leaveForm("Nothing was done.")}
          onFailure={(error) => leaveForm(error.message)}
        />
      )}
      <Marketplace sdk={sdk} apps={[APP]} onFailure={(error) => setMessage(error.message)} />
    </section>
  );
}
