import { type Connection, createFlowFiles, type PrepareContext, redactorOf, ScopeSlots } from '@unroll/engine';

interface FlowContextOptions extends Partial<Omit<PrepareContext, 'connections' | 'onClose'>> {
  readonly connections?: readonly Connection[];
  readonly onClose: PrepareContext['onClose'];
}

/** What nodes of a flow in a folder are made ready with, where a test says nothing else. */
export function flowContext(folder: string, { connections = [], ...given }: FlowContextOptions): PrepareContext {
  return {
    flow: new ScopeSlots(),
    files: createFlowFiles(folder, folder),
    connections: {
      find: (name) => connections.find((connection) => connection.name === name),
      names: () => connections.map(({ name }) => name),
    },
    redactor: redactorOf(...connections),
    environment: {},
    flowId: 'test',
    messageFormat: 'basic',
    valuesOpenRoles: true,
    ...given,
  };
}
