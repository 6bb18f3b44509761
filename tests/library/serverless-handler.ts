import { openProject } from '@unroll/project';

const project = openProject(process.env['LAMBDA_TASK_ROOT'] ?? '.', { runsFolder: '/tmp/runs' });

export async function handler(event: { readonly body: string }) {
  const row = await project.flow('ask').run(JSON.parse(event.body)).result;
  const statusCode = row.status === 'Completed' ? 200 : 500;
  return { statusCode, body: JSON.stringify(row.outputs) };
}
