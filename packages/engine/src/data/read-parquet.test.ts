import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringifyJson } from '../value/json.ts';
import { openData } from './open-data.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-parquet-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Two rows written by pyarrow 26: decimals of 38 digits, of 5, and of 9 with two behind the point. */
const decimals =
  'UEFSMRUAFUwVTCwVBBUAFQYVBhwAAAACAAAABAEAAAAAAAAAAKtUqYzrHwrS//////////9Uq1ZzFOD1LhUAFRIVEiwVBBUAFQYVBhwAAAACAA' +
  'AAAwEAAAcVABUcFRwsFQQVABUGFQYcAAAAAgAAAAQBAAAAbv////sVBBlMNQAYBnNjaGVtYRUGABUOFSAVAhgCaWQlChUAFUwsXBUAFUwAAAAV' +
  'DhUGFQIYAW4lChUAFQosXBUAFQoAAAAVDhUIFQIYBXByaWNlJQoVBBUSLFwVBBUSAAAAFgQZHBk8JgAcFQ4ZJQYAGRgCaWQVABYEFnIWciYISR' +
  'wVABUAFQIAPCkGGSYABAAAACYAHBUOGSUGABkYAW4VABYEFjgWOCZ6SRwVABUAFQIAPCkGGSYCAgAAACYAHBUOGSUGABkYBXByaWNlFQAWBBZC' +
  'FkImsgFJHBUAFQAVAgA8KQYZJgAEAAAAFuwBFgQmCBbsAQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjUuMC4xGTwcAAAcAAAcAAAAIQ' +
  'EAAFBBUjE=';

/** Written by pyarrow 26: a list of structs with a double, a time stamp without a zone, one in UTC, a time of day. */
const nestedAndTimes =
  'UEFSMRUAFSwVLCwVBBUAFQYVBhwAAAACAAAABAAEAAAAAwQAAAAAAAAAAPA/FQAVLBUsLBUEFQAVBhUGHAAAAAIAAAAEAebVTcDtDQYAAKAo4uv/' +
  '//8VABUcFRwsFQQVABUGFQYcAAAAAgAAAAMBiNggyIwBAAAVABUsFSwsFQQVABUGFQYcAAAAAgAAAAQBwHjo3QAAAAAFAAAAAAAAABUEGYw1ABgG' +
  'c2NoZW1hFQgANQIYAW4VAhUGTDwAAAA1BBgEbGlzdBUCADUCGAdlbGVtZW50FQIAFQolAhgBeAAVBCUCGAJhdCUUTIwSHCwAAAAAABUEJQIYA3V0' +
  'YyUSTIwRHBwAAAAAABUEJQIYA2RheWx8EhwsAAAAAAAWBBkcGUwmABwVChklBgAZSAFuBGxpc3QHZWxlbWVudAF4FQAWBBZSFlImCEkcFQAVABUC' +
  'ADwpJgQAGVYCAAAAAgAAACYAHBUEGSUGABkYAmF0FQAWBBZSFlImWkkcFQAVABUCADwpBhkmAAQAAAAmABwVBBklBgAZGAN1dGMVABYEFkIWQias' +
  'AUkcFQAVABUCADwpBhkmAgIAAAAmABwVBBklBgAZGANkYXkVABYEFlIWUibuAUkcFQAVABUCADwpBhkmAAQAAAAWuAIWBCYIFrgCACggcGFycXVl' +
  'dC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZTBwAABwAABwAABwAAACBAQAAUEFSMQ==';

async function rowsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const path = join(folder, 'd.parquet');
  writeFileSync(path, bytes);
  const opened = await openData(path);
  if (!opened.ok) throw new Error(opened.message);
  const rows = await Array.fromAsync(opened.data.rows());
  return rows.map((row) => ('values' in row ? stringifyJson(row.values) : row.problem));
}

test('a decimal without digits behind the point keeps all of them: databases write keys so', async () => {
  expect(await rowsOf(Buffer.from(decimals, 'base64'))).toEqual([
    '{"id":12345678901234567890,"n":7,"price":1.1}',
    '{"id":-12345678901234567890,"n":null,"price":-0.05}',
  ]);
});

test('numbers in a column of JSON stay what they are, and a text that is no JSON stays one', async () => {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const data = [{ id: rawJSON('12345678901234567890'), part: rawJSON('1.0') }, 'half', null];
  const written = parquetWriteBuffer({ columnData: [{ name: 'j', data, type: 'JSON' }], codec: 'UNCOMPRESSED' });
  const bytes = Buffer.from(written);
  bytes.write('[half,', bytes.indexOf('"half"'));
  expect(await rowsOf(bytes)).toEqual(['{"j":{"id":12345678901234567890,"part":1.0}}', '{"j":"[half,"}', '{"j":null}']);
});

test('doubles within lists stay floats, and times are the texts that pandas makes of them', async () => {
  expect(await rowsOf(Buffer.from(nestedAndTimes, 'base64'))).toEqual([
    '{"n":[{"x":1.0}],"at":"2024-01-02 03:04:05.000678","utc":"2024-01-02 03:04:05+00:00","day":"01:02:03"}',
    '{"n":null,"at":"1969-12-31 00:00:00","utc":null,"day":"00:00:00.000005"}',
  ]);
});

/** Two rows of forty letters each, written by pyarrow 26. */
const compressed = {
  gzip:
    'UEFSMRUAFbwBFUgsFQQVABUGFQYcAAAAH4sIAAAAAAACA2NiYGBgYdQAkolEApDaJCIBAEYDfHBeAAAAFQQZLDUAGAZzY2hlbWEVAgAVDCUCGAFxJQBM' +
    'HAAAABYEGRwZHCYAHBUMGSUGABkYAXEVBBYEFuQBFnAmCEkcFQAVABUCADwWoAEZBhkmAAQAAAAW5AEWBCYIFnAAKCBwYXJxdWV0LWNwcC1hcnJvdyB2' +
    'ZXJzaW9uIDI2LjAuMRkcHAAAAIUAAABQQVIx',
  brotli:
    'UEFSMRUAFbwBFTQsFQQVABUGFQYcAAAAG10AAAQ8ZGdaUCvpTCyCdHA4lhuIqlj94gAVBBksNQAYBnNjaGVtYRUCABUMJQIYAXElAEwcAAAAFgQZHBkc' +
    'JgAcFQwZJQYAGRgBcRUIFgQW5AEWXCYISRwVABUAFQIAPBagARkGGSYABAAAABbkARYEJggWXAAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYu' +
    'MC4xGRwcAAAAhQAAAFBBUjE=',
  zstd:
    'UEFSMRUAFbwBFUIsFQQVABUGFQYcAAAAKLUv/SBexQAAgAIAAAAEASgAAABhKAAAAGICAECplcALFQQZLDUAGAZzY2hlbWEVAgAVDCUCGAFxJQBMHAAA' +
    'ABYEGRwZHCYAHBUMGSUGABkYAXEVDBYEFuQBFmomCEkcFQAVABUCADwWoAEZBhkmAAQAAAAW5AEWBCYIFmoAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJz' +
    'aW9uIDI2LjAuMRkcHAAAAIUAAABQQVIx',
  lz4:
    'UEFSMRUAFbwBFTosFQQVABUGFQYcAAAAvwIAAAAEASgAAABhAQAUACwAH2IBAA9QYmJiYmIVBBksNQAYBnNjaGVtYRUCABUMJQIYAXElAEwcAAAAFgQZ' +
    'HBkcJgAcFQwZJQYAGRgBcRUOFgQW5AEWYiYISRwVABUAFQIAPBagARkGGSYABAAAABbkARYEJggWYgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24g' +
    'MjYuMC4xGRwcAAAAhQAAAFBBUjE=',
};

test.for(['gzip', 'brotli', 'zstd'] as const)('a file that is compressed with %s', async (codec) => {
  const rows = ['a', 'b'].map((letter) => `{"q":"${letter.repeat(40)}"}`);
  expect(await rowsOf(Buffer.from(compressed[codec], 'base64'))).toEqual(rows);
});

test('one that is compressed otherwise is refused before anything runs', async () => {
  await expect(rowsOf(Buffer.from(compressed.lz4, 'base64'))).rejects.toThrow(
    'd.parquet is compressed with LZ4_RAW, which is not read: write it with Snappy, gzip, Brotli or Zstandard',
  );
});
