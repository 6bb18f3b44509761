import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import { type CheckedNode, nodePlace, placeInNode, shownName } from './checked-node.ts';

/**
 * Functions that a node offers to the model and that no code which reads its answer defines: the call would fail when
 * the model makes it. Nothing is said where no reader tells what it defines.
 */
export function checkFunctions(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes.flatMap((agent) => {
    const { offeredFunctions = [] } = agent.inspection;
    if (offeredFunctions.length === 0) return [];
    const readers = nodes.filter((node) => node.inspection.definedFunctions !== undefined && reads(node, agent));
    if (readers.length === 0) return [];
    const defined = new Set(readers.flatMap((reader) => reader.inspection.definedFunctions ?? []));
    return offeredFunctions
      .filter(({ name }) => !defined.has(name))
      .map((offered) => undefinedFunction(agent, offered, readers, defined));
  });
}

function reads(reader: CheckedNode, agent: CheckedNode): boolean {
  return Object.values(reader.definition.inputs).some(
    (input) => input.kind === 'node-output' && input.node === agent.spec.name,
  );
}

function undefinedFunction(
  agent: CheckedNode,
  offered: NonNullable<CheckedNode['inspection']['offeredFunctions']>[number],
  readers: readonly CheckedNode[],
  defined: ReadonlySet<string>,
): Diagnostic {
  const names = [...defined].map((name) => `"${name}"`).join(', ');
  return {
    severity: 'error',
    code: 'FUNCTION_UNDEFINED',
    message: `node "${shownName(agent)}" offers the function "${offered.name}", which no code that reads its answer defines`,
    span: offered.span ?? placeInNode(agent, ['inputs', 'functions']),
    help: didYouMean(offered.name, defined) ?? (names === '' ? 'the code defines no function' : `defined are ${names}`),
    allowsRun: true,
    notes: readers.map((reader) => ({
      message: `node "${shownName(reader)}" reads the answer`,
      span: nodePlace(reader),
    })),
  };
}
