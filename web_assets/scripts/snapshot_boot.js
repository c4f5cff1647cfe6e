// Starts Python from the memory snapshot, without running any of its own start. What is used here of Pyodide is not
// public, so its version is pinned, and every way to start is tested.

import { withResolvers } from "./with_resolvers.js";

const HOME = "/home/pyodide";
const ENVIRONMENT = { IN_BROWSER: true, IN_BROWSER_WEB_WORKER: true };
const PAGE = 65536; // bytes, of WebAssembly's memory

/**
 * Return Pyodide's API, running. `createRuntime` is Pyodide's glue, `module` (a promise) its WebAssembly, whole or
 * without its data, and `opening` (a promise) the snapshot.
 */
export async function bootFromSnapshot(createRuntime, module, opening) {
  const api = { config: { jsglobals: self, env: {}, args: [], packages: [] }, runtimeEnv: ENVIRONMENT };
  const failed = withResolvers();
  const starting = createRuntime({
    API: api,
    isRestored: true, // so that nothing of Python's own start is run
    noInitialRun: true,
    noImageDecoding: true,
    noAudioDecoding: true,
    thisProgram: "servicejs",
    arguments: [],
    preRun: [({ FS }) => (FS.mkdirTree(HOME), FS.chdir(HOME))],
    print: (text) => console.log(text),
    printErr: (text) => console.warn(text),
    locateFile: (name) => name,
    instantiateWasm(imports, receive) {
      instantiate(imports, module, opening).then((made) => receive(made.instance, made.module)).catch(failed.reject);
      return {};
    },
  });
  const [runtime, snapshot] = await Promise.race([Promise.all([starting, opening]), failed.promise]);
  makeReferenceTables(runtime);
  // Whether WebAssembly itself can call functions with too few arguments depends on the browser, not on the snapshot.
  const trampoline = runtime.HEAP32[trampolineAddress(runtime)];
  await snapshot.restore(runtime.HEAPU8);
  runtime.HEAP32[trampolineAddress(runtime)] = trampoline;
  return api.finalizeBootstrap(snapshot.header.state);
}

async function instantiate(imports, module, opening) {
  const error = Symbol("error");
  imports.env.Jsv_GetError_import = () => error;
  imports.env.JsvError_Check = (value) => value === error;
  const compiled = await module;
  const instance = await WebAssembly.instantiate(compiled, imports);
  // The glue makes its views of the memory when it receives the instance, so the memory is as large as it must be now.
  const { memory } = instance.exports;
  const missing = (await opening).header.memory - memory.buffer.byteLength;
  if (missing > 0) memory.grow(missing / PAGE);
  return { instance, module: compiled };
}

/** Do what of the initialisers' work is not in the memory: begin the tables of references to JavaScript's objects. */
function makeReferenceTables(runtime) {
  runtime.__hiwire_immortal_add(null);
  runtime.__hiwire_immortal_add(new Map());
  runtime.__hiwire_immortal_table_init();
}

function trampolineAddress(runtime) {
  const offset = runtime.HEAP32[runtime.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4];
  return (runtime.__PyRuntime + offset) / 4;
}
