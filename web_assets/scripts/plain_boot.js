// Starts Python with Pyodide's public options only: slower than from a snapshot, and the last resort.

import { loadPyodide } from "pyodide";

/** Return Pyodide's API, running, with the files below the address `files`. */
export function bootPlainly(files) {
  return loadPyodide({
    indexURL: files,
    packageBaseUrl: files,
    stdLibURL: files + PYTHON_FILE,
    lockFileContents: LOCK_FILE,
  });
}
