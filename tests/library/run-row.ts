import { openProject } from '@unroll/project';

const project = openProject('.');
const row = project.runRow('flows/privacy-agent', { query: 'What is personal information?' });
for await (const event of row) {
  if (event.type === 'node-started') console.log(`${event.node} …`);
  if (event.type === 'node-ended') console.log(`${event.run.node} ${event.run.status}`);
  if (event.type === 'notice' && event.notice.kind === 'warning') console.warn(event.notice.message);
}
const { row: ended, record } = await row.result;
console.log(ended.status, ended.outputs, record?.id);
