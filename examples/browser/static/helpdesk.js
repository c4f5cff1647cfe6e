"use strict";

// What a host application writes to let its users connect their apps and run functions there.

const APP = "sandbox";

const { appKey, hash, userId } = document.body.dataset;
const element = (id) => document.getElementById(id);

let nextPage = "";

function main() {
  if (typeof ServiceJS === "undefined") {
    showState("error", "ServiceJS could not be loaded. Is the service running?");
    return;
  }
  const sdk = new ServiceJS({ appKey, hash, userId });
  logEvents(sdk);
  offerActions(sdk);
}

function logEvents(sdk) {
  const { eventEmitter } = sdk;
  eventEmitter.on("ready", (payload) => {
    logEvent("ready", payload);
    showState("ready", "Ready");
    listAccounts(sdk).catch(showError);
  });
  eventEmitter.on("error", (error) => {
    logEvent("error", describeError(error));
    showState("error", error.message);
  });
  for (const name of ["app-connected", "app-disconnected", "function-called"]) {
    eventEmitter.on(name, (payload) => {
      logEvent(name, payload);
      if (payload.name === APP) offerAccounts(payload.connected_accounts);
    });
  }
}

function offerActions(sdk) {
  const { INLINE } = ServiceJS.MarketplaceRenderModes;

  onClick("show-apps", () => sdk.showApps());
  onClick("show-apps-inline", () => sdk.showApps([], INLINE, "apps-inline"));
  onClick("connect-sandbox", async () => showResult({ connectedAccountId: await sdk.connectApp(APP) }));
  onClick("disconnect-sandbox", async () => {
    await sdk.disconnectApp(APP, chosenAccount());
    showResult({ disconnected: true });
  });
  onClick("is-connected", async () => showResult({ connected: await sdk.isAppConnected(APP) }));

  onClick("create-ticket", async () => {
    // The user fills in, sees and confirms what is going to happen, before it happens. The account chosen in the form
    // goes along with what was filled in, in a copy too.
    const filled = await sdk.showFunctionUI("sandbox-create-ticket", {}, chosenAccount());
    showResult(await sdk.invokeFunction("sandbox-create-ticket", { ...filled }));
  });

  const listTickets = async (more) => {
    const result = await sdk.invokeFunction("sandbox-list-tickets", more, chosenAccount());
    showResult(result);
    nextPage = result.next_page ?? "";
    element("next-page").hidden = nextPage === "";
  };
  onClick("list-tickets", () => listTickets({}));
  onClick("next-page", () => listTickets({ next_page: nextPage }));

  onClick("passthrough", async () => {
    const request = { method: "GET", url: "/me" };
    showResult(await sdk.invokeFunction(`${APP}-passthrough-request`, request, chosenAccount()));
  });
}

function onClick(id, action) {
  const button = element(id);
  button.addEventListener("click", async () => {
    button.setAttribute("aria-busy", "true");
    try {
      await action();
    } catch (error) {
      showError(error);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}

// Several accounts of one app: the user of this page says which is meant.

async function listAccounts(sdk) {
  offerAccounts(await sdk.getConnectedAccounts(APP));
}

function offerAccounts(accounts) {
  const select = element("account");
  const chosen = select.value;
  const options = accounts.map((account) => new Option(account.display_name, String(account.id)));
  select.replaceChildren(new Option("Any", ""), ...options);
  select.value = accounts.some((account) => String(account.id) === chosen) ? chosen : "";
}

function chosenAccount() {
  return element("account").value || undefined;
}

// What the page shows.

function showState(name, text) {
  document.body.dataset.sdk = name;
  element("state").textContent = text;
}

function showResult(value) {
  const failed = value !== null && typeof value === "object" && "error" in value;
  const status = value?.network_code ? `Answered with ${value.network_code}` : "Done";
  paintResult(failed ? "refused" : "done", failed ? value.error : status, value);
}

function showError(error) {
  paintResult("error", error.message, describeError(error));
}

function paintResult(state, headline, value) {
  const heading = document.createElement("p");
  heading.textContent = headline;
  const details = document.createElement("pre");
  details.tabIndex = 0;
  details.textContent = JSON.stringify(value, null, 2) ?? "";
  element("result").dataset.state = state;
  element("result").replaceChildren(heading, details);
}

function describeError(error) {
  const { name, message, code, status, error_details, request_id } = error;
  return { name, message, code, status, error_details, request_id };
}

function logEvent(name, payload) {
  const title = document.createElement("strong");
  title.textContent = name;
  const details = document.createElement("pre");
  details.tabIndex = 0;
  details.textContent = JSON.stringify(payload, null, 2) ?? "";
  const item = document.createElement("li");
  item.dataset.event = name;
  item.append(title, details);
  element("events").prepend(item);
}

main();
