// Drives Firefox over WebDriver BiDi: node drive_firefox.mjs PROGRAM PROFILE
//
// Reads one command a line, `{"open": URL}`, `{"evaluate": EXPRESSION}`, `{"evaluateInWindow": EXPRESSION}` (in the window
// that was opened last), `{"type": TEXT}` (keys that are pressed, special ones as WebDriver has them) or `{"requests": null}` (the addresses of all requests so far), and answers each with one line, `{"value": …}` or `{"error": …}`. The value of an expression is
// awaited and must be JSON.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";

const [program, profile] = process.argv.slice(2);
const options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
const firefox = spawn(program, options, { stdio: ["ignore", "ignore", "pipe"], detached: true });
process.on("exit", () => process.kill(-firefox.pid, "SIGKILL")); // with all of its processes
process.on("SIGTERM", () => process.exit());

const address = await new Promise((resolve, reject) => {
  createInterface({ input: firefox.stderr }).on("line", (line) => {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line);
    if (found) resolve(found[1]);
  });
  firefox.on("exit", (status) => reject(new Error(`Firefox ended with ${status}.`)));
});
const socket = new WebSocket(`${address}/session`);
await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
const waiting = new Map();
const requests = [];
let sent = 0;
socket.on("message", (text) => {
  const message = JSON.parse(text);
  if (message.method === "network.beforeRequestSent") requests.push(message.params.request.url);
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});

async function send(method, params) {
  const id = ++sent;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
  });
  if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
  return answer.result;
}

await send("session.new", { capabilities: {} });
await send("session.subscribe", { events: ["network.beforeRequestSent"] });
const context = (await send("browsingContext.getTree", {})).contexts[0].context;

async function evaluate(expression, target = { context }) {
  // What a page gives is carried as JSON, so that there is one way to write values down.
  const asked = { expression: `(async () => JSON.stringify(await (${expression})) ?? "null")()`, awaitPromise: true };
  const answer = await send("script.evaluate", { ...asked, target, userActivation: true });
  if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
  return JSON.parse(answer.result.value);
}

const commands = {
  open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }).then(() => null),
  evaluate: (expression) => evaluate(expression),
  evaluateInWindow: async (expression) => {
    const { contexts } = await send("browsingContext.getTree", {});
    if (contexts.length < 2) throw new Error("No window was opened.");
    return evaluate(expression, { context: contexts.at(-1).context });
  },
  type: async (text) => {
    const keys = [...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await send("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions: keys }] });
    return null;
  },
  requests: () => requests,
};

for await (const line of createInterface({ input: process.stdin })) {
  const [[name, value]] = Object.entries(JSON.parse(line));
  try {
    console.log(JSON.stringify({ value: await commands[name](value) }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
}
process.exit(0);
