import { formatDiagnostics } from '@unroll/engine';
import { expect, test } from 'vitest';
import { loadDiagnostics, openTemplate } from './prompt-template.ts';

test.for([
  ['{% include "x.jinja2" %}', 1],
  ['{% if q %}{% extends "x" %}{% endif %}{% import "m" as m %}', 2],
  ['{% from "m" import f %}', 1],
  ['include {{ q }}', 0],
] as const)('%s: told %d times before anything runs', ([text, count]) => {
  const source = { type: 'code', path: 'p.jinja2' } as const;
  const node = { name: 'p', type: 'prompt', source, inputs: {}, settings: {} } as unknown as Parameters<
    typeof openTemplate
  >[0];
  const files = { folder: '', read: (path: string) => ({ path, text }), resolve: () => undefined, list: () => [] };
  const opened = openTemplate(node, files);
  if (!opened.ok) throw new Error('the template of the test is wrong');
  const told = loadDiagnostics(opened.opened);
  expect(told.map(({ message }) => message)).toEqual(
    Array(count).fill('TypeError: no loader for this environment specified'),
  );
  if (count > 0) expect(formatDiagnostics(told)).toContain('a template cannot load another one');
});
