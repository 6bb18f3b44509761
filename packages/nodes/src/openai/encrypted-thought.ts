import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';

/** Whether a value is what a model of the Responses API thought, in the form in which it can be sent back to it. */
export function isEncryptedThought(value: JsonValue): value is JsonObject {
  return isMapping(value) && value['type'] === 'reasoning' && typeof value['encrypted_content'] === 'string';
}
