/** What a store of runs needs that keeps records as the file of a run does: how they are written as texts, and read again. */
export { joinFingerprintInputs } from './node/fingerprint-inputs.ts';
export { type Payload, PayloadReader, parsePayload } from './record/decode-record.ts';
export { type EncodedRecord, encodeNode, encodeRow } from './record/encode-record.ts';
export { KnownValues } from './record/known-values.ts';
export { nodeRun, nodeSummary, readEnd, rowHead, rowRun } from './record/read-columns.ts';
export { recordDigest } from './record/record-digest.ts';
export { type NodeDigests, readRowDigests, stringifyNodeDigests, stringifyRowDigests } from './record/row-digests.ts';
export { copyIntoRunFile, type RunFileCopy } from './record/run-file-copy.ts';
export { statuses, statusNumber, statusOf } from './record/status-number.ts';
export { parseOwnJson, stringifyJson } from './value/json.ts';
