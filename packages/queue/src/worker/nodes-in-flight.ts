import type { RunEvent } from '@unroll/engine';

/** Which nodes of a job are in flight. */
export class NodesInFlight {
  private readonly nodes = new Map<string, string>();

  take(event: RunEvent): void {
    if (event.type === 'node-started') this.nodes.set(keyOf(event, event.node), event.node);
    else if (event.type === 'node-ended') this.nodes.delete(keyOf(event, event.run.node));
  }

  names(): Iterable<string> {
    return this.nodes.values();
  }
}

function keyOf({ line, repeat = 0 }: { readonly line: number; readonly repeat?: number }, node: string): string {
  return `${line} ${repeat} ${node}`;
}
