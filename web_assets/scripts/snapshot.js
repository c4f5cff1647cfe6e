// The memory that Python starts from, filled as the file comes in. The file is a length, a header in JSON, and the
// parts of the memory that are not zero, in the order of their addresses.

const LENGTH = 4; // bytes
const PAGE = 65536; // bytes, of WebAssembly's memory
const BUFFER = 1 << 18; // bytes

/**
 * Return `{memory, state, isUsed}`: the memory as it was, what Pyodide has to know about JavaScript's objects in it,
 * and whether something has run on it since.
 *
 * `answer` (a promise) is the response with the file, `build` what it must have been made for, and `progress` is called
 * for each part that comes.
 */
export async function readSnapshot(answer, build, progress) {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} could not be fetched: HTTP ${response.status}`);
  const chunks = readChunks(response.body, progress);
  const { header, rest } = await readHeader(chunks);
  if (header.build !== build) throw new Error("The memory snapshot is of another build.");
  const memory = new WebAssembly.Memory({ initial: header.memory / PAGE, maximum: Number(MOST_PAGES) });
  const bytes = new Uint8Array(memory.buffer);
  let chunk = rest;
  for (let index = 0; index < header.runs.length; index += 2) {
    let address = header.runs[index];
    for (const end = address + header.runs[index + 1]; address < end; ) {
      if (!chunk.length) chunk = await chunks();
      const part = chunk.subarray(0, end - address);
      bytes.set(part, address);
      address += part.length;
      chunk = chunk.subarray(part.length);
    }
  }
  return { memory, state: header.state, isUsed: false };
}

/** Return a function that gives the next chunk; a chunk is valid until the function is called again. */
function readChunks(body, progress) {
  let buffer = new ArrayBuffer(BUFFER);
  let reader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    reader = body.getReader(); // older browsers
  }
  const isReused = typeof ReadableStreamBYOBReader !== "undefined" && reader instanceof ReadableStreamBYOBReader;
  return async () => {
    const { done, value } = await (isReused ? reader.read(new Uint8Array(buffer)) : reader.read());
    if (done) throw new Error("The memory snapshot is cut short.");
    buffer = value.buffer;
    progress();
    return value;
  };
}

async function readHeader(chunks) {
  let read = new Uint8Array();
  const more = async (length) => {
    while (read.length < length) {
      const chunk = await chunks();
      const joined = new Uint8Array(read.length + chunk.length);
      joined.set(read);
      joined.set(chunk, read.length);
      read = joined;
    }
  };
  await more(LENGTH);
  const end = LENGTH + new DataView(read.buffer).getUint32(0, true);
  await more(end);
  return { header: JSON.parse(new TextDecoder().decode(read.subarray(LENGTH, end))), rest: read.subarray(end) };
}
