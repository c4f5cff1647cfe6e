// Runs emulators of npm's `emulate`, each on a port of its own of 127.0.0.1, and prints their addresses as JSON.
// The one argument is JSON: {"github": {"port": 4001, "seed": {…}}, …}.

import { createServer } from "node:http";
import { createEmulator } from "emulate";

const HOST = "127.0.0.1";

// Google takes a message and what it belongs to as two parts of one body; the emulator knows only JSON.
function inJson(type, body) {
  const boundary = /^multipart\/related; boundary=(\w+)$/.exec(type ?? "");
  if (!boundary) return null;
  const [, about, message] = body.toString("latin1").split(`--${boundary[1]}`);
  const content = (part) => part.slice(part.indexOf("\r\n\r\n") + 4, -2);
  return { ...JSON.parse(content(about)), raw: Buffer.from(content(message), "latin1").toString("base64url") };
}

// Slack takes what its reading methods need in the query of a GET as well; the emulator knows only POST with a form.
function asVendorsDo(port, emulator) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, emulator);
    const chunks = await Array.fromAsync(request);
    const byGet = request.method === "GET" && pathname.startsWith("/api/");
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const json = pathname.startsWith("/upload/gmail/") ? inJson(headers["content-type"], Buffer.concat(chunks)) : null;
    if (json) {
      headers["content-type"] = "application/json";
      chunks.splice(0, chunks.length, Buffer.from(JSON.stringify(json)));
    }
    const answer = await fetch(emulator + (byGet ? pathname : request.url), {
      method: byGet ? "POST" : request.method,
      headers: byGet ? { ...headers, "content-type": "application/x-www-form-urlencoded" } : headers,
      body: byGet ? searchParams.toString() : chunks.length ? Buffer.concat(chunks) : undefined,
      redirect: "manual",
    });
    const sent = Object.fromEntries(answer.headers);
    delete sent["content-encoding"];
    delete sent["transfer-encoding"];
    response.writeHead(answer.status, sent).end(Buffer.from(await answer.arrayBuffer()));
  });
  return new Promise((resolve) => server.listen(port, HOST, resolve));
}

const urls = {};
for (const [service, { port, seed, behind }] of Object.entries(JSON.parse(process.argv[2]))) {
  const url = `http://${HOST}:${port}`;
  await createEmulator({ service, port: behind ?? port, hostname: HOST, baseUrl: url, seed: { [service]: seed } });
  if (behind) await asVendorsDo(port, `http://${HOST}:${behind}`);
  urls[service] = url;
}
console.log(JSON.stringify(urls));
