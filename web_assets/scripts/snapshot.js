// The memory that Python starts from, as it comes in. The file is a length, a header in JSON, and the parts of the
// memory that are not zero, in the order of their addresses.

const LENGTH = 4; // bytes

export class Snapshot {
  #reader;
  #early = []; // chunks before the header is whole
  #payload;
  #received = 0; // bytes of the payload

  /** Begin to read; `build` is what the snapshot must have been made for. */
  static async open(response, build) {
    const answer = await response;
    if (!answer.ok) throw new Error(`${answer.url} could not be fetched: HTTP ${answer.status}`);
    const snapshot = new Snapshot(answer.body.getReader());
    await snapshot.#readHeader(build);
    return snapshot;
  }

  constructor(reader) {
    this.#reader = reader;
  }

  /** Make the memory what it was, piece by piece as they come. */
  async restore(memory) {
    const { runs } = this.header;
    let from = 0;
    let written = 0; // the end of what is right in the memory
    for (let index = 0; index < runs.length; index += 2) {
      memory.fill(0, written, runs[index]);
      written = runs[index];
      for (const end = written + runs[index + 1]; written < end; ) {
        await this.#fill(from + 1);
        const size = Math.min(end - written, this.#received - from);
        memory.set(this.#payload.subarray(from, from + size), written);
        written += size;
        from += size;
      }
    }
  }

  async #readHeader(build) {
    let size = 0;
    let length = LENGTH;
    while (size < length) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("The memory snapshot is cut short.");
      this.#early.push(value);
      size += value.length;
      if (length === LENGTH && size >= LENGTH) length += new DataView(join(this.#early, LENGTH).buffer).getUint32(0, true);
    }
    this.header = JSON.parse(new TextDecoder().decode(join(this.#early, length).subarray(LENGTH)));
    if (this.header.build !== build) throw new Error("The memory snapshot is of another build.");
    this.#payload = new Uint8Array(this.header.runs.reduce((sum, number, index) => sum + (index % 2 ? number : 0), 0));
    this.#add(join(this.#early, size).subarray(length));
    this.#early = null;
  }

  async #fill(count) {
    while (this.#received < count) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("The memory snapshot is cut short.");
      this.#add(value);
    }
  }

  #add(chunk) {
    this.#payload.set(chunk, this.#received);
    this.#received += chunk.length;
  }
}

function join(chunks, length) {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk.subarray(0, length - at), at);
    at += chunk.length;
    if (at >= length) break;
  }
  return joined;
}
