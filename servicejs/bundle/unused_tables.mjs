// Finds the tables in Pyodide's memory that the SDK never reads: the characters of East Asian encodings, which our
// archive leaves out; those of the C library's iconv, which nothing calls; and the names of characters. Together they
// are an eighth of what a browser would have to fetch.

const INDEX = 256; // entries in a character table's index; each is an address and the first and last column
const ENTRY = 8; // bytes
const NAMED = 30_000; // at least this many characters have a name; they are in one array, each once
const NAMES = 1 << 18; // at most this many bytes before it hold the rest of the names
const ICONV = 1 << 17; // bytes of the C library's tables, at most

const CODECS = `
import _codecs_cn, _codecs_hk, _codecs_jp, _codecs_kr, _codecs_tw
[id(value) for module in (_codecs_cn, _codecs_hk, _codecs_jp, _codecs_kr, _codecs_tw)
 for name, value in vars(module).items() if name.startswith("__map_") and name != "__map_jisx0213_pair"]
`;
const ROWS = `
def row(encoding, lead, columns):
    return "".join(bytes([lead, column]).decode(encoding) for column in columns).encode("utf-16-le")
[row("gb18030", 0xB0, range(0xA1, 0xFB)), row("big5", 0xA4, range(0x40, 0x7F)), row("euc_kr", 0xB0, range(0xA1, 0xFF))]
`;

/**
 * Return the tables as `[start, end]`, addresses that are the same wherever this version of Pyodide runs.
 *
 * `pyodide` has its whole standard library. Throws if a table is not as this code expects it.
 */
export function unusedTables(pyodide) {
  const { HEAPU8, HEAPU32 } = pyodide._module;
  const memory = Buffer.from(HEAPU8.buffer);
  return [...codecTables(pyodide, HEAPU8, HEAPU32), nameTables(memory), iconvTables(pyodide, memory)];
}

/** Follow each codec's own description of its tables. */
function codecTables(pyodide, bytes, words) {
  const found = [];
  for (const capsule of pyodide.runPython(CODECS).toJs()) {
    const description = words[capsule / 4 + 2];
    for (const index of words.subarray(description / 4 + 1, description / 4 + 3)) {
      if (!index) continue;
      found.push([index, index + INDEX * ENTRY]);
      for (let entry = index; entry < index + INDEX * ENTRY; entry += ENTRY) {
        const [row, first, last] = [words[entry / 4], bytes[entry + 4], bytes[entry + 5]];
        if (row) found.push([row, row + 2 * (last - first + 1)]);
      }
    }
  }
  return found;
}

/** Find the array of all characters that have a name, and what comes before it: its index, and the names. */
function nameTables(memory) {
  const words = new Uint32Array(memory.buffer, 0, (1 << 23) / 4);
  let start = 0;
  let seen = new Set();
  for (let at = 0; at < words.length; at++) {
    if (words[at] && words[at] < 0x110000 && !seen.has(words[at])) {
      seen.add(words[at]);
      continue;
    }
    if (seen.size >= NAMED) {
      // For characters without a name, the index points to the array's end.
      const none = Buffer.alloc(16, Buffer.from(Uint16Array.of(seen.size).buffer));
      const index = memory.indexOf(none, start * 4 - NAMES);
      if (index < 0 || index > start * 4) throw new Error("The index of characters' names is not before them.");
      return [index, at * 4];
    }
    [start, seen] = [at + 1, new Set()];
  }
  throw new Error("The names of characters are not where they were.");
}

/** Find the C library's tables between the names of its encodings and the last of them. */
function iconvTables(pyodide, memory) {
  const start = memory.indexOf("utf8\0char\0");
  const rows = pyodide.runPython(ROWS).toJs().map((row) => memory.indexOf(row, start));
  const [chinese, , korean] = rows;
  const isOne = start > 0 && rows.every((row) => row > start && row < start + ICONV) && chinese < korean;
  if (!isOne) throw new Error("The tables of iconv are not where they were.");
  return [start, korean];
}
