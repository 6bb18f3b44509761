import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exported } from '../studio-contract/contract.ts';

/** The built page in parts, as vite names them in its index.html. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** SVG. */
  readonly icon: string;
}

/** @param folder of the built page, absolute */
export function readPage(folder: string): PageParts {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const partOf = (pattern: RegExp): string => {
    const name = pattern.exec(index)?.[1];
    if (name === undefined) throw new Error(`bug: the page of the studio has no ${pattern}`);
    return readFileSync(join(folder, name), 'utf8');
  };
  return {
    script: partOf(/<script type="module"[^>]* src="[./]*([^"]+)"/),
    style: partOf(/<link rel="stylesheet"[^>]* href="[./]*([^"]+)"/),
    icon: partOf(/<link rel="icon" href="[./]*([^"]+)"/),
  };
}

const elsewhere = "base-uri 'none'; form-action 'none'";

/** One file with the page and all that it shows: no other script or style runs in it, and nothing is loaded. */
export function singleFile(parts: PageParts, exported: Exported, title: string): string {
  const { script, style, icon } = parts;
  for (const text of [script, style])
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error('bug: the page of the studio would end its own element');
  const policy = `default-src 'none'; script-src ${digestOf(script)}; style-src ${digestOf(style)}; img-src data:; ${elsewhere}`;
  const picture = Buffer.from(icon).toString('base64');
  return document(policy, title, [
    `<link rel="icon" href="data:image/svg+xml;base64,${picture}">`,
    `<style>${style}</style>`,
    body(exported),
    `<script type="module">${script}</script>`,
  ]);
}

/** The page of a folder: its script is none that browsers ask a server for, as they do for modules. */
export function folderPage(exported: Exported, title: string): string {
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; ${elsewhere}`;
  return document(policy, title, [
    '<link rel="icon" href="icon.svg">',
    '<link rel="stylesheet" href="studio.css">',
    body(exported),
    '<script defer src="studio.js"></script>',
  ]);
}

function body(exported: Exported): string {
  return [
    '<body>',
    '<div id="studio"></div>',
    '<noscript>This page needs JavaScript; it loads nothing from elsewhere.</noscript>',
    `<script type="application/json" id="unroll-export">${jsonInMarkup(exported)}</script>`,
  ].join('\n');
}

function document(policy: string, title: string, parts: readonly string[]): string {
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
    ...parts,
    '</html>',
  ];
  return `${lines.join('\n')}\n`;
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** No `</script>` and no `<!--` can stand in it, whatever was recorded. */
function jsonInMarkup(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
