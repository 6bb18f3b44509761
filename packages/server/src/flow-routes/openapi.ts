import type { JsonObject } from '@unroll/engine';
import type { ServedFlow } from '@unroll/project';
import type { Serving } from '../answers/serving.ts';
import { inputsSchema, outputsSchema } from './field-schema.ts';

/** The document of our own routes, OpenAPI 3.1. */
export function openApiOf({ flows, version }: Serving): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Flows', version },
    security: [{}, { key: [] }],
    paths: {
      '/flows': {
        get: {
          summary: 'The flows that are served',
          operationId: 'listFlows',
          responses: answers('The flows', anything),
        },
      },
      ...Object.fromEntries(
        flows.map((flow) => [`/flows/${encodeURIComponent(flow.name)}/runs`, { post: runOperation(flow) }]),
      ),
      '/runs': { get: runsOperation },
      '/runs/{run}/{line}': { get: rowOperation, delete: cancelOperation },
      '/runs/{run}/{line}/events': { get: eventsOperation },
      '/runs/{run}/{line}/labels': { put: labelsOperation },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
  };
}

const anything: JsonObject = { type: 'object' };
const errorResponse: JsonObject = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } },
  },
};

function runOperation({ name, plan }: ServedFlow): JsonObject {
  return {
    summary: `Runs ${name}`,
    operationId: `run_${name}`,
    parameters: [
      {
        name: 'wait',
        in: 'query',
        description: '0: answered at once with 202 and where the row will be (Location)',
        schema: { type: 'string', enum: ['0', '1'] },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: inputsSchema(plan) } } },
    responses: {
      ...answers('The row', rowSchema(outputsSchema(plan)), { 'text/event-stream': { schema: { type: 'string' } } }),
      '202': { description: 'The row runs', content: { 'application/json': { schema: rowSchema(anything) } } },
    },
  };
}

const placeParameters = ['run', 'line'].map((name) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
}));

const labelsOperation: JsonObject = {
  summary: 'Puts labels beside a row of this server',
  operationId: 'putLabels',
  parameters: placeParameters,
  requestBody: { required: true, content: { 'application/json': { schema: anything } } },
  responses: answers('The labels', anything),
};

const runsOperation: JsonObject = {
  summary: 'The newest runs that servers of these flows recorded',
  operationId: 'listRuns',
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } }],
  responses: answers('The runs', anything),
};

const cancelOperation: JsonObject = {
  summary: 'Gives up a row that runs',
  operationId: 'cancelRow',
  parameters: placeParameters,
  responses: {
    ...answers('The row, which was given up', rowSchema(anything)),
    '202': { description: 'It is given up soon', content: { 'application/json': { schema: rowSchema(anything) } } },
  },
};

const eventsOperation: JsonObject = {
  summary: 'What happened in a row and what happens: node-ended, and row-ended as the last',
  operationId: 'followRow',
  parameters: placeParameters,
  responses: {
    '200': { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    default: errorResponse,
  },
};

const rowOperation: JsonObject = {
  summary: 'A row of this server',
  operationId: 'getRow',
  parameters: placeParameters,
  responses: {
    ...answers('The row', rowSchema(anything)),
    '202': { description: 'The row runs', content: { 'application/json': { schema: rowSchema(anything) } } },
  },
};

function rowSchema(outputs: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['Completed', 'Unfinished', 'Failed', 'Canceled', 'Running'] },
      outputs,
      error: {
        type: ['object', 'null'],
        properties: { code: { type: 'string' }, message: { type: 'string' }, node: { type: ['string', 'null'] } },
      },
      run: { type: ['string', 'null'] },
      line: { type: ['integer', 'null'] },
    },
    required: ['status', 'outputs', 'error', 'run', 'line'],
  };
}

function answers(description: string, schema: JsonObject, others: JsonObject = {}): JsonObject {
  return {
    '200': { description, content: { 'application/json': { schema }, ...others } },
    default: errorResponse,
  };
}
