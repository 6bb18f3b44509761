import { diagnosticCodes } from '@unroll/engine';
import { expect, test } from 'vitest';
import { codesInSources, diagnosticsPage } from './house/diagnostics-page.ts';

const root = new URL('..', import.meta.url).pathname;

test('every code in the sources is explained, and every one explained is in the sources', () => {
  expect(Object.keys(diagnosticCodes).sort()).toEqual(codesInSources(root));
});

test('docs/diagnostics.md is the table of codes', async () => {
  await expect(diagnosticsPage(diagnosticCodes)).toMatchFileSnapshot('../docs/diagnostics.md');
});
