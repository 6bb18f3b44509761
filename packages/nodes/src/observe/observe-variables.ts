import os from 'node:os';
import { type Callers, callersOf } from './callers.ts';
import { partStart, valueOfVariable } from './sighting.ts';
import type { Sightings } from './sightings.ts';

type Variables = NodeJS.ProcessEnv;

/** Puts itself before `process.env`. What code set itself is none that it reads. */
export function observeProcessVariables(sightings: Sightings): void {
  process.env = observed(process.env, sightings, partStart.variable, partStart.allVariables);
  const { homedir } = os;
  os.homedir = function watched() {
    for (const name of ['HOME', 'USERPROFILE'])
      sightings.read(callersOf(watched), partStart.variable + name, valueOfVariable);
    return homedir();
  };
}

/** The flow's variables as code is given them. */
export function observeFlowVariables(
  variables: Readonly<Record<string, string>>,
  sightings: Sightings,
): Readonly<Record<string, string>> {
  const { flowVariable, allFlowVariables } = partStart;
  return observed({ ...variables }, sightings, flowVariable, allFlowVariables) as Readonly<Record<string, string>>;
}

function observed(variables: Variables, sightings: Sightings, start: string, all: string): Variables {
  const written = new Set<string>();
  const see = (by: Callers, name: string | symbol): void => {
    if (typeof name === 'string' && !written.has(name)) sightings.read(by, start + name, valueOfVariable);
  };
  const set = (name: string | symbol): void => {
    if (typeof name === 'string') written.add(name);
  };
  const traps: Required<
    Pick<
      ProxyHandler<Variables>,
      'get' | 'has' | 'ownKeys' | 'getOwnPropertyDescriptor' | 'set' | 'deleteProperty' | 'defineProperty'
    >
  > = {
    get(target, name) {
      see(callersOf(traps.get), name);
      return Reflect.get(target, name);
    },
    has(target, name) {
      see(callersOf(traps.has), name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      see(callersOf(traps.getOwnPropertyDescriptor), name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      sightings.read(callersOf(traps.ownKeys), all, valueOfVariable);
      return Reflect.ownKeys(target);
    },
    set(target, name, value) {
      set(name);
      return Reflect.set(target, name, value);
    },
    deleteProperty(target, name) {
      set(name);
      return Reflect.deleteProperty(target, name);
    },
    defineProperty(target, name, descriptor) {
      set(name);
      return Reflect.defineProperty(target, name, descriptor);
    },
  };
  return new Proxy(variables, traps);
}
