import { type JsonObject, type JsonValue, stringifyJson, textOrJson } from '@unroll/engine';
import { type ArgumentPlace, defaultForm, type ParameterForm } from '../../openapi/parameter-form.ts';
import type { ToolOperation } from './tool-definition.ts';
import { queryText, simpleText } from './written-parameter.ts';

type BuiltRequest =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Parts of the path that no argument says. */
      readonly unfilled: readonly string[];
    };

/** What is asked of an operation: each argument in its places, as the document says that it is written there. */
export async function requestOf(operation: ToolOperation, base: string, given: JsonObject): Promise<BuiltRequest> {
  const named = Object.entries(given);
  const at = (place: ArgumentPlace) => named.filter(([name]) => travelsIn(operation, name, place));
  const segments = at('path').map(([name, value]) => [name, value] as const);
  if (!segments.every(([, value]) => textOrJson(value).isWellFormed())) {
    return { ok: false, message: 'an argument of the path holds half a character' };
  }
  const written = segments.map(([name, value]) => {
    return [name, simpleText(name, value, formAt(operation, name, 'path'), encodeURIComponent)] as const;
  });
  if (written.some(leadsAway)) return { ok: false, message: 'an argument of the path is empty, "." or ".."' };
  const filled = written.reduce((path, [name, text]) => path.replaceAll(`{${name}}`, () => text), operation.path);
  const query = at('query').map(([name, value]) => queryText(name, value, formAt(operation, name, 'query')));
  const headers = at('header')
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name.toLowerCase(), headerText(operation, name, value)] as const);
  const unfit = headers.find(([, text]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(text));
  if (unfit !== undefined) {
    return { ok: false, message: `the argument of the header ${unfit[0]} holds characters that no header takes` };
  }
  const body = await bodyOf(operation, Object.fromEntries(at('body')));
  return {
    ok: true,
    url: withQuery(`${base.replace(/\/+$/, '')}${filled}`, query.filter((one) => one !== '').join('&')),
    headers: {
      ...Object.fromEntries(headers),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    },
    ...(body === undefined ? {} : { body: body.text }),
    unfilled: filled.match(/\{[^{}]*\}/g) ?? [],
  };
}

function travelsIn({ places }: ToolOperation, name: string, place: ArgumentPlace): boolean {
  return Object.hasOwn(places, name) && places[name]?.includes(place) === true;
}

function formAt(operation: ToolOperation, name: string, place: ArgumentPlace): ParameterForm {
  return writtenForm(operation, name, place) ?? defaultForm(place);
}

function writtenForm({ forms = {} }: ToolOperation, name: string, place: ArgumentPlace): ParameterForm | undefined {
  return Object.hasOwn(forms, name) ? forms[name]?.[place] : undefined;
}

/** `.` and `..` as a segment of a path would lead to another operation, however they are encoded. */
function leadsAway([, text]: readonly [string, string]): boolean {
  return /^\.{0,2}$/.test(text);
}

/** The path of an operation may hold a query of its own. */
function withQuery(address: string, query: string): string {
  if (query === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** A line break in a value would end the header. */
function headerText(operation: ToolOperation, name: string, value: JsonValue): string {
  const text = simpleText(name, value, formAt(operation, name, 'header'), (one) => one);
  return text.replaceAll(/[\r\n\0]+/g, ' ');
}

interface Body {
  readonly type: string;
  readonly text: string;
}

async function bodyOf(operation: ToolOperation, members: JsonObject): Promise<Body | undefined> {
  const { wholeBody, bodyType } = operation;
  const value = wholeBody === undefined ? members : members[wholeBody];
  if (bodyType === undefined || value === undefined) return undefined;
  const fields = typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  if (bodyType.startsWith('multipart/form-data')) return await multipartOf(fields);
  if (bodyType.startsWith('application/x-www-form-urlencoded')) {
    const text = Object.entries(fields).map(([name, one]) => {
      return queryText(name, one, writtenForm(operation, name, 'body') ?? listsApart(one));
    });
    return { type: bodyType, text: text.filter((one) => one !== '').join('&') };
  }
  return { type: bodyType, text: bodyType.includes('json') ? stringifyJson(value) : textOrJson(value) };
}

/** A mapping within a form is written as JSON. */
function listsApart(value: JsonValue): ParameterForm {
  return Array.isArray(value) || typeof value !== 'object' ? defaultForm('query') : { style: 'json', explode: false };
}

async function multipartOf(fields: JsonObject): Promise<Body> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const all = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    for (const one of all) if (one !== null) form.append(name, textOrJson(one));
  }
  const made = new Response(form);
  return { type: made.headers.get('content-type') ?? '', text: await made.text() };
}
