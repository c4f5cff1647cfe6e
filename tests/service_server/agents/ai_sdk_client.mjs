// The MCP client of the AI SDK against `/mcp`: makes tools of what is offered, and executes some as a model would.
import { createMCPClient } from "@ai-sdk/mcp";

const { url, headers, calls } = JSON.parse(process.argv[2]);
const client = await createMCPClient({ transport: { type: "http", url, headers } });
const tools = await client.tools();
const results = [];
for (const { name, arguments: given } of calls) {
  results.push(await tools[name].execute(given, { toolCallId: "1", messages: [] }));
}
const resources = (await client.listResources()).resources.map(({ uri }) => uri);
console.log(JSON.stringify({ tools: Object.keys(tools), results, resources, asked: [] }));
await client.close();
