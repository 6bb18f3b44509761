import { openProject, type Reporter } from '@unroll/project';

const slowest = { node: 'none', ms: 0 };
const reporter: Reporter = (event) => {
  if (event.type !== 'node-ended') return;
  const { node, durationMs: ms = 0 } = event.run;
  if (ms > slowest.ms) Object.assign(slowest, { node, ms });
};
const project = openProject('.', { reporter });
await project.runDataset('flows/privacy-agent', { data: 'flows/privacy-agent/data.jsonl', sample: 5 }).result;
console.log(`slowest: ${slowest.node}`);
