import { Image, imageValue, isPlainObject, type JsonObject, type JsonValue, PythonDate } from '@unroll/engine';
import { originalOf } from './originals.ts';
import {
  type HandleOwner,
  type KeptObject,
  PackedObject,
  PromptText,
  PythonHandle,
  TextPieces,
} from './python-handle.ts';

/**
 * Replaces handles by what the worker reads as one, anywhere in a value; the same value when there are none.
 *
 * @param at the worker that gets the value: it is given its own objects in the place of their copies
 */
export function withHandleMarks(
  value: JsonValue,
  mark: string,
  owners: Set<HandleOwner>,
  at?: HandleOwner,
  several: Several = none,
): JsonValue {
  const current: unknown = value;
  if (typeof current !== 'object' || current === null || current instanceof Number) return value;
  const original = at === undefined ? undefined : originalOf(current);
  if (original !== undefined && original.owner === at) {
    const { id, path } = original;
    return { [mark]: path.length === 0 ? id : { of: id, path } };
  }
  if (current instanceof PythonHandle) {
    owners.add(PythonHandle.ownerOf(current));
    return { [mark]: PythonHandle.idOf(current) };
  }
  const written = writtenWhole(current);
  if (written !== undefined) return { [mark]: written };
  const marked = withMarksInside(current, (item) => withHandleMarks(item, mark, owners, at, several));
  const number = several.get(current);
  return number === undefined ? marked : { [mark]: { same: number, value: marked } };
}

/** Lists and mappings that stand in several places of what a worker is given, with a number: it makes one of each. */
export type Several = ReadonlyMap<object, number>;

const none: Several = new Map();

export function inSeveralPlaces(given: JsonObject): Several {
  const met = new Set<object>();
  const several = new Map<object, number>();
  const meet = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || !isPlain(value)) return;
    if (met.has(value)) {
      // What stands in it is made with it, once.
      if (!several.has(value)) several.set(value, several.size);
      return;
    }
    met.add(value);
    for (const member of Object.values(value)) meet(member);
  };
  meet(given);
  return several;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || isPlainObject(value);
}

function withMarksInside(current: object, marked: (item: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(current)) return current.map(marked);
  const entries = Object.entries(current as JsonObject);
  return Object.fromEntries(entries.map(([key, item]) => [key, marked(item)]));
}

/** What a worker makes an object of that is sent as a whole. */
function writtenWhole(current: object): JsonValue | undefined {
  if (current instanceof Image) return writeImage(current);
  if (current instanceof TextPieces) return { pieces: current.pieces };
  if (current instanceof PromptText) return { prompt: current.text };
  if (current instanceof PackedObject) return { packed: PackedObject.textOf(current) };
  if (current instanceof PythonDate) return { date: PythonDate.isoOf(current) };
  return undefined;
}

function writeImage(image: Image): JsonValue {
  return { image: Image.base64Of(image), mimeType: Image.mimeTypeOf(image), url: Image.sourceUrlOf(image) ?? null };
}

interface WrittenImage {
  readonly image: string;
  readonly mimeType: string;
  readonly url: string | null;
}

/** Puts handles, and images, where the worker wrote their marks. */
export function readHandleMarks(value: JsonValue, mark: string, make: (kept: KeptObject) => PythonHandle): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof Number) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => readHandleMarks(item, mark, make));
  const mapping = value as { readonly [key: string]: JsonValue };
  const kept = mapping[mark] as unknown as KeptObject | WrittenImage | undefined;
  if (kept !== undefined) return 'image' in kept ? readWrittenImage(kept) : (make(kept) as unknown as JsonValue);
  return Object.fromEntries(Object.entries(mapping).map(([key, item]) => [key, readHandleMarks(item, mark, make)]));
}

function readWrittenImage({ image, mimeType, url }: WrittenImage): JsonValue {
  return imageValue(new Image(Buffer.from(image, 'base64'), mimeType, url ?? undefined));
}
