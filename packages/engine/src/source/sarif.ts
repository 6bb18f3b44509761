import type { Diagnostic } from './diagnostic.ts';
import { diagnosticCodes } from './diagnostic-codes.ts';
import { sortDiagnostics } from './sort-diagnostics.ts';
import { placeOf, type Span } from './source-file.ts';

/** The parts of a SARIF log that are written here. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

interface SarifRun {
  readonly tool: {
    readonly driver: { readonly name: string; readonly version: string; readonly rules: readonly SarifRule[] };
  };
  readonly columnKind: 'unicodeCodePoints';
  readonly results: readonly SarifResult[];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription?: { readonly text: string };
  readonly help?: { readonly text: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: 'error' | 'warning';
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
}

interface SarifLocation {
  readonly message?: { readonly text: string };
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: {
      readonly startLine: number;
      readonly startColumn: number;
      readonly endLine: number;
      readonly endColumn: number;
    };
  };
}

/**
 * Diagnostics for code hosts and editors: a log as in SARIF 2.1.0 (OASIS, 2020), with one rule for each code that occurs.
 * Files are given as they are shown, relative to where the command was given.
 */
export function toSarif(diagnostics: readonly Diagnostic[], toolVersion: string): SarifLog {
  const sorted = sortDiagnostics(diagnostics);
  const codes = [...new Set(sorted.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'unroll', version: toolVersion, rules: codes.map(ruleOf) } },
        columnKind: 'unicodeCodePoints',
        results: sorted.map((diagnostic) => resultOf(diagnostic, codes.indexOf(diagnostic.code))),
      },
    ],
  };
}

function ruleOf(code: string): SarifRule {
  const known = diagnosticCodes[code];
  if (known === undefined) return { id: code };
  return { id: code, shortDescription: { text: known.meaning }, help: { text: known.fix } };
}

function resultOf(diagnostic: Diagnostic, ruleIndex: number): SarifResult {
  const { code, severity, message, help, span, notes = [] } = diagnostic;
  const related = notes.flatMap((note) =>
    note.span === undefined ? [] : [{ message: { text: note.message }, ...locationOf(note.span) }],
  );
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: help === undefined ? message : `${message} (${help})` },
    locations: span === undefined ? [] : [locationOf(span)],
    ...(related.length === 0 ? {} : { relatedLocations: related }),
  };
}

function locationOf(span: Span): SarifLocation {
  const start = placeOf(span.file, span.start);
  const end = placeOf(span.file, span.end);
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(span.file.path) },
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    },
  };
}

function uriOf(path: string): string {
  const escaped = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${escaped}` : escaped;
}
