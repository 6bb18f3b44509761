import { createTestWorld, type TestWorld, type TestWorldOptions } from './test-io.ts';
import { writeFiles } from './write-files.ts';

/** A world with the flow `counting`, whose nodes are TypeScript. */
export function countingWorld(options: TestWorldOptions = {}): TestWorld {
  const world = createTestWorld(options);
  writeFiles(world.folder, counting);
  return world;
}

/** Adds up to `goal` one by one in a loop of three; `goal: 9` is out of reach, `-1` raises, `99` never ends. */
const counting = {
  'counting/flow.dag.yaml': `
inputs:
  goal:
    type: int
  label:
    type: string
    default: 合計
outputs:
  result:
    type: string
    reference: \${say.output}
nodes:
  - name: start
    type: python
    source: {type: code, path: start.ts}
    inputs:
      goal: \${inputs.goal}
  - name: say
    type: python
    source: {type: code, path: say.ts}
    inputs:
      count: \${count.output}
      label: \${inputs.label}
loops:
  - name: count
    times: 3
    state: \${start.output}
    until: finished
    nodes:
      - name: look
        type: python
        source: {type: code, path: look.ts}
        inputs:
          state: \${loop.state}
      - name: step
        type: python
        source: {type: code, path: step.ts}
        inputs:
          state: \${loop.state}
          look: \${look.output}
`,
  'counting/start.ts': `export function start({ goal }: { goal: number }) {
  return { finished: false, goal, reached: 0 };
}
`,
  'counting/look.ts': `export function look({ state }: { state: { goal: number; reached: number } }, { signal }: { signal: AbortSignal }) {
  if (state.goal === -1) throw new RangeError('no way down from 0');
  if (state.goal === 99) return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return state.goal - state.reached;
}
`,
  'counting/step.ts': `export function step({ state, look }: { state: { finished: boolean; goal: number; reached: number }; look: number | null }) {
  if (look === null) return state;
  const reached = state.reached + 1;
  return reached === state.goal ? { finished: true, content: String(reached) } : { ...state, reached };
}
`,
  'counting/say.ts': `export function say({ count, label }: { count: { status: string; answer: string | null }; label: string }) {
  return \`\${label}: \${count.answer}\\n(\${count.status})\`;
}
`,
};
