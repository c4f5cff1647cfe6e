// Runs a Python file in Pyodide under Node: node run_scenario.mjs PACKAGES.zip SCENARIO.py BASE_URL
// The packages are unpacked onto Python's path; the scenario's `main(base_url)` returns the text to print.
import { readFile } from "node:fs/promises";
import { loadPyodide } from "pyodide";

const [packages, scenario, baseUrl] = process.argv.slice(2);

try {
  const pyodide = await loadPyodide();
  pyodide.unpackArchive(new Uint8Array(await readFile(packages)), "zip", { extractDir: "/packages" });
  pyodide.runPython("import sys; sys.path.insert(0, '/packages')");
  pyodide.globals.set("base_url", baseUrl);
  await pyodide.runPythonAsync(await readFile(scenario, "utf8"));
  pyodide.runPython("try_to_block(base_url)"); // as a page may that awaits nothing
  console.log(await pyodide.runPythonAsync("await main(base_url)"));
  process.exit(0);
} catch (error) {
  // The error alone: Node would print a whole line of Pyodide's minified source with it.
  console.error(String(error?.message ?? error));
  process.exit(1);
}
