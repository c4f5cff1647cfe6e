"""ServiceJS: the browser SDK's Python, run in a Pyodide worker."""
