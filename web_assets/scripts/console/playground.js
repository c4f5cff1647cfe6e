// Shows the form of the page's function with the SDK, sends what was filled in, and links the call's entry in the log.
const place = document.getElementById("playground");
const [came, said, output, again, connect] = ["came", "said", "output", "again", "connect"].map((id) =>
  document.getElementById(id),
);
const { baseUrl, appKey, user, token, app, calls } = place.dataset;
const name = place.dataset.function;
const MOST_SHOWN = 100_000; // characters; a browser takes its time with more, and nobody reads that far

function show(text, value, link) {
  came.hidden = false;
  said.textContent = `${text} `;
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = "Its entry in the log";
    said.append(anchor);
  }
  output.hidden = value === undefined;
  const written = value === undefined ? "" : JSON.stringify(value, null, 2);
  output.textContent = written.slice(0, MOST_SHOWN);
  if (written.length > MOST_SHOWN) said.append(" Only the first part is shown.");
  document.getElementById("came-title").focus();
}

/** The address of the newest call of this user and function; that of the list where it can't be told. */
async function entry() {
  try {
    const page = await (await fetch(calls)).text();
    const row = new DOMParser().parseFromString(page, "text/html").querySelector("#rows a");
    return row?.getAttribute("href") ?? calls;
  } catch {
    return calls;
  }
}

/** Say why nothing was sent, and offer to connect an account if that helps. */
function failed({ code, message, error_details }) {
  connect.hidden = !["not_connected", "reconnect_required", "missing_scope"].includes(code);
  show(`Nothing was sent: ${message}`, error_details);
}

async function open(sdk) {
  again.hidden = true;
  let filled;
  try {
    filled = await sdk.showFunctionUI(name, {}, undefined, { renderMode: "inline", containerId: place.id });
  } catch (error) {
    again.hidden = false;
    return error.code === "cancelled" ? undefined : failed(error);
  }
  show("The app is being asked…");
  try {
    const result = await sdk.invokeFunction(name, filled);
    const { error, error_details } = result;
    if (error) failed({ code: error_details[0]?.code, message: error, error_details });
    else show(`The app answered ${result.network_code}.`, result.output, await entry());
  } catch (error) {
    if (error.status) failed(error);
    else show(`No answer came (${error.message}), so it may have been done.`, undefined, calls);
  } finally {
    again.hidden = false;
  }
}

if (typeof ServiceJS === "undefined") {
  show("The SDK could not be loaded from the service’s public address.");
} else {
  const sdk = new ServiceJS({ appKey, userId: user, token, baseUrl });
  again.addEventListener("click", () => open(sdk));
  connect.addEventListener("click", async () => {
    try {
      await sdk.connectApp(app);
      connect.hidden = true;
    } catch (error) {
      if (error.code !== "cancelled") failed(error);
    }
  });
  open(sdk);
}
