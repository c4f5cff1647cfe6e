// Boots Python from the archive, has the SDK prepare itself, and writes out Python's memory:
// node make_snapshot.mjs FOLDER
//
// FOLDER holds runtime.mjs (the lean glue), python.zip (the archive) and snapshot.json: `{build}`. It gets
// snapshot.bin: a length, a header in JSON, and the parts of the memory that are not zero, in the order of addresses.
// The clock stands still, so that the same input makes the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unusedTables } from "./unused_tables.mjs";

const folder = process.argv[2];
const GRANULE = 1024; // bytes; the shortest run of zeros that is left out
const [LARGEST_FREED, SMALLEST_FREED] = [1 << 20, 8]; // bytes
const START = Date.UTC(2026, 0, 1);

Date.now = () => START;
performance.now = () => 0;

function readSnapshot(whole) {
  const [, start, written] = new Uint32Array(whole.buffer, whole.byteOffset, 3);
  const STATE = 48; // where the snapshot's own header keeps what it knows of JavaScript objects
  return { state: JSON.parse(new TextDecoder().decode(whole.subarray(STATE, STATE + written))), memory: whole.subarray(start) };
}

function runs(memory) {
  const found = [];
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, memory.length / 8);
  const WORDS = GRANULE / 8;
  for (let granule = 0; granule < memory.length / GRANULE; granule++) {
    const part = words.subarray(granule * WORDS, (granule + 1) * WORDS);
    if (part.every((word) => word === 0n)) continue;
    const last = found.at(-1);
    if (last && last[0] + last[1] === granule * GRANULE) last[1] += GRANULE;
    else found.push([granule * GRANULE, GRANULE]);
  }
  return found;
}

/** Fill freed memory with zeros: what it held compresses badly, and nobody reads it. */
function clearFreed(module) {
  const end = module._sbrk(0);
  const taken = [];
  for (let size = LARGEST_FREED; size >= SMALLEST_FREED; size = size > 1024 ? size >> 1 : size - 8) {
    for (;;) {
      const block = module._malloc(size);
      taken.push(block);
      if (block + size > end) break; // there is none of this size any more
      module.HEAPU8.fill(0, block, block + size);
    }
  }
  for (const block of taken) module._free(block);
}

try {
  const { loadPyodide } = await import("pyodide");
  const { default: createPyodideModule } = await import(pathToFileURL(join(folder, "runtime.mjs")));
  const { build } = JSON.parse(readFileSync(join(folder, "snapshot.json"), "utf8"));
  const pyodide = await loadPyodide({
    createPyodideModule,
    stdLibURL: join(folder, "python.zip"),
    lockFileContents: JSON.parse(readFileSync(join(folder, "lock.json"), "utf8")),
    packageBaseUrl: folder,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1", _: "servicejs" },
    _sysExecutable: "servicejs",
    _makeSnapshot: true,
  });
  pyodide.runPython("import servicejs.page.snapshot\nservicejs.page.snapshot.prepare()");
  clearFreed(pyodide._module);
  const { state, memory } = readSnapshot(pyodide.makeMemorySnapshot());
  for (const [start, end] of unusedTables(await loadPyodide())) memory.fill(0, start, end);
  // Below the stack pointer are only the remains of calls that are over.
  memory.fill(0, pyodide._module._emscripten_stack_get_end(), pyodide._module.stackSave());
  const kept = runs(memory);
  const payload = kept.map(([start, length]) => memory.subarray(start, start + length));
  const header = { build, state, memory: memory.length, runs: kept.flat() };
  let text = JSON.stringify(header);
  text += " ".repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(text));
  writeFileSync(join(folder, "snapshot.bin"), Buffer.concat([length, Buffer.from(text), ...payload]));
  process.exit(0);
} catch (error) {
  console.error(error.message); // the error itself would print a megabyte of Pyodide's source
  process.exit(1);
}
