import { expect, test } from 'vitest';
import { readActionGroups } from './action-group.ts';

test.for([
  [['getOrder', 'getOrder'], 'has the operationId "getOrder" twice'],
  [['getOrder', 'getorder'], 'has the operationId "getorder" twice, once in other letters'],
  [['getOrder', 'getOrders'], undefined],
] as const)('operations of a group are told apart whatever their case: %j', ([ids, told]) => {
  const paths = Object.fromEntries(ids.map((operationId, at) => [`/${at}`, { get: { operationId, responses: {} } }]));
  const read = readActionGroups([{ action_group: { name: 'shop' }, schema: { openapi: '3.0.0', paths } }]);
  expect(read.ok ? undefined : read.message).toBe(told === undefined ? told : `action group "shop" ${told}`);
});
