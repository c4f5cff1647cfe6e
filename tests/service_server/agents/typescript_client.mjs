// The official TypeScript client against `/mcp`: lists the tools, makes some calls, and says what the user was asked.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { url, headers, mode, reply, calls } = JSON.parse(process.argv[2]);
const asked = [];
const client = new Client(
  { name: "test", version: "1" },
  { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode } },
);
client.setRequestHandler("elicitation/create", async (request) => {
  asked.push(request.params.message);
  return reply === "accept" ? { action: reply, content: {} } : { action: reply };
});
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const tools = await client.listTools();
const results = [];
for (const call of calls) results.push(await client.callTool(call));
const links = results.flatMap(({ content }) => content).filter(({ type }) => type === "resource_link");
const read = [];
for (const { uri } of links) read.push(...(await client.readResource({ uri })).contents);
const resources = (await client.listResources()).resources.map(({ uri }) => uri);
console.log(JSON.stringify({ read, resources, tools: tools.tools.map((tool) => tool.name), results, asked }));
await client.close();
