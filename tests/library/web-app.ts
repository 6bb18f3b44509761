import { serve } from '@hono/node-server';
import { openProject } from '@unroll/project';
import { Hono } from 'hono';

const ask = openProject('tests/library').flow('ask');
const app = new Hono();
app.post('/ask', async (context) => {
  const inputs = await context.req.json();
  const row = await ask.run(inputs, { signal: context.req.raw.signal }).result;
  if (row.status === 'Completed') return context.json(row.outputs);
  return context.json({ error: row.error?.message }, 500);
});
app.onError((error, context) => context.json({ error: error.message }, 400));
const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
  console.log(`http://localhost:${port}/ask`);
});
process.on('SIGTERM', () => server.close());
