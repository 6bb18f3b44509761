import { formatDiagnostics } from '@unroll/engine';
import { expect, test } from 'vitest';
import { knownRendering } from './check-rendering.ts';
import { openTemplate } from './prompt-template.ts';

const noLoader = 'TypeError: no loader for this environment specified';

test.for([
  ['{% include "x.jinja2" %}', [`error ${noLoader}`]],
  ['{% if r %}{% extends "x" %}{% endif %}{% import "m" as m %}', [`warning ${noLoader}`, `error ${noLoader}`]],
  ['{% block b %}{% from "m" import f %}{% endblock %}', [`error ${noLoader}`]],
  ['include {{ r }}', []],
  ['{% if false %}{% include "x" %}{% endif %}', []],
  ['{% if q %}{% include "x" %}{% endif %}', [`error ${noLoader}`]],
  ['{{ q.x.y }}', ["error the template cannot be rendered: UndefinedError: 'str object' has no attribute 'x'"]],
  ['{{ q.x.y }}{{ r }}', ["error the template cannot be rendered: UndefinedError: 'str object' has no attribute 'x'"]],
  [
    '{{ r | replace("a") }}',
    ["error the template cannot be rendered: TypeError: do_replace() missing 1 required positional argument: 'new'"],
  ],
  ['{{ r }}{{ empty + 1 }}', []],
  ['{{ empty.x.y }}', []],
  ['{{ range }} {{ q }}', []],
  ['{{ dict.x.y }} {{ q }}', []],
  ['![image]({{ q }})', []],
  ['{{ q }} {{ range(3) | list }}', ["error the template cannot be rendered: TypeError: 'str' object is not callable"]],
] as const)('%s: what is told before anything runs', ([text, expected]) => {
  const source = { type: 'code', path: 'p.jinja2' } as const;
  const inputs = {
    q: { kind: 'literal', value: 'hi' },
    empty: { kind: 'literal', value: '' },
    r: { kind: 'flow-input', input: 'r' },
    range: { kind: 'literal', value: 'a' },
    dict: { kind: 'flow-input', input: 'r' },
  };
  const node = { name: 'p', type: 'prompt', source, inputs, settings: {} } as unknown as Parameters<
    typeof openTemplate
  >[0];
  const files = { folder: '', read: (path: string) => ({ path, text }), resolve: () => undefined, list: () => [] };
  const opened = openTemplate(node, files);
  if (!opened.ok) throw new Error('the template of the test is wrong');
  const told = knownRendering(opened.opened, node).diagnostics;
  expect(told.map(({ severity, message }) => `${severity} ${message}`)).toEqual(expected);
  if (expected.some((one) => one.endsWith(noLoader)))
    expect(formatDiagnostics(told)).toContain('a template cannot load another one');
});
