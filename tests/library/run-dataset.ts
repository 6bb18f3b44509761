import { openProject } from '@unroll/project';

const project = openProject('.');
const run = project.runDataset('flows/privacy-agent', { data: 'flows/privacy-agent/data.jsonl', sample: 5 });
let rows = 0;
for await (const event of run) {
  if (event.type === 'run-started') console.log(`${event.record.id}: ${event.total} rows`);
  if (event.type === 'row-ended') console.log(`${++rows} row ${event.row.line} ${event.row.status}`);
}
const { status, view, record } = await run.result;
console.log(`${status}: ${view.rows.completed} completed, ${view.rows.failed} failed, in ${record.path}`);
