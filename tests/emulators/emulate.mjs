// Runs emulators of npm's `emulate`, each on a port of its own of 127.0.0.1, and prints their addresses as JSON.
// The one argument is JSON: {"github": {"port": 4001, "seed": {…}}, …}.

import { createServer } from "node:http";
import { createEmulator } from "emulate";

const HOST = "127.0.0.1";

// Slack takes what its reading methods need in the query of a GET as well; the emulator knows only POST with a form.
function alsoByGet(port, emulator) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, emulator);
    const chunks = await Array.fromAsync(request);
    const byGet = request.method === "GET" && pathname.startsWith("/api/");
    const { host, connection, "content-length": length, ...headers } = request.headers;
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
  if (behind) await alsoByGet(port, `http://${HOST}:${behind}`);
  urls[service] = url;
}
console.log(JSON.stringify(urls));
