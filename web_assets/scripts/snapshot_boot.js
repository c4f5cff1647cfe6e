// Starts Python from the memory snapshot, without running Python's own start. This uses parts of Pyodide that are not
// public, so its version is pinned, and every way to start is tested.

import { withResolvers } from "./with_resolvers.js";

const HOME = "/home/pyodide";
const PAGE = 65536; // bytes, of WebAssembly's memory
const ENVIRONMENT = { IN_BROWSER: true, IN_BROWSER_WEB_WORKER: true };

/**
 * Return Pyodide's API, running. `createRuntime` is Pyodide's glue, `module` (a promise) its WebAssembly, either whole
 * or one that is given its memory, and `reading` (a promise) the snapshot.
 */
export async function bootFromSnapshot(createRuntime, module, reading) {
  const api = { config: { jsglobals: self, env: {}, args: [], packages: [] }, runtimeEnv: ENVIRONMENT };
  const failed = withResolvers();
  const starting = createRuntime({
    API: api,
    isRestored: true, // skips Python's own start
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
      instantiate(imports, module, reading).then((made) => receive(made.instance, made.module)).catch(failed.reject);
      return {};
    },
  });
  const runtime = await Promise.race([starting, failed.promise]);
  makeReferenceTables(runtime);
  return api.finalizeBootstrap((await reading).state);
}

/** Make the instance once its memory is restored; nothing may run on it before that. */
async function instantiate(imports, module, reading) {
  const error = Symbol("error");
  imports.env.Jsv_GetError_import = () => error;
  imports.env.JsvError_Check = (value) => value === error;
  const [compiled, snapshot] = await Promise.all([module, reading]);
  if (snapshot.isUsed) throw new Error("The memory snapshot was used by a start that failed.");
  const { memory } = snapshot;
  imports.env.memory = memory;
  const instance = await WebAssembly.instantiate(compiled, imports);
  const own = instance.exports.memory;
  if (own !== memory) {
    // The whole module insists on a memory of its own.
    const missing = memory.buffer.byteLength - own.buffer.byteLength;
    if (missing > 0) own.grow(missing / PAGE);
    new Uint8Array(own.buffer).set(new Uint8Array(memory.buffer));
  }
  snapshot.isUsed = true;
  return { instance, module: compiled };
}

/** Do the part of the initialisers' work that is not in the memory: begin the tables of JavaScript references. */
function makeReferenceTables(runtime) {
  runtime.__hiwire_immortal_add(null);
  runtime.__hiwire_immortal_add(new Map());
  runtime.__hiwire_immortal_table_init();
}
