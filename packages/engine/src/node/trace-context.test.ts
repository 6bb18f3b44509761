import { expect, test } from 'vitest';
import { readTraceContext } from './trace-context.ts';

const id = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

// https://www.w3.org/TR/trace-context/#traceparent-header
test.for([
  { traceparent: `00-${id}-01`, isRead: true },
  { traceparent: ` 00-${id}-00 `, isRead: true },
  { traceparent: `cc-${id}-01`, isRead: true },
  { traceparent: `cc-${id}-01-what-comes-after`, isRead: true },
  { traceparent: undefined, isRead: false },
  { traceparent: '', isRead: false },
  { traceparent: `ff-${id}-01`, isRead: false },
  { traceparent: `00-${id}-01-more`, isRead: false },
  { traceparent: `00-${id.toUpperCase()}-01`, isRead: false },
  { traceparent: `00-${id}`, isRead: false },
  { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, isRead: false },
  { traceparent: `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, isRead: false },
  { traceparent: `00-${id}-01\r\nx-evil: 1`, isRead: false },
])('traceparent "$traceparent"', ({ traceparent, isRead }) => {
  const expected = { traceparent: traceparent?.trim(), tracestate: 'a=1' };
  expect(readTraceContext(traceparent, 'a=1')).toEqual(isRead ? expected : undefined);
});

test.for(['', 'a=1\r\nx-evil: 1', 'a=値'])('the state "%s" is none', (tracestate) => {
  expect(readTraceContext(`00-${id}-01`, tracestate)).toEqual({ traceparent: `00-${id}-01` });
});
