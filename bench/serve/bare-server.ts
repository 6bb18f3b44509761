import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** The least that answers a question over HTTP: hono, JSON in, JSON out. Prints its address. */
const app = new Hono();
app.post('/score', async (context) => {
  const { question } = await context.req.json<{ readonly question: string }>();
  return context.json({ answer: question });
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
