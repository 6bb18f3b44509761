import {
  type CollectionTag,
  type Document,
  parseDocument,
  type ScalarTag,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import { depthMessage, isTooDeep, MAX_DEPTH } from '../value/depth.ts';
import type { JsonValue } from '../value/json.ts';
import type { SpecPath } from './flow-spec.ts';
import { fullWidthHelp } from './full-width.ts';
import { joinFlowLines } from './join-flow-lines.ts';
import { createLocator } from './locate-node.ts';
import { isTabInText, yamlMistake } from './yaml-mistakes.ts';
import { dateTags, scalarTags } from './yaml-scalars.ts';
import { ValueReader } from './yaml-values.ts';

/** A YAML text read into values, with the place of each. */
export interface YamlDocument {
  /** undefined where the text is no YAML; an empty text is null. */
  readonly value?: JsonValue;
  readonly diagnostics: readonly Diagnostic[];
  locate(path: SpecPath, part?: 'key' | 'value'): Span | undefined;
}

/** Mistakes of syntax that are told of one text; each takes as long as the text is. */
const maxReported = 100;

/** Characters of a file that somebody writes by hand: to read so many takes seconds. */
export const maxWritten = 2_000_000;

/** Of any other: a document of an API may have many. */
const maxCharacters = 32_000_000;

export interface YamlOptions {
  /** Dates become objects, as Python reads them; else they stay texts. */
  readonly dates?: boolean;
  /** Characters; a longer text is a mistake. */
  readonly longest?: number;
}

/** Reads YAML 1.2 as ruamel.yaml does, with all syntax errors and all duplicate keys at once. */
export function parseYaml(file: SourceFile, options: YamlOptions = {}): YamlDocument {
  const { dates = false, longest = maxCharacters } = options;
  if (file.text.length > longest) return { diagnostics: [tooLong(file, longest)], locate: () => undefined };
  const document = readDocument(file.text, dates);
  const found = [...withoutFollowing(document.errors, file), ...document.warnings];
  const syntax = [
    ...found.slice(0, maxReported).map((error) => syntaxDiagnostic(error, file)),
    ...notTold(found.slice(maxReported), file),
  ];
  if (document.errors.length > 0) return { diagnostics: syntax, locate: () => undefined };
  const locator = createLocator(document, file);
  const reader = new ValueReader(locator, file);
  const value = reader.read(document.contents);
  const { diagnostics } = reader;
  const locate = (path: SpecPath, part: 'key' | 'value' = 'value') => locator.locate(path, part);
  if (diagnostics.some(({ code }) => code !== 'FLOW_DUPLICATE_KEY'))
    return { diagnostics: [...syntax, ...diagnostics], locate };
  if (isTooDeep(value)) return { diagnostics: [...syntax, tooDeep(value, locate)], locate };
  return { value, diagnostics: [...syntax, ...diagnostics], locate };
}

function tooLong(file: SourceFile, longest: number): Diagnostic {
  const message = `the file has ${file.text.length} characters; at most ${longest} are read as YAML`;
  const lines = file.text.split('\n');
  const most = lines.reduce((found, { length }, at) => (length > (lines[found]?.length ?? 0) ? at : found), 0);
  const { length = 0 } = lines[most] ?? {};
  // One value, which the place where the file becomes too long does not name.
  const help = length * 2 > file.text.length ? `line ${most + 1} alone has ${length} characters` : undefined;
  const span = { file, start: longest, end: longest };
  return { severity: 'error', code: 'FLOW_YAML', message, span, ...(help === undefined ? {} : { help }) };
}

/** The library reads what its stack has room for, and aliases lie in one another as deep as somebody likes. */
function tooDeep(value: JsonValue, locate: YamlDocument['locate']): Diagnostic {
  const [key = ''] = Object.entries(value ?? {}).find(([, member]) => isTooDeep(member, MAX_DEPTH - 1)) ?? [];
  return {
    severity: 'error',
    code: 'FLOW_YAML',
    message: depthMessage(),
    span: locate([Array.isArray(value) ? Number(key) : key]),
  };
}

function readDocument(text: string, dates: boolean): Document {
  // Tags of YAML 1.1 would become what no flow can hold: an !!omap a list of nulls, a !!binary bytes.
  const settings = { prettyErrors: false, uniqueKeys: false, logLevel: 'error', resolveKnownTags: false } as const;
  const document = parseDocument(text, {
    ...settings,
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [...(dates ? dateTags : []), ...scalarTags, ...tags.filter(isNoNumber)],
  });
  if (document.directives?.yaml.version === '1.1') return parseDocument(text, { ...settings, version: '1.1' });
  const start = openedTooFarRight(document);
  const onOneLine = start === undefined ? text : joinFlowLines(text, start);
  return onOneLine === text ? document : readDocument(onOneLine, dates);
}

/** ruamel.yaml's numbers, and no others. */
function isNoNumber(tag: ScalarTag | CollectionTag | string): boolean {
  return typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag);
}

/** Where the first list or mapping opens whose end stands further left than YAML allows. */
function openedTooFarRight({ contents, errors }: Document): number | undefined {
  const end = errors.find(({ code, message }) => code === 'BAD_INDENT' && message.includes('sufficiently indented'))
    ?.pos[0];
  let start: number | undefined;
  if (end === undefined || contents === null) return undefined;
  visit(contents, {
    Collection: (_, { flow, range }) => {
      if (flow !== true || range?.[1] !== end) return undefined;
      start = range[0];
      return visit.BREAK;
    },
  });
  return start;
}

/**
 * Where the reader lost its way, each further token is unexpected too, and where it had no more room, nothing was closed: that tells
 * nobody anything.
 */
function withoutFollowing(errors: readonly YAMLParseError[], file: SourceFile): readonly YAMLParseError[] {
  const deepest = errors.find(hasNoRoom);
  if (deepest !== undefined) return [deepest];
  const first = errors.findIndex(isLost);
  const ofText = errors.find(({ message, pos: [start] }) => isTabInText(message, file, start));
  const tab = errors.find(isTab)?.pos[0] ?? ofText?.pos[0] ?? Number.POSITIVE_INFINITY;
  const isOfTab = (error: YAMLParseError): boolean => error === ofText || isTab(error);
  return errors.filter((error, at) => (at <= first || !isLost(error)) && (error.pos[0] < tab || isOfTab(error)));
}

/** How deep a line stands that a tab indents cannot be told, and nor can what follows. */
function isTab({ code }: YAMLParseError): boolean {
  return code === 'TAB_AS_INDENT';
}

/** One mistake for all that would be too many to read. */
function notTold(
  [first, ...others]: readonly (YAMLParseError | YAMLWarning)[],
  file: SourceFile,
): readonly Diagnostic[] {
  if (first === undefined) return [];
  const { span, severity } = syntaxDiagnostic(first, file);
  const message = `${others.length + 1} more mistakes follow, which are told once those before are mended`;
  return [{ severity, code: 'FLOW_YAML', message, span }];
}

function isLost({ message }: { readonly message: string }): boolean {
  return /^Unexpected .* (at node end|in YAML stream)/.test(message);
}

function syntaxDiagnostic(
  error: { readonly name: string; readonly message: string; readonly pos: readonly [number, number] },
  file: SourceFile,
): Diagnostic {
  const [start, end] = error.pos;
  const span = { file, start: Math.min(start, file.text.length), end: Math.min(end, file.text.length) };
  const said = plainMessage(error);
  const isOpenQuote = said.startsWith('Missing closing');
  const { message = said, help: way } = yamlMistake(said, file, span.start) ?? {};
  const help = fullWidthHelp(file, start, isOpenQuote) ?? (isOpenQuote ? openQuoteHelp : way);
  const shared = { code: 'FLOW_YAML', message, span, help };
  if (error.name === 'YAMLWarning') return { severity: 'warning', ...shared };
  return { severity: 'error', ...shared, details: { kind: 'unreadable-yaml' } };
}

const openQuoteHelp = 'end it with its quote; lines on which it goes on stand further right than its key';

/** The library gives up at the level that its stack has no room for, a pattern's among them, and at all above it. */
function hasNoRoom({ message }: { readonly message: string }): boolean {
  return message.startsWith('Maximum call stack') || message.endsWith('Stack overflow');
}

function plainMessage(error: { readonly message: string }): string {
  if (isLost(error)) return 'nothing may stand here: the value before it is complete';
  if (error.message.startsWith('Source contains multiple documents')) {
    return 'a second document begins here, and only one is read: take out the line';
  }
  const [, tag] = /^Unresolved tag: (.*)$/.exec(error.message) ?? [];
  if (tag !== undefined) return `the tag "${tag.replace(/^tag:yaml.org,2002:/, '!!')}" has no effect here`;
  if (hasNoRoom(error)) return 'nested deeper than can be read';
  return error.message.replace(/\.$/, '');
}
