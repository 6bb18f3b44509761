import { readFileSync } from 'node:fs';
import type { DiagnosticCode } from '@unroll/engine';
import { readImports } from './read-imports.ts';

/** docs/diagnostics.md, from the table of codes. */
export function diagnosticsPage(codes: Readonly<Record<string, DiagnosticCode>>): string {
  const list = Object.keys(codes).map((code) => `[${code}](#${code.toLowerCase()})`);
  const entries = Object.entries(codes).map(([code, known]) => entry(code, known));
  return `${[introduction, list.join(' · '), ...entries].join('\n\n')}\n`;
}

const introduction = `# Diagnostics

Everything \`flow check\` can say about a flow, \`flow eval\` about an evaluation (\`EVAL_…\`) and \`flow prices\` about a list of prices, with an example and the way
to fix it. All mistakes of a file are told at once; what is one mistake of the author is told once, also where a loop repeats it.

    flows/ask/flow.dag.yaml:5:5 error FLOW_UNKNOWN_KEY unknown key "promt"
            promt: hi
            ~~~~~
        help: did you mean "prompt"?

Line and column count from 1; a column is a character (code point), a tab too.

An **error** makes \`flow check\` fail. It keeps a flow from running too, except where only the node that has the mistake
would fail, when it is reached at all: Prompt flow runs such flows, and so do we. A **warning** stops nothing.

\`ready to run\` speaks of the flow, not of the row: nothing is run for it and no service is asked. What only a run can tell is left to it: inputs that
nobody gave, code that throws as it is imported or returns what the next node cannot use, MCP servers and model services that do not answer, filters
and tests of a template that do not go with the values of a row, what an endpoint of Open Model LLM refuses, images written in a node's inputs.

\`flow check --json\` prints \`{ok, flow, diagnostics: […]}\`, sorted by file and place. Each diagnostic is \`{severity, code,
message, file, line, column, end_line, end_column, help, notes: [{message, file, line, column}]}\`; what is not known is null,
and \`end_column\` is the column after the last one.
\`flow check --sarif\` prints a SARIF 2.1.0 log, which code hosts show beside the lines.

This page is printed from \`packages/engine/src/source/diagnostic-codes.ts\`; a test keeps both, and the sources, together.`;

function entry(code: string, { meaning, example, language = 'yaml', fix }: DiagnosticCode): string {
  return `## ${code}\n\n${meaning}\n\n\`\`\`${language}\n${example}\n\`\`\`\n\n${fix}`;
}

/** Codes in the sources that make diagnostics, in order; those that are only asked for may be a library's. */
export function codesInSources(root: string): readonly string[] {
  const texts = readImports(root, [
    'packages/engine/src',
    'packages/nodes/src',
    'packages/promptflow/src',
    'packages/evals/src',
    'packages/project/src/flows',
    'packages/project/src/prices',
  ])
    .filter(({ file }) => !file.endsWith('.test.ts') && !file.endsWith('/diagnostic-codes.ts'))
    .map(({ file }) => readFileSync(`${root}/${file}`, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, ''))
    .filter((text) => text.includes('iagnostic'));
  const found = texts.flatMap((text) =>
    [...text.matchAll(/(?<!=== )'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code = '']) => code),
  );
  return [...new Set(found)].sort();
}
