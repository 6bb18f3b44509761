/**
 * Records of nodes as PostgreSQL's binary forms one behind the other: of a million records, to read columns as texts would
 * take longer than all the rest. Absent times are NaN, absent counts -1.
 */
export const packedNodeSql = `int4send(line) || int4send(repeat) || int4send(node) || int4send(status)
  || float8send(coalesce(started_at, 'NaN')) || float8send(coalesce(duration_ms, 'NaN'))
  || int8send(coalesce(prompt_tokens, -1)) || int8send(coalesce(completion_tokens, -1))
  || int8send(segment) || int4send(start) || int4send(size)`;

/** Bytes of one record. */
export const packedNodeSize = 64;

export interface PackedNode {
  readonly line: number;
  readonly repeat: number;
  readonly node: number;
  readonly status: number;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly segment: number;
  readonly start: number;
  readonly size: number;
}

/** @param at first byte of the record */
export function unpackNode(bytes: Buffer, at: number): PackedNode {
  return {
    line: bytes.readInt32BE(at),
    repeat: bytes.readInt32BE(at + 4),
    node: bytes.readInt32BE(at + 8),
    status: bytes.readInt32BE(at + 12),
    startedAt: orNull(bytes.readDoubleBE(at + 16)),
    durationMs: orNull(bytes.readDoubleBE(at + 24)),
    promptTokens: orAbsent(readInt64(bytes, at + 32)),
    completionTokens: orAbsent(readInt64(bytes, at + 40)),
    segment: readInt64(bytes, at + 48),
    start: bytes.readInt32BE(at + 56),
    size: bytes.readInt32BE(at + 60),
  };
}

function orNull(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}

function orAbsent(count: number): number | null {
  return count === -1 ? null : count;
}

/** Numbers of ours are below 2^53. */
function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}
