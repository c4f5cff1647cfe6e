// Writes FILE.br and FILE.gz beside every file of a folder that is not an archive and does not have both yet:
// node compress_files.mjs FOLDER [QUALITY]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const QUALITY = Number(process.argv[3] ?? 9); // of brotli: 11, for releases, takes ten times as long for a seventh less

async function compress(file) {
  const bytes = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: 24,
  };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipped);
}

const names = readdirSync(process.argv[2]);
const isArchive = (name) => /\.(whl|tgz|br|gz)$/.test(name);
const isDone = (name) => names.includes(`${name}.br`) && names.includes(`${name}.gz`);
const missing = names.filter((name) => !isArchive(name) && !isDone(name));
await Promise.all(missing.map((name) => compress(join(process.argv[2], name))));
