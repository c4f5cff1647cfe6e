// Compiles the Python sources in a folder to byte code, in place: node compile_sources.mjs FOLDER
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

try {
  const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
  pyodide.mountNodeFS("/sources", process.argv[2]);
  pyodide.runPython(readFileSync(new URL("compile_sources.py", import.meta.url), "utf8"));
} catch (error) {
  console.error(error.message); // the error itself would print a megabyte of Pyodide's source
  process.exitCode = 1;
}
