import { isPlainObject, type JsonObject, type JsonValue } from '@unroll/engine';

/** Characters of all texts of an example together. Reports show a line of it, and a picture has millions. */
const mostCharacters = 10_000;
/** Members of one list or mapping. */
const mostMembers = 1000;

/**
 * What is kept of a value for an example of a row that fails: the whole of most values; texts are cut where there are too many
 * characters of them, with the number of them behind, and long lists end with a text that tells how many members follow.
 */
export function exampleValue(value: JsonValue): JsonValue {
  return new Shortening().shortened(value);
}

class Shortening {
  private left = mostCharacters;

  shortened(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.list(value);
    return isPlainObject(value) ? this.mapping(value as JsonObject) : value;
  }

  private text(text: string): string {
    const room = Math.max(this.left, 0);
    this.left -= text.length;
    if (text.length <= room) return text;
    return `${ownCopy(text.slice(0, room).replace(/[\uD800-\uDBFF]$/, ''))}… (${text.length} characters)`;
  }

  private list(members: readonly JsonValue[]): JsonValue {
    const shown = members.slice(0, mostMembers).map((member) => this.shortened(member));
    return members.length > shown.length ? [...shown, moreText(members.length - shown.length)] : shown;
  }

  private mapping(members: JsonObject): JsonObject {
    const entries = Object.entries(members);
    const shown = entries
      .slice(0, mostMembers)
      .map(([key, member]) => [this.text(key), this.shortened(member)] as const);
    const more = entries.length > shown.length ? [['…', moreText(entries.length - shown.length)] as const] : [];
    return Object.fromEntries([...shown, ...more]);
  }
}

function moreText(count: number): string {
  return `… ${count} more`;
}

/** A part of a text keeps all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
