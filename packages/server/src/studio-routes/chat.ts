import type { Studio } from '@unroll/project/studio';
import { type ChatAnswer, chatTurn } from '@unroll/project/studio-contract';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { eventAnswer } from './event-answer.ts';
import { readBody } from './read-query.ts';

/** Flows that are talked with. */
export function chatRoutes(studio: Studio): Hono {
  const app = new Hono();
  app.get('/chat', (context) => answered(context, studio, async () => studio.chats.page()));
  app.post('/chat/turns', async (context) => {
    const asked = await readBody(context.req, chatTurn);
    return eventAnswer<ChatAnswer>(context, studio, (tell, signal) => studio.chats.turn(asked, tell, signal));
  });
  return app;
}
