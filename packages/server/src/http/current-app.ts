import { thrownText } from '@unroll/engine';
import {
  type DistantRequests,
  madeWith,
  notify,
  ProjectFailure,
  type ProjectHost,
  type ServedFlow,
} from '@unroll/project';
import type { Hono } from 'hono';
import { EditedFlows, type FlowMistakes } from '../answers/edited-flows.ts';
import { Gate } from '../answers/gate.ts';
import type { PendingRow } from '../answers/pending-row.ts';
import { createApp } from './app.ts';
import type { ReadServerSettings } from './server-settings.ts';

/** The app that answers, which is exchanged as a whole where flows are edited while they are served. */
export class CurrentApp {
  readonly gate: Gate;
  readonly #settings: ReadServerSettings;
  readonly #host: ProjectHost;
  readonly #edited: EditedFlows | undefined;
  readonly #pending = new Map<string, PendingRow>();
  readonly #distant: DistantRequests | undefined;
  /** Those that are served, and those they took the place of. */
  readonly #all: Set<ServedFlow>;
  #served: readonly ServedFlow[];
  #app: Hono;
  #isDraining = false;
  readonly #givenUp = new AbortController();

  /** @throws ProjectFailure where the flows cannot be served */
  constructor(
    flows: readonly ServedFlow[],
    mistakes: readonly FlowMistakes[] | undefined,
    settings: ReadServerSettings,
    host: ProjectHost,
    distant: DistantRequests | undefined,
  ) {
    this.#distant = distant;
    this.gate = new Gate({ inFlight: settings.maxInFlight, queue: settings.maxQueue });
    this.#settings = settings;
    this.#host = host;
    this.#edited = mistakes === undefined ? undefined : new EditedFlows(mistakes);
    this.#all = new Set(flows);
    this.#served = flows;
    this.#app = this.#appOf(flows);
  }

  fetch(...call: Parameters<Hono['fetch']>): ReturnType<Hono['fetch']> {
    return this.#app.fetch(...call);
  }

  /** As `FlowServer` says it. */
  replace(flows: readonly ServedFlow[], mistakes: readonly FlowMistakes[]): void {
    this.#app = this.#appOf(flows);
    for (const flow of flows) this.#all.add(flow);
    const replaced = this.#served.filter((one) => !flows.includes(one));
    this.#served = flows;
    for (const flow of replaced) void this.#retire(flow);
    this.#edited?.changed(mistakes);
  }

  /** New work is refused from now on. */
  drain(): void {
    this.#isDraining = true;
    this.#edited?.end();
  }

  /** Stops what is still under way. */
  giveUp(): void {
    this.#givenUp.abort();
  }

  async close(): Promise<void> {
    for (const flow of this.#all) await flow[Symbol.asyncDispose]();
  }

  #appOf(flows: readonly ServedFlow[]): Hono {
    refuseTwice(flows);
    return createApp(
      {
        flows,
        recorded: () => [...this.#all],
        edited: this.#edited,
        gate: this.gate,
        requestTimeoutMs: this.#settings.requestTimeoutMs,
        version: madeWith().version,
        host: this.#host,
        pending: this.#pending,
        distant: this.#distant,
        isDraining: () => this.#isDraining,
        givenUp: this.#givenUp.signal,
      },
      this.#settings,
    );
  }

  async #retire(flow: ServedFlow): Promise<void> {
    try {
      await flow.retire();
    } catch (error) {
      const reason = thrownText(error);
      notify(this.#host, {
        kind: 'warning',
        message: `an earlier version of ${flow.name} cannot be closed: ${reason}`,
      });
    }
  }
}

/** @throws ProjectFailure for flows of one name */
function refuseTwice(flows: readonly ServedFlow[]): void {
  const names = flows.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new ProjectFailure(`two flows are called ${twice}: their folders must have names of their own`);
}
