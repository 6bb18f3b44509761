import { openProject } from '@unroll/project';

const project = openProject('.');
const flow = 'flows/privacy-agent';
const data = `${flow}/data.jsonl`;
await project.runDataset(flow, { data, rows: '0-4', name: 'before' }).result;
await project.runDataset(flow, { data, rows: '1-5', name: 'after', since: 'before' }).result;

const diff = await project.diff('before', 'after');
console.log(diff.verdict);
for (const { name, same, changed } of diff.nodes) console.log(`${name}: ${same} the same, ${changed} changed`);
console.log(`only before: ${diff.onlyLeft.map(({ line }) => line).join(', ')}`);
console.log(`only after: ${diff.onlyRight.map(({ line }) => line).join(', ')}`);
