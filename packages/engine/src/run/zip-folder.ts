import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { createFlowFiles } from './flow-files.ts';

interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: Buffer;
}

/** 1 January 1980, the first day the format knows: the same folder always gives the same archive. */
const firstDay = 0x21;
const utf8Names = 0x0800;
const deflated = 8;

/** A folder as a zip archive, its files below the folder's own name. PKWARE's APPNOTE.TXT 6.3.3, without zip64. */
export function zipFolder(folder: string): Buffer {
  const entries = createFlowFiles(folder, folder)
    .list()
    .map((way) => entryOf(`${basename(folder)}/${way}`, readFileSync(join(folder, way))));
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const local = Buffer.concat([localHeader(entry), entry.name, entry.packed]);
    directory.push(directoryHeader(entry, offset), entry.name);
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...locals, listed, endOf(entries.length, listed.length, offset)]);
}

function entryOf(name: string, content: Buffer): Entry {
  return { name: Buffer.from(name), crc: crc32(content), size: content.length, packed: deflateRawSync(content) };
}

/** The 26 bytes that stand alike in the header of a file and in its entry of the directory. */
function shared({ name, crc, size, packed }: Entry): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(utf8Names, 2);
  bytes.writeUInt16LE(deflated, 4);
  bytes.writeUInt16LE(firstDay, 8);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(packed.length, 14);
  bytes.writeUInt32LE(size, 18);
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

function localHeader(entry: Entry): Buffer {
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared(entry)]);
}

function directoryHeader(entry: Entry, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared(entry), rest]);
}

function endOf(count: number, length: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.write('PK\x05\x06', 'latin1');
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(length, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}
