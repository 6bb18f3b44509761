/**
 * What code of flows needs of the engine, through the functions it imports (`@unroll/nodes/functions`, `/lookup`): without
 * the rest, and the libraries that reads flows with, each start of such code is a quarter of a second shorter.
 */
export { filesBelow } from './data/files-below.ts';
export { addUsage } from './node/add-usage.ts';
export { connectionIdentity } from './node/connection-identity.ts';
export { PrepareError } from './node/node-type.ts';
export { partOf } from './record/fingerprint.ts';
export { makeFolder } from './record/make-folder.ts';
export { sqliteReason } from './record/run-file-error.ts';
export { textHash } from './record/value-hash.ts';
export { shownPath } from './run/shown-path.ts';
export { traceHeaders } from './run/trace-scope.ts';
export { cutBetweenWords } from './secrets/cut-between-words.ts';
export { cutText, endOfText } from './secrets/cut-text.ts';
export { didYouMean, nearestName } from './source/nearest-name.ts';
export { wayIntoFolder } from './source/outside-folder.ts';
export { shellWord } from './source/shell-word.ts';
export { placeOf } from './source/source-file.ts';
export { DepthError, depthMessage, isTooDeep, MAX_DEPTH } from './value/depth.ts';
export { Float } from './value/float.ts';
export { jsonIn, jsonOrText, parseJson, parseOwnJson, stringifyJson, textOrJson } from './value/json.ts';
export { isPlainObject } from './value/plain-object.ts';
export { pythonJsonError } from './value/python-json-error.ts';
export { pythonRepr } from './value/python-text.ts';
export { isMapping } from './value/shapes.ts';
