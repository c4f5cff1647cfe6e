// Boots Pyodide with nothing but the finished archive and imports the SDK: node check_archive.mjs ARCHIVE
import { loadPyodide } from "pyodide";

try {
  const pyodide = await loadPyodide({ stdLibURL: process.argv[2] });
  pyodide.runPython("import servicejs.page.worker_page, service_client.transports.fetch");
} catch (error) {
  console.error(error.message); // the error itself would print a megabyte of Pyodide's source
  process.exitCode = 1;
}
