// A backend in Node without any package: its page embeds ServiceJS, and it calls a function for the user who is signed in.
//
// Run it beside the demo, with the key, the secret and the address of the service that the demo prints:
// `APP_KEY=… APP_SECRET=… SERVICE_URL=… PORT=9000 node examples/backends/with_node.mjs`.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const { APP_KEY, APP_SECRET, SERVICE_URL, PORT } = process.env;
if (!APP_KEY || !APP_SECRET || !SERVICE_URL) throw new Error("Set APP_KEY, APP_SECRET and SERVICE_URL.");
// Signs the session's cookie. Give it where there are several processes, or sessions should outlive a restart.
const SESSION_KEY = process.env.SESSION_KEY || randomBytes(32).toString("hex");
const LARGEST_BODY = 10_000;
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const PAGE = read("templates/index.html").replaceAll("{{ service_url }}", SERVICE_URL.replaceAll('"', "&quot;"));
const SCRIPT = read("static/host.js");
const POLICY =
  `default-src 'none'; script-src 'self' ${SERVICE_URL} 'wasm-unsafe-eval'; worker-src blob:; ` +
  `connect-src 'self' ${SERVICE_URL}; img-src ${SERVICE_URL}; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types servicejs";

/** What the answer to a request is when it can't be the usual one. */
class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** Hex HMAC-SHA256 of a text as UTF-8. */
function sign(message, secret) {
  return createHmac("sha256", secret).update(message, "utf8").digest("hex");
}

const json = (value, headers = {}) => ({ body: JSON.stringify(value), type: "application/json", headers });

const ROUTES = {
  "GET /": () => ({ body: PAGE, type: "text/html; charset=utf-8", headers: { "Content-Security-Policy": POLICY } }),
  "GET /static/host.js": () => ({ body: SCRIPT, type: "text/javascript; charset=utf-8" }),
  "POST /sign-in": signIn,
  "POST /sign-out": () => json({}, { "Set-Cookie": sessionCookie("", "; Max-Age=0") }),
  "GET /service-credentials": serviceCredentials,
  "POST /report": report,
};

/** Your own login belongs here: this one lets in whoever gives a name. */
async function signIn(request) {
  const userName = new URLSearchParams(await bodyOf(request)).get("user_name") ?? "";
  if (!/^\P{C}{1,100}$/u.test(userName)) throw new Refusal(400, "This is no user name.");
  return json({ userId: userName }, { "Set-Cookie": sessionCookie(userName) });
}

/** Tell the page of the signed-in user, and nobody else, the hash that ServiceJS proves them by. */
function serviceCredentials(request) {
  const userId = signedInUser(request);
  return json({ appKey: APP_KEY, userId, hash: sign(userId, APP_SECRET) }, { "Cache-Control": "no-store" });
}

/** Create a ticket in the account that the user has connected. */
async function report(request) {
  const userId = signedInUser(request);
  const answer = await fetch(`${SERVICE_URL}/functions/sandbox-create-ticket/`, {
    method: "POST",
    headers: {
      "App-Key": APP_KEY,
      "User-ID": encodeURIComponent(userId), // headers hold ASCII only
      Hash: sign(userId, APP_SECRET),
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ title: "Weekly report", project_id: "office" }),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => null);
  const result = await answer?.json().catch(() => null);
  // Nothing was sent to the app, say because no account is connected yet.
  if (answer?.status === 400 && result) throw new Refusal(409, result.error);
  if (!answer?.ok || !result?.network_code.startsWith("2")) throw new Refusal(502, "The report could not be sent.");
  return json({ ticket: result.output });
}

/** The cookie by which the session is known: the user's id, and a signature of it that only this backend can make. */
function sessionCookie(userId, more = "") {
  const value = Buffer.from(userId).toString("base64url");
  return `session=${value}.${sign(value, SESSION_KEY)}; Path=/; HttpOnly; SameSite=Lax${more}`; // with TLS also: Secure
}

/** The id of the user who is signed in, from the session that your own login has made. */
function signedInUser(request) {
  const [, value, signature] = /(?:^|; )session=([\w-]+)\.([0-9a-f]{64})(?:;|$)/.exec(request.headers.cookie) ?? [];
  if (!value || !timingSafeEqual(Buffer.from(signature), Buffer.from(sign(value, SESSION_KEY)))) {
    throw new Refusal(401, "Sign in first.");
  }
  return Buffer.from(value, "base64url").toString();
}

/** Whether a page of this backend sent the request, as the browser says. */
function fromOwnPage({ headers }) {
  if ("sec-fetch-site" in headers) return headers["sec-fetch-site"] === "same-origin";
  return /^https?:\/\/(.+)$/.exec(headers.origin)?.[1] === headers.host && headers.host !== undefined; // an older browser
}

/** The text that a request holds. */
function bodyOf(request) {
  if (!(Number(request.headers["content-length"]) <= LARGEST_BODY)) {
    throw new Refusal(413, "This request is too large, or doesn't say how large it is.");
  }
  return text(request);
}

async function answerTo(request) {
  // Changes that another site's page asks for in the user's name are refused.
  if (!["GET", "HEAD"].includes(request.method) && !fromOwnPage(request)) {
    throw new Refusal(403, "This request comes from another site.");
  }
  const name = `${request.method} ${request.url.split("?")[0]}`;
  if (!Object.hasOwn(ROUTES, name)) throw new Refusal(404, "There is nothing here.");
  return ROUTES[name](request);
}

const server = createServer(async (request, response) => {
  try {
    const { body, type, headers } = await answerTo(request);
    response.writeHead(200, { "Content-Type": type, ...headers }).end(body);
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const { status, message } = error instanceof Refusal ? error : new Refusal(500, "Something went wrong.");
    const { body, type } = json({ detail: message });
    response.writeHead(status, { "Content-Type": type, Connection: "close" }).end(body);
  }
});
server.listen(Number(PORT ?? 9000), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
